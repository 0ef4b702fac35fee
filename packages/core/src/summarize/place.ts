import type { Prompt, PromptContext } from '../model/brief.ts';
import { shown } from '../model/errors.ts';
import { block } from './templates.ts';

/**
 * A prompt of the caller's own as it may be sent. Instructions alone would make a summary of nothing: material that it does
 * not place stands behind its text. One that gives no text is told before anybody pays for it.
 */
export function placing(prompt: Prompt): Prompt {
  const render = (context: PromptContext): string => {
    const text: unknown = prompt(context);
    if (typeof text !== 'string') throw new TypeError(`\`prompt\` must return a text; it returned ${shown(text)}`);
    return text;
  };
  return (context) => {
    const missing = MATERIAL.flatMap(([name, tag]) => {
      const isPlaced = context[name] === '' || render({ ...context, [name]: MARK }).includes(MARK);
      return isPlaced ? [] : [block(tag, context[name])];
    });
    return [render(context), ...missing].filter((text) => text !== '').join('\n\n');
  };
}

// Nobody writes this, and no escaping changes it.
const MARK = 'epitomePlacesThisHere7f3a9c';

const MATERIAL = [
  ['prior', 'prior_summary'],
  ['conversation', 'conversation'],
] as const;
