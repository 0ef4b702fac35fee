import type { FactKind, FactOrigin } from '../model/facts.ts';

/** One exact thing taken from one message. */
export type Fact = {
  readonly kind: FactKind;
  readonly value: string;
  /** Index of the message it came from. */
  readonly source: number;
  readonly origin: FactOrigin;
  /** The words around it, as they stand in the message. */
  readonly context: string;
  /** Times it occurs there. */
  readonly count: number;
  /** Identifiers that stand beside it in the same text: one of a thousand in a listing matters less than one of three. */
  readonly among: number;
  /** State of a todo, exit code of a command, what was done to a file. */
  readonly status?: string;
  /** Id of the tool call that the fact is about. */
  readonly call?: string;
};

/** Under what two spellings are one fact: a path goes by its last two segments, a number without its unit. */
export function factKey({ kind, value }: Pick<Fact, 'kind' | 'value'>): string {
  if (kind === 'number') return NUMERIC.exec(value)?.[0] ?? value;
  if (kind !== 'path' && kind !== 'file') return value;
  const end = /[/\\]$/.test(value) ? value.length - 1 : value.length;
  const last = slashBefore(value, end);
  const key = value.slice(last < 0 ? 0 : slashBefore(value, last) + 1, end);
  return key.startsWith('./') ? key.slice(2) : key.startsWith('../') ? key.slice(3) : key.replace('\\', '/');
}

const NUMERIC = /\d[\d.,]*(?<=\d)/;

function slashBefore(value: string, end: number): number {
  return end <= 0 ? -1 : Math.max(value.lastIndexOf('/', end - 1), value.lastIndexOf('\\', end - 1));
}
