import type { Course } from './course.ts';
import type { Ended } from './ended.ts';
import type { LessOften } from './less-often.ts';
import { amount } from './words.ts';

/** What to tell somebody whose conversation was compacted, or was not. */
export type CompactionResult = {
  readonly status: Ended['status'];
  readonly tokens: { readonly before: number; readonly after: number };
  readonly messages: { readonly compressed: number; readonly preserved: number };
  /** What it served; `''` where there was no goal. */
  readonly goal: string;
  /** What was left out because it does not serve the goal. */
  readonly discardedContextSummary?: string;
  /** What the choice changed for good, in words. */
  readonly confirmation?: string;
  /** What might suit the user better, in words. */
  readonly suggestion?: string;
};

/** A compaction and the choice that led to it, for the user. */
export function resultOf(ended: Ended, course: Course): CompactionResult {
  const { status, tokens, counts, discardedContextSummary } = ended;
  const confirmation = confirmationOf(course);
  const suggestion = suggestionOf(course);
  return {
    status,
    tokens: { before: tokens.before, after: tokens.after },
    messages: { compressed: counts.compressed, preserved: counts.preserved },
    goal: course.goal,
    ...(discardedContextSummary === undefined ? {} : { discardedContextSummary }),
    ...(confirmation === undefined ? {} : { confirmation }),
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

/** A result as lines of text. */
export function resultLines(result: CompactionResult): readonly string[] {
  const { tokens, messages, goal, discardedContextSummary, confirmation, suggestion } = result;
  return [
    STATUSES[result.status],
    ...(goal === '' ? [] : [`Goal: ${goal}`]),
    ...(isDone(result)
      ? [
          `Before: ${amount(tokens.before)} tokens → After: ${amount(tokens.after)} tokens`,
          `${messages.compressed} messages compressed, ${messages.preserved} preserved`,
        ]
      : []),
    ...(discardedContextSummary === undefined ? [] : [`Left out: ${discardedContextSummary}`]),
    ...(confirmation === undefined ? [] : [confirmation]),
    ...(suggestion === undefined ? [] : [suggestion]),
  ];
}

const STATUSES: Readonly<Record<CompactionResult['status'], string>> = {
  compressed: '✓ Chat history compressed',
  truncated: '✓ Chat history shortened, without a summary',
  noop: 'Nothing to compress.',
  'failed-inflated': 'Chat history compression did not reduce size. Continuing with full history.',
  'failed-token-count': 'Could not compress chat history due to a token counting error.',
  'failed-empty-summary': 'The summary was empty or refused. Continuing with full history.',
};

function isDone({ status }: CompactionResult): boolean {
  return status === 'compressed' || status === 'truncated';
}

/** What an opt-out changed, in words; `undefined` for every other choice. */
export function confirmationOf({ answer, lessOften }: Course): string | undefined {
  if (lessOften !== undefined) return rarerSentence(lessOften);
  if (answer !== 'disable') return undefined;
  return 'Interactive compression disabled: from now on I compress without asking. Set compressionInteractive to true to be asked again.';
}

function rarerSentence({ multiplier, tokens, messages }: LessOften): string {
  const isMost = tokens.after === tokens.before && messages.after === messages.before;
  if (isMost) {
    return `Check-ins are already as rare as they can be: ${amount(tokens.after)} tokens, ${messages.after} messages`;
  }
  const grown = `${amount(tokens.before)}→${amount(tokens.after)} tokens, ${messages.before}→${messages.after} messages`;
  return `Check-ins ${Number(multiplier.toFixed(2))}x less frequent: ${grown}`;
}

/** What to suggest after a choice, in words. */
export function suggestionOf({ lessOften }: Course): string | undefined {
  if (!lessOften?.suggestsTurningOff) return undefined;
  const { times } = lessOften.reductions;
  return `You asked for fewer check-ins ${times} times. "Don't ask me again" turns the question off, as does compressionInteractive: false.`;
}
