/** What a tool gave back. */
export type ScriptResult = {
  readonly text: string;
  readonly isError: boolean;
  /** Length of an image's base64 payload, where the result shows one and the dialect has a place for it. */
  readonly image?: number;
};

/** A tool call; without a result it is pending at the end of a script and an orphan anywhere else. */
export type ScriptCall = {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number>>;
  /** What a person said who was asked first; left out by dialects that do not ask. */
  readonly approval?: 'granted' | 'denied';
  readonly result?: ScriptResult;
};

/** A user message; `images` are lengths of base64 payloads. */
export type PromptStep = { readonly kind: 'prompt'; readonly text: string; readonly images: readonly number[] };

/** A system message inside the list; left out by dialects that have none. */
export type SystemStep = { readonly kind: 'system'; readonly text: string };

/** A finished answer of the assistant. */
export type AnswerStep = { readonly kind: 'answer'; readonly text: string; readonly reasoning?: string };

/** Parallel calls with their results. `aside` is what the user says in the same message as the results. */
export type CallsStep = {
  readonly kind: 'calls';
  readonly text: string;
  readonly reasoning?: string;
  readonly calls: readonly ScriptCall[];
  readonly results: 'in-order' | 'reversed';
  readonly aside?: string;
};

/** A tool the provider ran itself, inside the assistant's own turn. */
export type ServerToolStep = {
  readonly kind: 'server-tool';
  readonly text: string;
  readonly query: string;
  readonly found: string;
};

/** The provider's own compaction item; left out by dialects that have none. */
export type CompactionStep = { readonly kind: 'compaction'; readonly text: string };

/** A result whose call is not there. */
export type OrphanStep = { readonly kind: 'orphan-result'; readonly text: string };

/** One thing that happens in a conversation. */
export type Step = PromptStep | SystemStep | AnswerStep | CallsStep | ServerToolStep | CompactionStep | OrphanStep;

/** A conversation that no dialect has touched yet. */
export type Script = {
  readonly steps: readonly Step[];
  /** `signed`: thinking carries signatures, bound to what stands before it where the dialect can say so. */
  readonly thinking: 'plain' | 'signed';
  readonly system?: string;
  /** Names of the tools that go out with each request. */
  readonly tools: readonly string[];
};

/** True for a script that every provider accepts: no orphan, and no call without a result. */
export function isSound({ steps }: Script): boolean {
  return steps.every(
    (step) =>
      step.kind !== 'orphan-result' &&
      (step.kind !== 'calls' || step.calls.every(({ result }) => result !== undefined)),
  );
}
