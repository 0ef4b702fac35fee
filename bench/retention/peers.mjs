import { fill, inOrder } from './fill.mjs';

/**
 * What five public systems keep of a history without a model, re-implemented from their published behaviour and cut to
 * the same budget, newest first. Each takes `{ head, headMessages }` and tokens (characters over four).
 */
export const peers = {
  // Codex CLI hands over the user's messages verbatim, newest first, beside its model's summary.
  'codex (user messages)': ({ head, headMessages }, tokens) =>
    inOrder(
      fill(
        items(head)
          .filter(({ index }) => headMessages[index].role === 'user')
          .reverse(),
        tokens,
      ),
    ),
  // SWE-agent's `last_n_observations`: the newest five results whole, the others as their number of lines.
  'swe-agent (last 5 observations)': ({ head, headMessages }, tokens) => {
    const results = head.flatMap((_, index) => (isResult(headMessages[index]) ? [index] : []));
    const whole = new Set(results.slice(-5));
    const shown = items(head).map(({ index, text }) => ({
      index,
      text:
        !isResult(headMessages[index]) || whole.has(index)
          ? text
          : `Old environment output: (${text.split('\n').length} lines omitted)`,
    }));
    return inOrder(fill(shown.reverse(), tokens));
  },
  // OpenHands' recent-events condenser: the first event, then as many of the newest as fit.
  'openhands (first and recent)': ({ head }, tokens) => {
    const [first, ...rest] = items(head);
    return inOrder(fill([first, ...rest.reverse()], tokens));
  },
  // Forge's summary frame: what was said, and each call as its path, pattern or command without its result. (Forge also
  // folds repeated operations on one resource; that is left out here.)
  'forge (summary frame)': ({ head, headMessages }, tokens) =>
    inOrder(
      fill(
        items(head)
          .filter(({ index }) => !isResult(headMessages[index]))
          .map(({ index, text }) => ({ index, text: frameOf(headMessages[index]) || text }))
          .reverse(),
        tokens,
      ),
    ),
  // LangChain's trim_messages(strategy: "last", startOn: "human"): whole newest messages from a prompt on.
  'langchain (trim_messages)': ({ head, headMessages }, tokens) => {
    let left = tokens * 4;
    let start = head.length;
    while (start > 0 && head[start - 1].length + 1 <= left) {
      start -= 1;
      left -= head[start].length + 1;
    }
    while (start < head.length && headMessages[start].role !== 'user') start += 1;
    return head.slice(start).join('\n');
  },
};

const items = (head) => head.map((text, index) => ({ index, text }));
const isResult = ({ role, parts }) =>
  role === 'tool' || (parts.length > 0 && parts.every(({ kind }) => kind === 'tool-result'));

function frameOf({ role, parts }) {
  return parts
    .map((part) => {
      if (part.kind === 'text') return `${role}: ${part.text}`;
      return part.kind === 'tool-call' ? `${part.name}: ${mainArgument(part.input)}` : '';
    })
    .filter((line) => line !== '')
    .join('\n');
}

function mainArgument(input) {
  try {
    const value = JSON.parse(input);
    const main = value.file_path ?? value.path ?? value.command ?? value.pattern ?? Object.values(value)[0];
    return typeof main === 'string' ? main : JSON.stringify(main ?? '');
  } catch {
    return input.split('\n')[0];
  }
}
