import { fnv } from './corpus.mjs';
import { fill, inOrder } from './fill.mjs';

/** What simple methods keep of a head. Each takes `{ head, headMessages }` and tokens (characters over four). */
export const baselines = {
  'keep-last': ({ head }, tokens) => head.join('\n').slice(-tokens * 4),
  'first-200': ({ head }, tokens) =>
    inOrder(fill(head.map((text, index) => ({ index, text: text.slice(0, 200) })).reverse(), tokens)),
  'head+tail': ({ head }, tokens) => {
    const text = head.join('\n');
    return text.length <= tokens * 4 ? text : `${text.slice(0, tokens * 2)}\n${text.slice(-tokens * 2 + 1)}`;
  },
  random: ({ head }, tokens) => {
    const order = head.map((text, index) => ({ index, text, key: fnv(`${index}:${text.length}`) }));
    return inOrder(
      fill(
        order.sort((left, right) => left.key - right.key),
        tokens,
      ),
    );
  },
  'prompts-and-answers-first': ({ head, headMessages }, tokens) => {
    const items = head.map((text, index) => ({ index, text, rank: rankOf(headMessages[index]) }));
    return inOrder(
      fill(
        items.sort((left, right) => left.rank - right.rank || right.index - left.index),
        tokens,
      ),
    );
  },
};

function rankOf({ role, parts }) {
  if (role === 'user') return 0;
  if (role === 'assistant') return parts.some((part) => part.kind === 'tool-call') ? 1 : 0;
  return 2;
}
