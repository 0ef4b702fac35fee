import type { ScriptCall, Step } from '../script.ts';

/** What the kit knows of a native message without decoding it. */
export type Note = {
  /** Index of the newest step it belongs to. */
  readonly step: number;
  readonly isPrompt: boolean;
  /** What a user says in the message that carries results. */
  readonly isAside: boolean;
  /** Ends a turn if nothing but system messages follows. */
  readonly isAnswer: boolean;
  readonly isSystem: boolean;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** Calls that were approved, or denied, and have no result by that alone. */
  readonly approvals: readonly string[];
};

/** A native message and what is known of it. */
export type Piece = { readonly native: unknown; readonly note: Note };

/** A step with its place in the script. */
export type Placed<S extends Step = Step> = {
  readonly step: S;
  readonly at: number;
  readonly thinking: 'plain' | 'signed';
};

/** A call with the id the kit gave it. */
export type NamedCall = ScriptCall & { readonly id: string };

/** One dialect's way to write each step. */
export type Dialect = {
  readonly render: (placed: Placed) => readonly Piece[];
  /** Puts neighbouring pieces together where the dialect wants that. */
  readonly join?: (pieces: readonly Piece[]) => readonly Piece[];
  readonly system: (text: string) => unknown;
  readonly tools: (names: readonly string[]) => unknown;
};

/** A piece with a note that says what differs from nothing special. */
export function piece(at: number, native: unknown, note: Partial<Omit<Note, 'step'>> = {}): Piece {
  const plain = {
    isPrompt: false,
    isAside: false,
    isAnswer: false,
    isSystem: false,
    calls: [],
    results: [],
    approvals: [],
  };
  return { native, note: { step: at, ...plain, ...note } };
}

/** The calls of a step with their ids. */
export function namedCalls({ step, at }: Placed<Extract<Step, { kind: 'calls' }>>): readonly NamedCall[] {
  return step.calls.map((call, index) => ({ ...call, id: `call_${at}_${index}` }));
}

/** A call that has its result. */
export type AnsweredCall = NamedCall & Required<Pick<ScriptCall, 'result'>>;

/** The answered calls of a step, in the order their results come. */
export function answeredCalls(placed: Placed<Extract<Step, { kind: 'calls' }>>): readonly AnsweredCall[] {
  const answered = namedCalls(placed).flatMap(({ result, ...call }) =>
    result === undefined ? [] : { ...call, result },
  );
  return placed.step.results === 'reversed' ? answered.reverse() : answered;
}

/** Ids of calls. */
export function idsOf(calls: readonly { readonly id: string }[]): readonly string[] {
  return calls.map(({ id }) => id);
}

/** A schema such as any tool has. */
export const TOOL_SCHEMA = { type: 'object', properties: { path: { type: 'string' }, limit: { type: 'number' } } };

/** What an orphan result calls itself. */
export const ORPHAN = 'call_of_nobody';
