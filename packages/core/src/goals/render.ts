import type { Option, QuestionState } from './machine.ts';
import { amount, percent } from './words.ts';

/** One option as it is shown. */
export type OptionLine = {
  readonly number: number;
  readonly kind: Option['kind'];
  readonly text: string;
  readonly isSelected: boolean;
};

/** A question as values, for whatever shows it. */
export type QuestionView = {
  readonly heading: string;
  readonly isWarning: boolean;
  readonly options: readonly OptionLine[];
  /** What is typed into "Other…"; absent while it is not open. */
  readonly input?: string;
  /** Seconds left; absent where nothing counts down. */
  readonly secondsLeft?: number;
  readonly footer: string;
};

const LABELS: Readonly<Record<Exclude<Option['kind'], 'goal'>, string>> = {
  auto: 'Auto-compress',
  other: 'Other…',
  disable: "Don't ask me again",
  'less-often': 'Check in less often',
};

/** What to show of a question. */
export function viewQuestion(state: QuestionState): QuestionView {
  const { question, options, selected, countdown } = state;
  const secondsLeft = countdown === undefined ? undefined : Math.max(0, Math.ceil(countdown.leftMs / 1000));
  return {
    heading: headingOf(question),
    isWarning: question.isSafetyValve,
    options: options.map((option, index) => ({
      number: index + 1,
      kind: option.kind,
      text: option.kind === 'goal' ? option.text : LABELS[option.kind],
      isSelected: index === selected,
    })),
    ...(state.kind === 'typing' ? { input: state.text } : {}),
    ...(secondsLeft === undefined ? {} : { secondsLeft }),
    footer:
      secondsLeft === undefined ? 'Enter: go on · empty or Esc: auto-compress' : `auto-compress in ${secondsLeft}s`,
  };
}

/** A question as lines of text. */
export function questionLines(view: QuestionView): readonly string[] {
  return [
    view.heading,
    ...view.options.map(({ number, text }) => `  ${number}. ${text}`),
    ...(view.input === undefined ? [] : [`  > ${view.input}`]),
    `  ${view.footer}`,
  ];
}

function headingOf({ tokens, window, isSafetyValve }: QuestionState['question']): string {
  const share = percent(tokens / window);
  if (isSafetyValve) return `⚠ Context at ${share} capacity: compression required`;
  return `Context: ${amount(tokens)} tokens (${share} of ${amount(window)}). What are you working on?`;
}
