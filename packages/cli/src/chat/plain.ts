import { createInterface } from 'node:readline';
import { questionLines, viewQuestion } from 'epitome/goals';
import { aborted } from '../aborted.ts';
import { harmless } from '../output/text.ts';
import type { Chat } from './chat.ts';
import type { ChatEvent } from './events.ts';
import type { Meter } from './meter.ts';
import type { Approval } from './tools/toolbox.ts';
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
      if (signal.aborted) chat.end();
      await chat.settled();
      return shown.hasFailed() ? 3 : 0;
    },
  };
}

type Showing = {
  readonly tell: (event: ChatEvent) => void;
  /** Whether a line answered something that was asked. */
  readonly takes: (chat: Chat, line: string) => boolean;
  readonly prompt: () => void;
  readonly isOver: () => boolean;
  readonly hasFailed: () => boolean;
};

type Shown = {
  waitsFor?: 'approval' | 'choice' | 'goal';
  meter?: Meter;
  isOver: boolean;
  hasFailed: boolean;
  isBusy: boolean;
  readonly isInteractive: boolean;
};

function showing({ write, isInteractive }: PlainPlace): Showing {
  const shown: Shown = { isOver: false, hasFailed: false, isBusy: false, isInteractive };
  const say = (line: string): void => write(`${harmless(line)}\n`);
  const prompt = (): void => {
    if (isInteractive && !shown.isBusy && !shown.isOver) write('> ');
  };
  const tell = (event: ChatEvent): void => {
    if (event.kind === 'answer-text') {
      write(harmless(event.text));
      return;
    }
    if (event.kind === 'answer-end') write('\n');
    if (event.kind === 'question') for (const line of asked(shown, event)) say(line);
    note(shown, event);
    for (const line of linesOf(event, shown)) say(line);
    if (event.kind === 'settled') prompt();
  };
  return {
    tell,
    takes: (chat, line) => takes(shown.waitsFor, chat, line),
    prompt,
    isOver: () => shown.isOver,
    hasFailed: () => shown.hasFailed,
  };
}

/** The lines of a question, once for each thing it asks. */
function asked(shown: Shown, { state }: Extract<ChatEvent, { kind: 'question' }>): readonly string[] {
  const before = shown.waitsFor;
  if (state.kind === 'answered') delete shown.waitsFor;
  else shown.waitsFor = state.kind === 'choosing' ? 'choice' : 'goal';
  if (shown.waitsFor === before) return [];
  if (state.kind === 'choosing') return questionLines(viewQuestion(state));
  return state.kind === 'typing' ? ['What are you working on? An empty line compresses without a goal.'] : [];
}

function note(shown: Shown, event: ChatEvent): void {
  if (event.kind === 'sent') Object.assign(shown, { hasFailed: false, isBusy: true });
  if (event.kind === 'activity' && event.activity !== 'resting') shown.isBusy = true;
  if (event.kind === 'settled') shown.isBusy = false;
  if (event.kind === 'failed') shown.hasFailed = true;
  if (event.kind === 'meter') shown.meter = event.meter;
  if (event.kind === 'approval-start') shown.waitsFor = 'approval';
  if (event.kind === 'approval-end') delete shown.waitsFor;
  if (event.kind === 'exit') shown.isOver = true;
}

/** Whether a line answered something that was asked. */
function takes(waitsFor: Shown['waitsFor'], chat: Chat, line: string): boolean {
  if (waitsFor === 'approval') {
    const answer = APPROVALS.get(line.trim().toLowerCase());
    if (answer === undefined) return false;
    chat.approve(answer);
  } else if (waitsFor === 'choice') {
    if (!/^\s*[1-9]?\s*$/.test(line)) return false;
    chat.answer(line.trim() === '' ? { kind: 'key', key: 'escape' } : { kind: 'text', text: line.trim() });
  } else if (waitsFor === 'goal') {
    chat.answer({ kind: 'text', text: line });
    chat.answer({ kind: 'key', key: 'enter' });
  } else return false;
  return true;
}

const APPROVALS: ReadonlyMap<string, Approval> = new Map([
  ['', 'deny'],
  ['n', 'deny'],
  ['no', 'deny'],
  ['y', 'once'],
  ['yes', 'once'],
  ['a', 'always'],
  ['always', 'always'],
]);

/** What is said in whole lines. */
function linesOf(event: ChatEvent, { meter, isInteractive }: Shown): readonly string[] {
  switch (event.kind) {
    case 'answer-end':
      return ENDS[event.ended];
    case 'approval-start':
      return [event.request.title, event.request.what, 'y: once, a: always in this chat, n: no'];
    case 'failed':
      return [failedLine(event.fault)];
    case 'queued':
      // In a pipe everything waits its turn.
      return isInteractive ? [`(Your message waits its turn; ${event.waiting} waiting.)`] : [];
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
    case 'settled':
      return meter === undefined ? [] : [`[${meterWords(meter).join(', ')}]`];
    default:
      return [];
  }
}

const ENDS: Readonly<Record<Extract<ChatEvent, { kind: 'answer-end' }>['ended'], readonly string[]>> = {
  whole: [],
  'cut-off': ['(The answer reached the model’s limit of length.)'],
  unfinished: ['(The answer ended without an end; it may not be whole.)'],
  cancelled: [],
  discarded: [],
};
