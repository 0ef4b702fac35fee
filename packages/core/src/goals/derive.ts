import { extractFacts } from '../facts/extract.ts';
import { openLedger } from '../facts/ledger.ts';
import { firstCodePoints } from '../model/text.ts';
import { isPrompt, type ViewEntry } from '../model/view.ts';
import { redactSecrets } from '../secrets/redact.ts';
import { GOAL_LENGTH, offered, oneLine } from './goal.ts';

/** Goals without a model: the newest prompts and the open todos by turns, as far as they can be offered. */
export function deriveGoals(recent: readonly ViewEntry[], todos: readonly string[] = []): readonly string[] {
  const asked = recent.filter(isPrompt).map(promptText).reverse();
  const open = [...todos, ...openTodos(recent)];
  return offered(byTurns(asked, open).map(asGoal));
}

function promptText({ message }: ViewEntry): string {
  const [text = ''] = message.parts.flatMap((part) =>
    part.kind === 'text' && part.text.trim() !== '' ? part.text : [],
  );
  return firstLine(text.slice(0, LONGEST));
}

// What stands at the start of a prompt says what it wants; a paste may be megabytes.
const LONGEST = 4000;

/** The first line with words outside code. */
function firstLine(text: string): string {
  const lines = text.replace(/```[^`]*(?:```|$)/g, '\n').split('\n');
  return lines.map(oneLine).find((line) => [...line].length >= GOAL_LENGTH.min && /\p{L}/u.test(line)) ?? '';
}

/** Todos of lists in the conversation that are not done: those in progress first, then the newest. */
function openTodos(recent: readonly ViewEntry[]): readonly string[] {
  const ledger = openLedger();
  recent.forEach(({ message }, index) => {
    ledger.add(extractFacts(message, index));
  });
  const isOpen = (status: string | undefined): boolean => status !== 'done' && status !== 'cancelled';
  const rank = (status: string | undefined): number => (status === 'in progress' ? 0 : 1);
  return Object.values(ledger.read().entries)
    .filter(({ kind, status }) => kind === 'todo' && isOpen(status))
    .sort((one, other) => rank(one.status) - rank(other.status) || other.last - one.last)
    .map(({ value }) => value);
}

function byTurns(some: readonly string[], others: readonly string[]): readonly string[] {
  const longest = Math.max(some.length, others.length);
  return Array.from({ length: longest }, (_, at) => [some[at] ?? '', others[at] ?? '']).flat();
}

/** A text as a goal: its first sentence where that is enough, cut between words where it is too long. */
function asGoal(text: string): string {
  const line = oneLine(redactSecrets(text).text);
  const sentence = SENTENCE.exec(line)?.[0].trim() ?? line;
  const goal = [...sentence].length >= GOAL_LENGTH.min ? sentence : line;
  const plain = goal.replace(/[.,;:!]+$/, '');
  if ([...plain].length <= GOAL_LENGTH.max) return plain;
  const start = firstCodePoints(plain, GOAL_LENGTH.max - 1);
  const space = start.lastIndexOf(' ');
  return `${space > GOAL_LENGTH.max / 2 ? start.slice(0, space) : start}…`;
}

const SENTENCE = /^.{0,400}?[.!?。！？](?=\s|$|[^\x20-\x7e])/u;
