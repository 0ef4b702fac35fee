import type { PackedLedger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Method } from '../model/record.ts';
import type { SizedMessage } from '../summarize/summarize.ts';

/** A text that stands for the head, and how it came about. */
export type Summary = { readonly text: string; readonly method: Method; readonly facts?: PackedLedger };

/** A summary, and what was noticed about it. */
type FoundSummary = Summary & { readonly findings: readonly Finding[] };

/** What the summarizer reads, and what becomes of its text. */
export type Scribe = {
  readonly head: readonly SizedMessage[];
  readonly recent: readonly SizedMessage[];
  /** The summary where there is no model. */
  readonly withoutModel: () => FoundSummary;
  /** Whether that one also serves where a model's text may not be used. */
  readonly servesAlways: boolean;
  /** The language a text should have been written in, and was not. */
  readonly languageMissed: (text: string) => string | undefined;
  readonly finish: (text: string) => FoundSummary;
};
