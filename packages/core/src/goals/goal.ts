/** Goals a question offers at most. */
export const MOST_GOALS = 3;

/** Characters a goal has. */
export const GOAL_LENGTH: { readonly min: number; readonly max: number } = { min: 10, max: 100 };

/** Whether a text can be offered as a goal. */
export function isGoal(text: string): boolean {
  const length = [...text].length;
  return length >= GOAL_LENGTH.min && length <= GOAL_LENGTH.max && /\p{L}/u.test(text) && !text.includes('```');
}

/** The first of the goals that can be offered, without those that say the same. */
export function offered(goals: Iterable<string>): readonly string[] {
  const chosen = new Map<string, string>();
  for (const goal of goals) {
    const key = sense(goal);
    if (isGoal(goal) && !chosen.has(key)) chosen.set(key, goal);
    if (chosen.size === MOST_GOALS) break;
  }
  return [...chosen.values()];
}

/** A text on one line that no terminal takes for a command: without control characters and escapes. */
export function oneLine(text: string): string {
  return text.toWellFormed().replace(ESCAPES, '').replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const ESCAPES = /\u001b\[[0-?]{0,64}[ -/]{0,16}[@-~]|\u001b\][^\u0007\u001b]{0,2000}(?:\u0007|\u001b\\)/g;
// Direction marks would let a goal show as another.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function sense(goal: string): string {
  return goal
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
