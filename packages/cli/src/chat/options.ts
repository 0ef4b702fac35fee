/** Options of `chat`, as the command line gave them. */
export type ChatOptions = {
  readonly model?: string;
  readonly baseUrl?: string;
  readonly window?: string;
  readonly prices?: string;
  readonly summarizer?: string;
  readonly store?: string;
  readonly resume?: string | true;
  readonly continue?: true;
  readonly plain?: true;
  readonly tools: boolean;
  readonly mcp?: string;
  readonly telemetryFile?: string;
  /** A file whose `compact:` blocks count instead of those of the settings, and whose block of them. */
  readonly config?: string;
  readonly agent?: string;
  readonly demo?: true;
};
