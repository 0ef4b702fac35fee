import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Choice, Question } from './choice.ts';
import { answerQuestion, openQuestion, type QuestionEvent, type QuestionState } from './machine.ts';
import { questionLines, viewQuestion } from './render.ts';

const question: Question = {
  goals: ['Implementing user authentication', 'Debugging the login redirect', 'Refactoring session storage'],
  tokens: 52_000,
  window: 1_000_000,
  isSafetyValve: false,
  timeoutSeconds: 30,
};
const valve: Question = { ...question, tokens: 520_000, isSafetyValve: true };

const text = (typed: string): QuestionEvent => ({ kind: 'text', text: typed });
const key = (name: Extract<QuestionEvent, { kind: 'key' }>['key']): QuestionEvent => ({ kind: 'key', key: name });
const tick = (at: number): QuestionEvent => ({ kind: 'tick', at });

function after(asked: Question, events: readonly QuestionEvent[]): QuestionState {
  return events.reduce(answerQuestion, openQuestion(asked, 0));
}
function choiceOf(asked: Question, ...events: readonly QuestionEvent[]): Choice | undefined {
  const state = after(asked, events);
  return state.kind === 'answered' ? state.choice : undefined;
}
const linesOf = (asked: Question, ...events: readonly QuestionEvent[]): readonly string[] =>
  questionLines(viewQuestion(after(asked, events)));

describe('what is shown', () => {
  test('the question as it is published, two seconds on', () => {
    expect(linesOf(question, tick(2000)).join('\n')).toBe(`Context: 52k tokens (5% of 1M). What are you working on?
  1. Implementing user authentication
  2. Debugging the login redirect
  3. Refactoring session storage
  4. Auto-compress
  5. Other…
  6. Don't ask me again
  7. Check in less often
  auto-compress in 28s`);
  });

  test('where compaction is required, nothing turns the question off', () => {
    expect(linesOf(valve)).toEqual([
      '⚠ Context at 52% capacity: compression required',
      '  1. Implementing user authentication',
      '  2. Debugging the login redirect',
      '  3. Refactoring session storage',
      '  4. Auto-compress',
      '  5. Other…',
      '  auto-compress in 30s',
    ]);
  });

  test('with fewer goals the numbers close up', () => {
    const [first = ''] = question.goals;
    expect(linesOf({ ...question, goals: [first] }).slice(1, -1)).toEqual([
      '  1. Implementing user authentication',
      '  2. Auto-compress',
      '  3. Other…',
      "  4. Don't ask me again",
      '  5. Check in less often',
    ]);
  });

  test('a goal cannot write to the terminal', () => {
    const goals = ['\u001b[2Jwipe\u001b]0;title\u0007 the\r\nscreen\u202e'];
    expect(linesOf({ ...question, goals })[1]).toBe('  1. wipe the screen');
  });

  test('what is typed stands under the options, and the countdown is gone', () => {
    expect(linesOf(question, text('5'), text('Ship it')).slice(-2)).toEqual([
      '  > Ship it',
      '  Enter: go on · empty or Esc: auto-compress',
    ]);
  });
});

const goal = (at: number): Choice => ({ kind: 'goal', goal: question.goals[at] ?? '', by: 'listed' });

test.each<[string, Question, readonly QuestionEvent[], Choice | undefined]>([
  ['one key chooses', question, [text('2')], goal(1)],
  ['arrows and Enter choose', question, [key('down'), key('down'), key('enter')], goal(2)],
  ['arrows go round', question, [key('up'), key('enter')], { kind: 'less-often' }],
  ['Enter alone takes the first', question, [key('enter')], goal(0)],
  ['4 is auto', question, [text('4')], { kind: 'auto' }],
  ['6 turns it off', question, [text('6')], { kind: 'disable' }],
  ['7 makes it rarer', question, [text('7')], { kind: 'less-often' }],
  ['Esc is auto', question, [key('escape')], { kind: 'auto' }],
  ['6 is nothing where compaction is required', valve, [text('6')], undefined],
  ['7 is nothing where compaction is required', valve, [text('7')], undefined],
  ['a number closes up with fewer goals', { ...question, goals: [] }, [text('1')], { kind: 'auto' }],
  ['a number that is not there is nothing', question, [text('8'), text('9')], undefined],
  ['a paste is no choice', question, [text('1 and more')], undefined],
  ['double keys are one choice', question, [text('33')], goal(2)],
  ['a second choice is ignored', question, [text('1'), text('6')], goal(0)],
  ['Other takes a text', question, [text('5'), text('Ship '), text('it'), key('enter')], typed('Ship it')],
  ['digits are text in Other', question, [text('5'), text('2'), text('FA login'), key('enter')], typed('2FA login')],
  ['an empty Other is auto', question, [text('5'), key('enter')], { kind: 'auto' }],
  ['blanks are empty', question, [text('5'), text(' \n\t '), key('enter')], { kind: 'auto' }],
  ['Esc in Other is auto', question, [text('5'), text('half'), key('escape')], { kind: 'auto' }],
  ['what was deleted is gone', question, [text('5'), text('ab😀'), key('backspace'), key('enter')], typed('ab')],
  ['a cleared line is empty', question, [text('5'), text('ab'), key('clear'), key('enter')], { kind: 'auto' }],
  ['time runs out', question, [tick(29_999), tick(30_000)], { kind: 'timeout' }],
  ['time does not run out before', question, [tick(29_999)], undefined],
  ['time runs in an Other without text', question, [text('5'), tick(30_000)], { kind: 'timeout' }],
  ['typing stops the countdown', question, [text('5'), text('S'), tick(3_600_000)], undefined],
  ['an answer of the same instant wins if it is first', question, [text('1'), tick(30_000)], goal(0)],
  ['the timeout of the same instant wins if it is first', question, [tick(30_000), text('1')], { kind: 'timeout' }],
  [
    'a clock that goes back stands still',
    question,
    [tick(20_000), tick(-3_600_000), tick(-3_590_000)],
    { kind: 'timeout' },
  ],
])('%s', (_name, asked, events, choice) => {
  expect(choiceOf(asked, ...events)).toEqual(choice);
});

function typed(written: string): Choice {
  return { kind: 'goal', goal: written, by: 'typed' };
}

describe('whatever happens', () => {
  const events: fc.Arbitrary<QuestionEvent> = fc.oneof(
    fc.constantFrom('up', 'down', 'enter', 'escape', 'backspace', 'clear').map((name) => key(name as 'up')),
    fc.oneof(fc.constantFrom('1', '2', '3', '4', '5', '6', '7', '8', '55'), fc.string({ unit: 'binary' })).map(text),
    fc.integer({ min: -50_000, max: 50_000 }).map(tick),
  );
  const questions: fc.Arbitrary<Question> = fc.record({
    goals: fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }),
    tokens: fc.nat(),
    window: fc.integer({ min: 1, max: 2_000_000 }),
    isSafetyValve: fc.boolean(),
    timeoutSeconds: fc.integer({ min: 10, max: 300 }),
  });
  const sequences = fc.array(events, { maxLength: 40 });

  test('there is at most one choice, and it stays', () => {
    fc.assert(
      fc.property(questions, sequences, (asked, list) => {
        const choices = new Set<unknown>();
        let state = openQuestion(asked, 0);
        for (const event of list) {
          state = answerQuestion(state, event);
          if (state.kind === 'answered') choices.add(state.choice);
        }
        expect(choices.size).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('a required compaction is never opted out of', () => {
    fc.assert(
      fc.property(questions, sequences, (asked, list) => {
        const choice = choiceOf({ ...asked, isSafetyValve: true }, ...list);
        expect(['disable', 'less-often']).not.toContain(choice?.kind);
      }),
    );
  });

  test('it ends by itself unless somebody types', () => {
    fc.assert(
      fc.property(questions, sequences, (asked, list) => {
        const state = after(asked, list);
        const end = answerQuestion(state, tick(1_000_000));
        expect(end.kind === 'answered' || (end.kind === 'typing' && end.countdown === undefined)).toBe(true);
      }),
    );
  });

  test('a chosen goal is one line of words that can be shown', () => {
    fc.assert(
      fc.property(questions, sequences, (asked, list) => {
        const choice = choiceOf(asked, ...list);
        if (choice?.kind !== 'goal') return;
        expect(choice.goal).toBe(choice.goal.trim());
        expect(choice.goal).not.toBe('');
        expect(choice.goal.isWellFormed()).toBe(true);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they must not be there.
        expect(choice.goal).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/);
      }),
    );
  });

  test('every state can be shown, with as many numbers as options', () => {
    fc.assert(
      fc.property(questions, sequences, (asked, list) => {
        const view = viewQuestion(after(asked, list));
        expect(view.options.map(({ number }) => number)).toEqual(view.options.map((_, at) => at + 1));
        expect(view.options.filter(({ isSelected }) => isSelected)).toHaveLength(1);
        expect(view.secondsLeft ?? 0).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
