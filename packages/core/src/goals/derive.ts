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
  return tellingSentence(text.slice(0, LONGEST));
}

// What stands at the start of a prompt says what it wants; a paste may be megabytes.
const LONGEST = 4000;
const MOST_SENTENCES = 8;

/** The sentence outside code that says most of what is wanted: a request before a remark, and a remark before a nod. */
function tellingSentence(text: string): string {
  const sentences = text
    .replace(/```[^`]*(?:```|$)/g, '\n')
    .split('\n')
    .flatMap((line) => oneLine(line).split(SENTENCE_END))
    .filter((sentence) => [...sentence].length >= GOAL_LENGTH.min && /\p{L}/u.test(sentence))
    .slice(0, MOST_SENTENCES);
  const worth = (sentence: string): number => (NOD.test(sentence) ? 0 : REQUEST.test(sentence) ? 2 : 1);
  return sentences.reduce((best, sentence) => (best === '' || worth(sentence) > worth(best) ? sentence : best), '');
}

const SENTENCE_END = /(?<=[.!?]) +|(?<=[。！？])/u;
const NOD =
  /^\W*(?:ok(?:ay)?|yes|yep|no|great|perfect|good|nice|thanks|thank you|sure|fine|cool|right|exactly|hi|hello)\b|\b(?:is fine|looks good|do that|go ahead|go on|keep it)\b/i;
const REQUEST =
  /^\W*(?:please|can you|could you|let'?s|add|build|change|check|clean|compare|create|debug|deploy|design|document|explain|extend|extract|find|fix|give|help|implement|improve|install|investigate|look|make|migrate|move|optimi[sz]e|plan|port|put|refactor|remove|rename|replace|review|rewrite|run|set up|show|split|summari[sz]e|support|test|translate|update|upgrade|use|verify|write)\b|\b(?:i (?:want|need)|we (?:want|need|should)|should)\b/i;

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

/** A text as a goal: on one line, without secrets, cut between words where it is too long. */
function asGoal(text: string): string {
  const plain = oneLine(redactSecrets(text).text).replace(/[.,;:!]+$/, '');
  if ([...plain].length <= GOAL_LENGTH.max) return plain;
  const start = firstCodePoints(plain, GOAL_LENGTH.max - 1);
  const space = start.lastIndexOf(' ');
  return `${space > GOAL_LENGTH.max / 2 ? start.slice(0, space) : start}…`;
}
