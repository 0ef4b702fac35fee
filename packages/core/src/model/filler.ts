/** The assistant's answer to a summary, as Gemini CLI words it. */
export const ACKNOWLEDGEMENT = 'Got it. Thanks for the additional context!';

/** Stands between a summary in the assistant's place and an assistant message, or ends a list that must not rest on it. */
export const BRIDGE = '[Earlier steps of this turn were compacted into the summary above. Please continue.]';

/** Said behind a summary when the turn it covers goes on. */
export const CONTINUATION: string =
  "The conversation was compacted; the user's current request follows. Work on it may be under way as summarized above: " +
  'continue from there without starting over or asking for anything again.';

/** What the view shows where no summary fits. */
export function leftOut(messages: number): string {
  return `${messages} earlier messages are left out: no summary of them fits.`;
}
