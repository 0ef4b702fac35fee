import { builders } from '../builders.ts';
import { imagePayload, signatureOf } from '../payload.ts';
import type { AnswerStep, CallsStep, PromptStep, ServerToolStep } from '../script.ts';
import {
  type AnsweredCall,
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

const { user, assistant, result } = builders.anthropic;

/** Messages: results and asides in one user message, signed thinking first, server tools inside the assistant's turn. */
export const anthropicDialect: Dialect = {
  render: (placed) => {
    const { step, at } = placed;
    switch (step.kind) {
      case 'prompt':
        return [piece(at, prompt(step), { isPrompt: true })];
      case 'system':
        return [piece(at, { role: 'system', content: step.text }, { isSystem: true })];
      case 'answer':
        return [piece(at, answer({ ...placed, step }), { isAnswer: true })];
      case 'calls':
        return callPieces({ ...placed, step });
      case 'server-tool':
        return [piece(at, { role: 'assistant', content: serverTool(step, at) }, { isAnswer: true })];
      case 'compaction':
        return [piece(at, { role: 'assistant', content: [{ type: 'compaction', content: step.text }] })];
      case 'orphan-result':
        return [piece(at, result(ORPHAN, '', step.text))];
      default:
        return step satisfies never;
    }
  },
  system: (text) => [{ type: 'text', text, cache_control: { type: 'ephemeral' } }],
  tools: (names) => names.map((name) => ({ name, input_schema: TOOL_SCHEMA })),
};

function prompt({ text, images }: PromptStep): unknown {
  if (images.length === 0) return user(text);
  return { role: 'user', content: [...images.map(image), { type: 'text', text }] };
}

function image(length: number): object {
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data: imagePayload(length) } };
}

// The last text of the assistant may not end in white space (A14), and any message may be the last.
function answer({ step, at }: Placed<AnswerStep>): unknown {
  const text = step.text.trimEnd();
  if (step.reasoning === undefined) return assistant(text);
  return { role: 'assistant', content: [...thought(at, step.reasoning), { type: 'text', text }] };
}

function thought(at: number, thinking: string | undefined): readonly object[] {
  return thinking === undefined ? [] : [{ type: 'thinking', thinking, signature: signatureOf(thinking, at) }];
}

function callPieces(placed: Placed<CallsStep>): readonly Piece[] {
  const { step, at } = placed;
  const calls = namedCalls(placed);
  const text = step.text.trimEnd();
  const content = [
    ...thought(at, step.reasoning),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
  ];
  const answered = answeredCalls(placed);
  const aside = step.aside === undefined ? [] : [{ type: 'text', text: step.aside }];
  const reply = [...answered.map(toolResult), ...aside];
  const note = {
    results: idsOf(answered),
    isPrompt: answered.length === 0 && aside.length > 0,
    isAside: answered.length > 0 && aside.length > 0,
  };
  return [
    piece(at, { role: 'assistant', content }, { calls: idsOf(calls) }),
    ...(reply.length === 0 ? [] : [piece(at, { role: 'user', content: reply }, note)]),
  ];
}

function toolResult({ id, result: { text, isError, image: length } }: AnsweredCall): object {
  // A failed result takes text only (A20).
  const content = length === undefined || isError ? text : [{ type: 'text', text }, image(length)];
  return { type: 'tool_result', tool_use_id: id, content, ...(isError ? { is_error: true } : {}) };
}

function serverTool({ text, query, found }: ServerToolStep, at: number): readonly object[] {
  const id = `srvtoolu_${at}`;
  const page = { type: 'web_search_result', url: 'https://example.com', title: found, encrypted_content: `enc_${at}` };
  return [
    { type: 'server_tool_use', id, name: 'web_search', input: { query } },
    { type: 'web_search_tool_result', tool_use_id: id, content: [page] },
    { type: 'text', text: text.trimEnd() },
  ];
}
