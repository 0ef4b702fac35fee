import { answerQuestion, type Choice, type GoalPrompt, openQuestion, type QuestionEvent } from 'epitome/goals';
import type { Running } from './state.ts';

const SECOND = 1000;

/** Puts the question to whoever hears the chat's events, and counts down. */
export function askGoal({ world, state }: Running): GoalPrompt {
  return (asked, signal) =>
    new Promise<Choice>((resolve, reject) => {
      const { clock, tell } = world;
      let callOff = (): void => {};
      const end = (): void => {
        callOff();
        delete state.question;
        signal.removeEventListener('abort', stop);
      };
      const stop = (): void => {
        const last = state.question?.state;
        end();
        // Whoever shows it must know that it is gone.
        if (last !== undefined)
          tell({ kind: 'question', state: { ...last, kind: 'answered', choice: { kind: 'auto' } } });
        reject(signal.reason);
      };
      const open = { state: openQuestion(asked, clock.now()), take };
      function take(event: QuestionEvent): void {
        if (state.question !== open) return;
        open.state = answerQuestion(open.state, event);
        tell({ kind: 'question', state: open.state });
        if (open.state.kind !== 'answered') return;
        end();
        resolve(open.state.choice);
      }
      const tick = (): void => {
        callOff = clock.after(SECOND, () => {
          take({ kind: 'tick', at: clock.now() });
          if (state.question === open) tick();
        });
      };
      state.question = open;
      signal.addEventListener('abort', stop, { once: true });
      tell({ kind: 'question', state: open.state });
      tick();
    });
}
