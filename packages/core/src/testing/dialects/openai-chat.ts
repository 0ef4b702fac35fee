import { firstCodePoints } from '../../model/text.ts';
import { builders } from '../builders.ts';
import { imagePayload, signatureOf } from '../payload.ts';
import type { CallsStep, PromptStep } from '../script.ts';
import {
  answeredCalls,
  type Dialect,
  idsOf,
  namedCalls,
  ORPHAN,
  type Piece,
  type Placed,
  piece,
  TOOL_SCHEMA,
} from './piece.ts';

const { user, assistant, result } = builders['openai-chat'];

/** Chat Completions: results as own messages, thinking in the fields servers add, images of the user only. */
export const openaiChatDialect: Dialect = {
  render: (placed) => {
    const { step, at } = placed;
    switch (step.kind) {
      case 'prompt':
        return [piece(at, prompt(step), { isPrompt: true })];
      case 'system':
        return [piece(at, { role: 'system', content: step.text }, { isSystem: true })];
      case 'answer':
        return [
          piece(at, { ...thought(placed, step.reasoning), role: 'assistant', content: step.text }, { isAnswer: true }),
        ];
      case 'calls':
        return callPieces({ ...placed, step });
      case 'server-tool': {
        const annotations = [
          { type: 'url_citation', url_citation: { url: step.query, title: firstCodePoints(step.found, 40) } },
        ];
        return [piece(at, { role: 'assistant', content: step.text, annotations }, { isAnswer: true })];
      }
      case 'compaction':
        return [];
      case 'orphan-result':
        return [piece(at, result(ORPHAN, '', step.text))];
      default:
        return step satisfies never;
    }
  },
  system: (text) => text,
  tools: (names) => names.map((name) => ({ type: 'function', function: { name, parameters: TOOL_SCHEMA } })),
};

function prompt({ text, images }: PromptStep): unknown {
  if (images.length === 0) return user(text);
  const blocks = images.map((length) => ({
    type: 'image_url',
    image_url: { url: `data:image/png;base64,${imagePayload(length)}`, detail: 'high' },
  }));
  return { role: 'user', content: [{ type: 'text', text }, ...blocks] };
}

function thought({ thinking, at }: Placed, text: string | undefined): object {
  if (text === undefined) return {};
  if (thinking === 'plain') return { reasoning_content: text };
  return { thinking_blocks: [{ type: 'thinking', thinking: text, signature: signatureOf(text, at) }] };
}

function callPieces(placed: Placed<CallsStep>): readonly Piece[] {
  const { step, at } = placed;
  const calls = namedCalls(placed);
  const tool_calls = calls.map(({ id, name, input }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(input) },
  }));
  const spoken = { ...thought(placed, step.reasoning), role: 'assistant', content: step.text || null, tool_calls };
  const results = answeredCalls(placed).map(({ id, name, result: { text } }) =>
    piece(at, result(id, name, text), { results: [id] }),
  );
  const aside = step.aside === undefined ? [] : [piece(at, user(step.aside), { isPrompt: true })];
  return [piece(at, calls.length === 0 ? assistant(step.text) : spoken, { calls: idsOf(calls) }), ...results, ...aside];
}
