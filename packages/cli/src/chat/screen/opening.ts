import { PROPOSED } from '../demo/script.ts';
import { greeting } from '../greeting.ts';
import { readNative, textOf } from '../native.ts';
import type { OpenChat } from '../open.ts';
import type { Screen } from './frame.ts';
import { answerLines, promptLines } from './view.ts';
import { wrapText } from './wrap.ts';

/** What a chat begins with. */
export type Opening = {
  readonly lines: readonly string[];
  /** What was sent before. */
  readonly history: readonly string[];
  /** A message that is written already. */
  readonly proposed?: string;
};

type Shown = { readonly screen: Screen; readonly isDemo: boolean };

/** What stands on the screen when a chat begins: where one is, and the end of what was said before. */
export async function openingLines(open: OpenChat, { screen, isDemo }: Shown): Promise<Opening> {
  const { conversation } = open.ground;
  const { width, style } = screen;
  const spoken = (await conversation.view()).flatMap(spokenIn);
  const about = isDemo
    ? ['Epitome, a demo: the model is scripted, nothing is kept, no key is needed.', ...DEMO]
    : [greeting(open)];
  const lines = [
    ...about.flatMap((line) => wrapText(line, { width, style, looks: ['dim'] })),
    ...open.notes.flatMap((line) => wrapText(line, { width, style, looks: ['warning'] })),
    ...spoken.slice(-LAST).flatMap((message) => ending(message, screen)),
    ...(spoken.at(-1)?.role === 'user' ? wrapText(UNANSWERED, { width, style, looks: ['warning'] }) : []),
  ];
  const history = spoken.flatMap(({ role, text }) => (role === 'user' && text.length < 2000 ? [text] : []));
  return { lines, history, ...(isDemo ? { proposed: PROPOSED } : {}) };
}

const DEMO = ['A long working day is loaded. Press Enter to send the message below; then say what you are working on.'];

const UNANSWERED = 'There is no answer to this yet; /retry asks for it.';

// The last exchange: enough to know where one was.
const LAST = 2;

const MOST_LINES = 12;

/** A message as it was shown, a long answer by its last lines. */
function ending({ role, text }: Spoken, screen: Screen): readonly string[] {
  if (role === 'user') return promptLines(text, screen);
  const lines = answerLines(text, screen);
  return lines.length <= MOST_LINES ? lines : ['', screen.style('…', 'dim'), ...lines.slice(-MOST_LINES)];
}

type Spoken = { readonly role: 'user' | 'assistant'; readonly text: string };

/** The words of a message, without calls and results. */
function spokenIn(message: unknown): readonly Spoken[] {
  const { role, parts } = readNative(message);
  if (role !== 'user' && role !== 'assistant') return [];
  const text = parts.map(textOf).join('');
  return text.trim() === '' ? [] : [{ role, text }];
}
