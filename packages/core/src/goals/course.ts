import type { Cause } from '../model/policy.ts';
import type { Answer } from './choice.ts';
import { type LessOften, lessOften, NO_REDUCTIONS, type Reductions } from './less-often.ts';
import type { CheckInSettings } from './settings.ts';

/** How a goal was come by, as telemetry says it. */
export type SelectionMethod = 'manual' | 'timeout' | 'auto' | 'agent';

/** What an answer leads to. */
export type Course = {
  readonly answer: Answer['kind'];
  /** For the summarizer; `''` where there is none. */
  readonly goal: string;
  readonly split: 'since-last-prompt' | 'percentage';
  readonly method: SelectionMethod;
  /** For the compaction it leads to. */
  readonly cause: Extract<Cause, 'automatic' | 'agent'>;
  /** Settings to be saved, by key; none where nothing changes. */
  readonly changes: Partial<CheckInSettings>;
  /** Set for "check in less often". */
  readonly lessOften?: LessOften;
};

/** What somebody who answers has set before. */
export type Known = { readonly settings: CheckInSettings; readonly reductions?: Reductions };

/** What each answer does. */
export function courseOf(answer: Answer, { settings, reductions = NO_REDUCTIONS }: Known): Course {
  const auto = automatic(answer.kind);
  const { compressionStrategy: split } = settings;
  switch (answer.kind) {
    case 'goal':
      return { ...auto, goal: answer.goal, split, method: 'manual' };
    case 'agent':
      return { ...auto, goal: answer.task, split, method: 'agent', cause: 'agent' };
    case 'auto':
    case 'unasked':
      return auto;
    case 'timeout':
      return { ...auto, method: 'timeout' };
    case 'disable':
      return { ...auto, changes: { compressionInteractive: false } };
    case 'less-often':
      return rarer(auto, lessOften(settings, reductions));
    default:
      return answer satisfies never;
  }
}

const automatic = (answer: Answer['kind']): Course => ({
  answer,
  goal: '',
  split: 'percentage',
  method: 'auto',
  cause: 'automatic',
  changes: {},
});

function rarer(auto: Course, less: LessOften): Course {
  const { tokens, messages } = less;
  const changes = {
    ...(tokens.after === tokens.before ? {} : { compressionTriggerTokens: tokens.after }),
    ...(messages.after === messages.before ? {} : { compressionMinMessagesSinceLastCompress: messages.after }),
  };
  return { ...auto, changes, lessOften: less };
}
