import { createInterface } from 'node:readline';
import { questionLines, viewQuestion } from 'epitome/goals';
import { harmless } from '../output/text.ts';
import type { Chat } from './chat.ts';
import type { ChatEvent } from './events.ts';
import type { Meter } from './meter.ts';
import { compactionLines, failedLine, meterWords, retryLine } from './words.ts';

/** Where lines come from and go to. */
export type PlainPlace = {
  readonly input: NodeJS.ReadableStream;
  readonly write: (text: string) => void;
  /** Whether somebody sits there: else nobody is asked, and no prompt is shown. */
  readonly isInteractive: boolean;
};

/** A chat in lines: no colour, no cursor movement, each thing said once. For pipes and screen readers. */
export type PlainChat = {
  readonly tell: (event: ChatEvent) => void;
  /** Reads lines until they end or the chat does. Gives the exit code. */
  readonly run: (chat: Chat, signal: AbortSignal) => Promise<number>;
};

/** Makes one. */
export function plainChat(place: PlainPlace): PlainChat {
  const shown = showing(place);
  return {
    tell: shown.tell,
    run: async (chat, signal) => {
      shown.prompt();
      const lines = createInterface({ input: place.input, crlfDelay: Number.POSITIVE_INFINITY });
      signal.addEventListener('abort', () => lines.close(), { once: true });
      let open = '';
      for await (const line of lines) {
        if (!shown.takes(chat, line)) {
          const text = `${open}${line}`;
          open = text.endsWith('\\') ? `${text.slice(0, -1)}\n` : '';
          if (open === '' && text.trim() !== '') chat.submit(text);
          else shown.prompt();
        }
        if (shown.isOver()) break;
      }
      lines.close();
      await Promise.race([chat.settled(), aborted(signal)]);
      return shown.hasFailed() ? 3 : 0;
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

type Showing = {
  readonly tell: (event: ChatEvent) => void;
  /** Whether a line answered something that was asked. */
  readonly takes: (chat: Chat, line: string) => boolean;
  readonly prompt: () => void;
  readonly isOver: () => boolean;
  readonly hasFailed: () => boolean;
};

function showing({ write, isInteractive }: PlainPlace): Showing {
  let waitsFor: 'approval' | 'choice' | 'goal' | undefined;
  let meter: Meter | undefined;
  let [isOver, hasFailed, isBusy] = [false, false, false];
  const say = (line: string): void => write(`${harmless(line)}\n`);
  const prompt = (): void => {
    if (isInteractive && !isBusy && !isOver) write('> ');
  };
  const question = (event: Extract<ChatEvent, { kind: 'question' }>): void => {
    const { kind } = event.state;
    const before = waitsFor;
    waitsFor = kind === 'choosing' ? 'choice' : kind === 'typing' ? 'goal' : undefined;
    if (waitsFor === before) return;
    if (kind === 'choosing') for (const line of questionLines(viewQuestion(event.state))) say(line);
    if (kind === 'typing') say('What are you working on? An empty line compresses without a goal.');
  };
  const tell = (event: ChatEvent): void => {
    switch (event.kind) {
      case 'activity':
        if (event.activity !== 'resting') isBusy = true;
        return;
      case 'answer-text':
        write(harmless(event.text));
        return;
      case 'answer-end':
        write('\n');
        if (event.ended === 'cut-off') say('(The answer reached the model’s limit of length.)');
        if (event.ended === 'unfinished') say('(The answer ended without an end; it may not be whole.)');
        return;
      case 'approval-start':
        waitsFor = 'approval';
        say(`Run ${event.request.tool}: ${event.request.what}? y: once, a: always in this chat, n: no`);
        return;
      case 'approval-end':
        waitsFor = undefined;
        return;
      case 'question':
        question(event);
        return;
      case 'failed':
        hasFailed = true;
        say(failedLine(event.fault));
        return;
      case 'sent':
        hasFailed = false;
        isBusy = true;
        return;
      case 'meter':
        meter = event.meter;
        return;
      case 'exit':
        isOver = true;
        return;
      case 'settled':
        isBusy = false;
        if (meter !== undefined) say(`[${meterWords(meter).join(', ')}]`);
        prompt();
        return;
      default:
        for (const line of linesOf(event)) say(line);
    }
  };
  const takes = (chat: Chat, line: string): boolean => {
    if (waitsFor === 'approval') chat.approve(APPROVALS.get(line.trim().toLowerCase()) ?? 'deny');
    else if (waitsFor === 'choice') {
      if (!/^\s*[1-9]?\s*$/.test(line)) return false;
      chat.answer(line.trim() === '' ? { kind: 'key', key: 'escape' } : { kind: 'text', text: line.trim() });
    } else if (waitsFor === 'goal') {
      chat.answer({ kind: 'text', text: line });
      chat.answer({ kind: 'key', key: 'enter' });
    } else return false;
    return true;
  };
  return { tell, takes, prompt, isOver: () => isOver, hasFailed: () => hasFailed };
}

const APPROVALS: ReadonlyMap<string, 'once' | 'always'> = new Map([
  ['y', 'once'],
  ['yes', 'once'],
  ['a', 'always'],
  ['always', 'always'],
]);

type Remarks = Exclude<
  ChatEvent,
  { kind: 'activity' | 'answer-text' | 'answer-end' | 'approval-start' | 'approval-end' | 'question' | 'failed' }
>;

/** What is said in whole lines. */
function linesOf(event: Remarks): readonly string[] {
  switch (event.kind) {
    case 'queued':
      return [`(Your message waits its turn; ${event.waiting} waiting.)`];
    case 'tool-start':
      return [`[tool] ${event.what}`];
    case 'tool-end':
      return [`[${event.ok ? 'done' : 'failed'}] ${event.text.split('\n', 1)[0] ?? ''}`];
    case 'compaction-start':
      return ['Summarizing…'];
    case 'compaction-end':
      return compactionLines(event.end);
    case 'retry':
      return [retryLine(event.fault, event.waitMs)];
    case 'said':
      return event.lines;
    case 'answer-start':
    case 'sent':
    case 'meter':
    case 'exit':
    case 'settled':
      return [];
    default:
      return event satisfies never;
  }
}
