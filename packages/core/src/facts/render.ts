import { estimateTokens } from '../count/heuristic.ts';
import type { Counter } from '../model/count.ts';
import type { Entry, FactKind, Ledger } from '../model/facts.ts';
import { once } from '../model/once.ts';
import { isDemand } from './demand.ts';
import { holder, keysOf } from './diff.ts';
import { type Ranked, rankFacts, type Standing } from './rank.ts';

/** How much room there is, and keys of what is told already. */
export type FactsBudget = {
  readonly maxTokens: number;
  readonly count?: Counter;
  readonly told?: ReadonlySet<string>;
} & Standing;

/** A block of facts, and what did not fit into it: the loss report. */
export type FactsBlock = { readonly text: string; readonly left: readonly Ranked[] };

/** Facts by expected use within a token budget, each with the words it stood in; one line may serve several. */
export function renderFacts(ledger: Ledger, budget: FactsBudget): FactsBlock {
  const { maxTokens, count = estimateTokens, told, ...standing } = budget;
  const ranked = rankFacts(ledger, standing);
  // What the user named and the text has not is what a reader misses first.
  const inOrder = [...ranked.filter(isNamedByUser), ...ranked.filter((fact) => !isNamedByUser(fact))];
  const { lines, left } = chosenLines(inOrder, { maxTokens, count, told });
  const block = fitted(
    lines.sort((one, other) => one.first - other.first).map(({ line }) => line),
    maxTokens,
    count,
  );
  const lost = once(() => {
    const holds = holder(block);
    return left.filter(({ key, entry }) => !holds(key, entry));
  });
  return {
    text: block,
    // Thousands of facts looked for in a text: only who asks waits for it.
    get left() {
      return lost();
    },
  };
}

function isNamedByUser({ entry: { counts, among } }: Ranked): boolean {
  return counts.prompt > 0 && among <= MOST_NAMED;
}

// A prompt with more identifiers is a paste.
const MOST_NAMED = 16;

type Chosen = { readonly lines: { readonly line: string; readonly first: number }[]; readonly left: readonly Ranked[] };
type Room = { readonly maxTokens: number; readonly count: Counter; readonly told: ReadonlySet<string> | undefined };

/** The lines that fit, and all facts that stood to choose from. */
function chosenLines(ranked: readonly Ranked[], { maxTokens, count, told }: Room): Chosen {
  const lines: Chosen['lines'] = [];
  const left: Ranked[] = [];
  const shown = new Set<string>();
  const enough = limitsByLook();
  let room = maxTokens - count(HEADING);
  for (const fact of ranked) {
    const { entry, key } = fact;
    // A key that a line shows already needs no line of its own; at the end the whole block is looked at.
    if (shown.has(key) || told?.has(key)) continue;
    left.push(fact);
    if (room <= LEAST) continue;
    const line = lineOf(entry);
    const cost = count(line) + 1;
    if (cost >= room || enough.isMet(entry)) continue;
    room -= cost;
    enough.note(entry);
    for (const present of keysOf(line)) shown.add(present);
    lines.push({ line, first: entry.first });
  }
  return { lines, left };
}

/** How many facts that look alike are enough. */
function limitsByLook(): { readonly isMet: (entry: Entry) => boolean; readonly note: (entry: Entry) => void } {
  const seen = new Map<string, number>();
  const looks = (entry: Entry): readonly (readonly [look: string, most: number])[] => [
    ...(entry.kind === 'command' && entry.status === 'exit 0' ? [['ran well', MOST_COMMANDS] as const] : []),
    ...(entry.kind === 'command' && entry.status === undefined ? [['ran', MOST_COMMANDS] as const] : []),
    ...(entry.kind === 'file' && entry.status === 'read' ? [['read', MOST_READ] as const] : []),
    ...(entry.kind === 'demand' && !isDemand(entry.value) ? [['wished', MOST_WISHES] as const] : []),
    [patternOf(entry), MOST_ALIKE],
  ];
  return {
    isMet: (entry) => looks(entry).some(([look, most]) => look !== '' && (seen.get(look) ?? 0) >= most),
    note: (entry) => {
      for (const [look] of looks(entry)) seen.set(look, (seen.get(look) ?? 0) + 1);
    },
  };
}

// Commands that went well, or came to nothing known, are soon enough, and so are files that were only looked at.
const MOST_COMMANDS = 5;
const MOST_READ = 8;
// What the user demands or forbids always holds; what was asked for once is often done.
const MOST_WISHES = 4;

// Of a listing or a test run's lines a few show what the others are like.
const MOST_ALIKE = 3;

/** The words next to a fact: what the lines of a listing have in common. A fact that stands by itself has none. */
function patternOf({ kind, value, context }: Entry): string {
  const at = LABELS[kind] === undefined ? context.indexOf(value) : -1;
  if (at < 0) return '';
  const before = context.slice(0, at).match(WORDS) ?? [];
  const words =
    before.length > 1 ? before.slice(-3) : (context.slice(at + value.length).match(WORDS) ?? []).slice(2, 5);
  if (words.length >= 3) return words.join(' ');
  // `file_path: …` or `export const … = …;`, told apart by figures alone.
  return (context.slice(0, at) + context.slice(at + value.length)).replace(/\d+/g, '').trim();
}

const WORDS = /(?<![\w./-])\p{L}+(?![\w./-])/gu;

// Room that no line is worth looking for.
const LEAST = 3;

const HEADING = 'Exact facts of the conversation so far:';

// A counter may find more in the whole than in its lines.
function fitted(lines: readonly string[], maxTokens: number, count: Counter): string {
  for (let kept = lines.length; kept > 0; kept -= 1) {
    const text = [HEADING, ...lines.slice(0, kept)].join('\n');
    if (count(text) <= maxTokens) return text;
  }
  return '';
}

function lineOf({ kind, value, context, status }: Entry): string {
  const label = LABELS[kind];
  if (label === undefined) return `- ${squeezed(context.includes(value) ? context : value)}`;
  return `- ${label}: ${squeezed(value)}${status === undefined ? '' : ` (${status})`}`;
}

const LABELS: Partial<Readonly<Record<FactKind, string>>> = {
  demand: 'the user said',
  decision: 'the assistant said',
  todo: 'todo',
  file: 'file',
  command: 'ran',
};

function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
