/** What a user made of the question. */
export type Choice =
  | { readonly kind: 'goal'; readonly goal: string; readonly by: 'listed' | 'typed' }
  | { readonly kind: 'auto' }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'disable' }
  | { readonly kind: 'less-often' };

/** Why a compaction is as it is: a choice, an agent's task, or that nobody was asked. */
export type Answer = Choice | { readonly kind: 'agent'; readonly task: string } | { readonly kind: 'unasked' };

/** What is asked. */
export type Question = {
  /** Up to three. */
  readonly goals: readonly string[];
  /** Tokens of the request, and the model's window. */
  readonly tokens: number;
  readonly window: number;
  /** Compaction is required: the question cannot be turned off here. */
  readonly isSafetyValve: boolean;
  readonly timeoutSeconds: number;
};

/** The port to whoever answers: a terminal, a page, a program. It resolves to a choice, and gives up when the signal aborts. */
export type GoalPrompt = (question: Question, signal: AbortSignal) => Promise<Choice>;
