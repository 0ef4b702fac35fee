import type { Choice, Question } from './choice.ts';
import { MOST_GOALS, oneLine } from './goal.ts';

/** One line to choose. */
export type Option =
  | { readonly kind: 'goal'; readonly text: string }
  | { readonly kind: 'auto' | 'other' | 'disable' | 'less-often' };

/** Keys that mean something whatever is typed. */
export type Key = 'up' | 'down' | 'enter' | 'escape' | 'backspace' | 'clear';

/** What happens to a question. `at`: milliseconds of any clock; one that goes back is taken to stand still. */
export type QuestionEvent =
  | { readonly kind: 'key'; readonly key: Key }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tick'; readonly at: number };

type Asking = {
  readonly question: Question;
  readonly options: readonly Option[];
  /** Index of the option that Enter takes. */
  readonly selected: number;
  /** Milliseconds left, and when that was; `undefined` where the countdown was stopped. */
  readonly countdown: { readonly leftMs: number; readonly at: number } | undefined;
};

/** A question on its way to its one choice. */
export type QuestionState =
  | (Asking & { readonly kind: 'choosing' })
  | (Asking & { readonly kind: 'typing'; readonly text: string })
  | (Asking & { readonly kind: 'answered'; readonly choice: Choice });

/** Opens a question at a time of the clock its ticks will tell. */
export function openQuestion(question: Question, at: number): QuestionState {
  const options = optionsOf(question);
  return {
    kind: 'choosing',
    question,
    options,
    selected: 0,
    countdown: { leftMs: question.timeoutSeconds * 1000, at },
  };
}

/** The options in the order of their numbers; with fewer goals the numbers close up. */
function optionsOf({ goals, isSafetyValve }: Question): readonly Option[] {
  const listed = goals.map(oneLine).filter(Boolean).slice(0, MOST_GOALS);
  return [
    ...listed.map((text): Option => ({ kind: 'goal', text })),
    { kind: 'auto' },
    { kind: 'other' },
    ...(isSafetyValve ? [] : ([{ kind: 'disable' }, { kind: 'less-often' }] as const)),
  ];
}

/** What a question becomes by an event. Once it is answered, nothing changes it. */
export function answerQuestion(state: QuestionState, event: QuestionEvent): QuestionState {
  if (state.kind === 'answered') return state;
  if (event.kind === 'tick') return ticked(state, event.at);
  return state.kind === 'typing' ? typed(state, event) : pressed(state, event);
}

type Open = Exclude<QuestionState, { kind: 'answered' }>;
type Input = Exclude<QuestionEvent, { kind: 'tick' }>;

const answered = (state: Open, choice: Choice): QuestionState => ({
  kind: 'answered',
  question: state.question,
  options: state.options,
  selected: state.selected,
  countdown: state.countdown,
  choice,
});

// Whichever event comes first wins: an answer of the very instant at which time is up, or the tick.
function ticked(state: Open, at: number): QuestionState {
  const { countdown } = state;
  if (countdown === undefined || !Number.isFinite(at)) return state;
  const leftMs = countdown.leftMs - Math.max(0, at - countdown.at);
  return leftMs <= 0 ? answered(state, { kind: 'timeout' }) : { ...state, countdown: { leftMs, at } };
}

function pressed(state: Extract<QuestionState, { kind: 'choosing' }>, event: Input): QuestionState {
  const { options, selected } = state;
  if (event.kind === 'text') {
    // Keys that come fast come together: the first decides. A paste is no choice.
    const isDigits = /^[1-9]+$/.test(event.text);
    return isDigits ? taken(state, Number(event.text.charAt(0)) - 1) : state;
  }
  switch (event.key) {
    case 'up':
    case 'down': {
      const step = event.key === 'up' ? options.length - 1 : 1;
      return { ...state, selected: (selected + step) % options.length };
    }
    case 'enter':
      return taken(state, selected);
    case 'escape':
      return answered(state, { kind: 'auto' });
    case 'backspace':
    case 'clear':
      return state;
    default:
      return event.key satisfies never;
  }
}

function taken(state: Open, index: number): QuestionState {
  const option = state.options[index];
  if (option === undefined) return state;
  const at = { ...state, selected: index };
  switch (option.kind) {
    case 'goal':
      return answered(at, { kind: 'goal', goal: option.text, by: 'listed' });
    case 'other':
      return { ...at, kind: 'typing', text: '' };
    case 'auto':
    case 'disable':
    case 'less-often':
      return answered(at, { kind: option.kind });
    default:
      return option satisfies never;
  }
}

// Nobody describes a goal with more; a paste by mistake may be megabytes.
const LONGEST = 500;

function typed(state: Extract<QuestionState, { kind: 'typing' }>, event: Input): QuestionState {
  if (event.kind === 'text') {
    const text = `${state.text}${cleaned(event.text.slice(0, LONGEST * 8))}`;
    const kept = [...text].slice(0, LONGEST).join('');
    // Somebody is writing: time is no longer up for them.
    return event.text === '' ? state : { ...state, text: kept, countdown: undefined };
  }
  switch (event.key) {
    case 'enter': {
      const goal = oneLine(state.text);
      return answered(state, goal === '' ? { kind: 'auto' } : { kind: 'goal', goal, by: 'typed' });
    }
    case 'escape':
      return answered(state, { kind: 'auto' });
    case 'backspace':
      return { ...state, text: [...state.text].slice(0, -1).join('') };
    case 'clear':
      return { ...state, text: '' };
    case 'up':
    case 'down':
      return state;
    default:
      return event.key satisfies never;
  }
}

/** What is typed on one line, with the spaces between words that are still being written. */
function cleaned(text: string): string {
  const line = oneLine(`|${text}|`);
  return line.slice(1, -1);
}
