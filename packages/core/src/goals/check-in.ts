import type { Decision } from '../model/decision.ts';
import type { Answer, Choice, GoalPrompt, Question } from './choice.ts';
import { type Course, courseOf, type Known } from './course.ts';
import { type Extraction, extractGoals, type GoalPorts, type GoalSource } from './extract.ts';
import { oneLine } from './goal.ts';

/** Who there is to ask: a person, an agent at its task, or nobody. */
export type Asked =
  | { readonly kind: 'user' }
  | { readonly kind: 'agent'; readonly task: string }
  | { readonly kind: 'nobody' };

/** A compaction that is due, and what a question about it needs. */
export type CheckInInput = GoalSource &
  Known & {
    readonly decision: Pick<Decision, 'tokens' | 'isSafetyValve'>;
    readonly window: number;
    readonly asked: Asked;
  };

/** Ports of a check-in; without `prompt` nobody is asked. */
export type CheckInPorts = GoalPorts & { readonly prompt?: GoalPrompt };

/** What came of it: the course to take, and what led there. */
export type CheckIn = {
  readonly answer: Answer;
  readonly course: Course;
  /** Whether a person could be asked here at all. */
  readonly isInteractive: boolean;
  /** Whether the question was really put. */
  readonly wasAsked: boolean;
  readonly extraction?: Extraction;
};

/**
 * Finds out what a compaction should serve: looks for goals, asks, and takes a failure to ask for "auto". Throws only when
 * the signal aborts.
 */
export async function checkIn(input: CheckInInput, ports: CheckInPorts = {}, signal?: AbortSignal): Promise<CheckIn> {
  signal?.throwIfAborted();
  const { asked, settings } = input;
  const { prompt } = ports;
  const isInteractive = asked.kind === 'user' && settings.compressionInteractive && prompt !== undefined;
  const concluded = (answer: Answer, more: Partial<CheckIn> = {}): CheckIn => ({
    answer,
    course: courseOf(answer, input),
    isInteractive,
    wasAsked: false,
    ...more,
  });
  if (asked.kind === 'agent') {
    const task = oneLine(asked.task);
    return concluded(task === '' ? { kind: 'unasked' } : { kind: 'agent', task });
  }
  if (!isInteractive) return concluded({ kind: 'unasked' });
  const extraction = await extractGoals(input, ports, signal);
  signal?.throwIfAborted();
  if (extraction.goals.length === 0) return concluded({ kind: 'unasked' }, { extraction });
  const choice = await ask(prompt, questionOf(input, extraction), signal);
  return concluded(choice, { extraction, wasAsked: true });
}

function questionOf({ decision, window, settings }: CheckInInput, { goals }: Extraction): Question {
  const { tokens, isSafetyValve } = decision;
  return { goals, tokens, window, isSafetyValve, timeoutSeconds: settings.compressionPromptTimeout };
}

async function ask(
  prompt: GoalPrompt,
  question: Question,
  signal: AbortSignal = new AbortController().signal,
): Promise<Choice> {
  try {
    return permitted(await prompt(question, signal), question);
  } catch {
    signal.throwIfAborted();
    return { kind: 'auto' };
  }
}

/** Where compaction is required, the question cannot be turned off; a goal without words is none. */
function permitted(choice: Choice, { isSafetyValve }: Question): Choice {
  switch (choice.kind) {
    case 'goal':
      return oneLine(choice.goal) === '' ? { kind: 'auto' } : { ...choice, goal: oneLine(choice.goal) };
    case 'disable':
    case 'less-often':
      return isSafetyValve ? { kind: 'auto' } : choice;
    case 'auto':
    case 'timeout':
      return choice;
    default:
      // A program may answer with anything.
      return { kind: 'auto' } satisfies Choice;
  }
}
