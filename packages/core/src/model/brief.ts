/** What a prompt is made from. Texts are raw: `escapeTag` keeps one from closing the tag it is put in. */
export type PromptContext = {
  /** The conversation to summarize, rendered as delimited data. */
  readonly conversation: string;
  /** Messages after the cutoff, rendered alike: context only, not to be summarized. */
  readonly recent: string;
  /** The summary so far, which the new one takes the place of. */
  readonly prior: string;
  /** What the user works on. */
  readonly goal: string;
  /** One-off instructions of this compaction. */
  readonly focus: string;
  readonly maxTokens: number;
};

/** Builds the summarizer's prompt. */
export type Prompt = (context: PromptContext) => string;

/** What a summarizer is asked. It carries no tools and nothing but text. */
export type Brief = {
  /** Instructions, for the system role. */
  readonly system: string;
  /** The request with the conversation as data, for the user role. */
  readonly prompt: string;
  readonly maxTokens: number;
  /** `chunk` and `merge` are the two steps of an input larger than the summarizer's window; `goals` asks what the user is at. */
  readonly purpose: 'summary' | 'chunk' | 'merge' | 'goals';
  readonly model?: string;
};

/** What a summarizer's call cost, where it says so. */
export type DraftUsage = {
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
};

/** What a summarizer answers. `finish` is the provider's own word for why it stopped. */
export type Draft = {
  readonly text: string;
  readonly usage?: DraftUsage | undefined;
  readonly finish?: string | undefined;
};

/** The port to a model: brief in, draft out; must give up when the signal aborts. */
export type Summarizer = (brief: Brief, signal: AbortSignal) => Promise<Draft>;
