import { estimateTokens } from '../count/heuristic.ts';
import type { Counter } from '../model/count.ts';
import type { Entry, FactKind, Ledger } from '../model/facts.ts';
import { keysOf } from './diff.ts';
import { type Ranked, rankFacts, type Standing } from './rank.ts';

/** How much room there is. */
export type FactsBudget = { readonly maxTokens: number; readonly count?: Counter } & Standing;

/** A block of facts, and what did not fit into it: the loss report. */
export type FactsBlock = { readonly text: string; readonly left: readonly Ranked[] };

/** Facts by expected use within a token budget, each with the words it stood in; one line may serve several. */
export function renderFacts(
  ledger: Ledger,
  { maxTokens, count = estimateTokens, ...standing }: FactsBudget,
): FactsBlock {
  const lines: { line: string; first: number }[] = [];
  const left: Ranked[] = [];
  let text = '';
  let room = maxTokens - count(HEADING);
  for (const ranked of rankFacts(ledger, standing)) {
    const { entry } = ranked;
    if (room > LEAST && text.includes(entry.value)) continue;
    const line = room > LEAST ? lineOf(entry) : '';
    const cost = room > LEAST ? count(line) + 1 : room;
    if (cost < room) {
      room -= cost;
      text += `${line}\n`;
      lines.push({ line, first: entry.first });
    } else left.push(ranked);
  }
  lines.sort((one, other) => one.first - other.first);
  const block = fitted(
    lines.map(({ line }) => line),
    maxTokens,
    count,
  );
  const present = keysOf(block);
  return { text: block, left: left.filter(({ key }) => !present.has(key)) };
}

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
