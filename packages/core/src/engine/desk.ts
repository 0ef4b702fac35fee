import type { Ledger, PackedLedger } from '../model/facts.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { Scribe } from './scribe.ts';
import type { State } from './state.ts';

/** Which entries a summary is to stand for, and how long it may be. */
export type Assignment = {
  readonly head: readonly number[];
  /** Kept entries shown for context. */
  readonly recent: readonly number[];
  /** A summary of everything before, to be integrated, and its facts where they are known. */
  readonly prior: string;
  readonly facts: PackedLedger | Ledger | undefined;
  readonly maxTokens: number;
  /** Tokens of what the summary replaces. */
  readonly headTokens: number;
  readonly writer: 'model' | 'mechanical';
  /** Where one text came out too long, it is written from two parts. */
  readonly inHalves?: true;
  /** The live prompt, where it stays as it is: what the work is for. */
  readonly livePrompt?: string;
};

/** What a summary is written with. */
export type Desk = {
  readonly request: Request;
  readonly state: State;
  readonly world: World;
  /** Model calls that may still be made. */
  readonly callsLeft: number;
};

/** One summary to be written, and who writes it. */
export type Job = { readonly desk: Desk; readonly assignment: Assignment; readonly scribe: Scribe };
