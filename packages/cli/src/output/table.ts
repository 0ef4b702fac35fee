import { isPrompt, type Plan, type Preview, type ViewEntry } from 'epitome';
import { fitColumns, plain, widthOf } from './text.ts';

/** A view with the entries that would be compacted. */
export type Planned = {
  readonly state: NonNullable<Preview['state']>;
  /** Original messages that would be replaced. */
  readonly head: ReadonlySet<number>;
  readonly plan?: Plan;
  /** What somebody decided about entries of the view, by their index. */
  readonly marks?: ReadonlyMap<number, 'pinned' | 'excluded'>;
};

/** A table of what stays and what goes, a row for each turn, no wider than the terminal. */
export function planTable(planned: Planned, columns: number): readonly string[] {
  const byTurn = rowsOf(planned, 'turn');
  const rows = byTurn.length > MOST_ROWS ? rowsOf(planned, 'fate') : byTurn;
  const cells = [HEADINGS, ...rows.map(cellsOf)];
  const indexes = HEADINGS.map((_, index) => index).filter((index) => index !== WHO || columns >= NARROW);
  const widths = HEADINGS.map((_, index) => cells.reduce((most, row) => Math.max(most, widthOf(row[index] ?? '')), 0));
  return cells.map((row) => {
    const fixed = indexes
      .slice(0, -1)
      .map((index) => align(row[index] ?? '', widths[index] ?? 0, index === TOKENS ? 'right' : 'left'));
    const before = `${fixed.join('  ')}  `;
    return `${before}${fitColumns(row.at(-1) ?? '', columns - widthOf(before))}`.trimEnd();
  });
}

// A screen or two; beyond it turns that fare alike share a row.
const MOST_ROWS = 50;
const NARROW = 64;
const HEADINGS = ['messages', 'who', 'what', 'tokens', 'begins'];
const WHO = 1;
const TOKENS = 3;

type What = 'pinned' | 'excluded' | 'summarize' | 'mask' | 'drop' | 'keep' | 'protected';
type Row = {
  readonly first: number;
  readonly last: number;
  readonly roles: readonly string[];
  readonly what: What;
  readonly tokens: number;
  readonly begins: string;
};

/** A row for each turn, or one for turns in a row that fare alike. */
function rowsOf(planned: Planned, by: 'turn' | 'fate'): readonly Row[] {
  const { state } = planned;
  const fates = fatesOf(planned);
  const rows: Row[] = [];
  state.view.entries.forEach((entry, index) => {
    const what = fates[index] ?? 'keep';
    const open = rows.at(-1);
    const tokens = state.sizes.messages[index] ?? 0;
    const { role } = entry.message;
    if (open === undefined || open.what !== what || (by === 'turn' && isPrompt(entry))) {
      rows.push({ first: index, last: index, roles: [role], what, tokens, begins: firstWords(entry) });
      return;
    }
    const roles = open.roles.includes(role) ? open.roles : [...open.roles, role];
    rows[rows.length - 1] = { ...open, last: index, roles, tokens: open.tokens + tokens };
  });
  return rows;
}

/** Protected: what no plan may take. A system message, the live prompt, a pending call. */
function fatesOf({ state, head, plan, marks }: Planned): readonly What[] {
  // An earlier summary has no original of its own: the plan alone knows that it goes.
  const summarized = new Set(plan?.head);
  const masked = new Set(plan?.masks.map(({ entry }) => entry));
  const dropped = new Set(plan?.dropsOrphans.map(({ entry }) => entry));
  const { atoms, view } = state;
  return view.entries.map(({ message, source }, index) => {
    const mark = marks?.get(index);
    if (mark !== undefined) return mark;
    if (summarized.has(index) || head.has(source ?? -1)) return 'summarize';
    if (masked.has(index)) return 'mask';
    if (dropped.has(index)) return 'drop';
    const isFixed = message.role === 'system' || message.role === 'other';
    const isPending = atoms.list[atoms.atomOf[index] ?? -1]?.pending === true;
    const isLive = atoms.livePrompt === index || atoms.aside === index;
    return plan !== undefined && (isFixed || isPending || isLive) ? 'protected' : 'keep';
  });
}

function firstWords({ message, summary }: ViewEntry): string {
  if (summary !== undefined) return plain(`(summary) ${summary.slice(0, LONGEST)}`);
  for (const part of message.parts) {
    if (part.kind === 'text' && part.text.trim() !== '') return plain(part.text.slice(0, LONGEST));
    if (part.kind === 'tool-call') return plain(`${part.name} ${part.input.slice(0, LONGEST)}`);
    if (part.kind === 'tool-result') return plain(part.text.slice(0, LONGEST));
  }
  return message.parts[0] === undefined ? '' : `(${message.parts[0].kind})`;
}

const LONGEST = 400;

function cellsOf({ first, last, roles, what, tokens, begins }: Row): readonly string[] {
  return [first === last ? `${first}` : `${first}–${last}`, roles.join(' '), what, `${Math.ceil(tokens)}`, begins];
}

function align(text: string, width: number, side: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(width - widthOf(text), 0));
  return side === 'right' ? space + text : text + space;
}
