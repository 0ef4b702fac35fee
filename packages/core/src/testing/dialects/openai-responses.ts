import { firstCodePoints } from '../../model/text.ts';
import { builders } from '../builders.ts';
import { imagePayload, signatureOf } from '../payload.ts';
import type { CallsStep, PromptStep } from '../script.ts';
import {
  type AnsweredCall,
  answeredCalls,
  type Dialect,
  type NamedCall,
  namedCalls,
  ORPHAN,
  type Piece,
  type Placed,
  piece,
  TOOL_SCHEMA,
} from './piece.ts';

const { user, call, result } = builders['openai-responses'];

/** Responses: one item for each thing, reasoning in front of what it led to. */
export const openaiResponsesDialect: Dialect = {
  render: (placed) => {
    const { step, at } = placed;
    switch (step.kind) {
      case 'prompt':
        return [piece(at, prompt(step), { isPrompt: true })];
      case 'system':
        return [piece(at, { type: 'message', role: 'developer', content: step.text }, { isSystem: true })];
      case 'answer':
        return [...thought(placed, step.reasoning), spoken(at, step.text)];
      case 'calls':
        return callPieces({ ...placed, step });
      case 'server-tool': {
        const action = {
          type: 'search',
          query: step.query,
          sources: [{ type: 'url', url: firstCodePoints(step.found, 40) }],
        };
        const search = { type: 'web_search_call', id: `ws_${at}`, status: 'completed', action };
        return [piece(at, search), spoken(at, step.text)];
      }
      case 'compaction':
        return [piece(at, { type: 'compaction', id: `cmp_${at}`, encrypted_content: step.text })];
      case 'orphan-result':
        return [piece(at, result(ORPHAN, '', step.text))];
      default:
        return step satisfies never;
    }
  },
  system: (text) => text,
  tools: (names) => names.map((name) => ({ type: 'function', name, parameters: TOOL_SCHEMA, strict: false })),
};

function prompt({ text, images }: PromptStep): unknown {
  if (images.length === 0) return user(text);
  return { type: 'message', role: 'user', content: [{ type: 'input_text', text }, ...images.map(image)] };
}

function image(length: number): object {
  return { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${imagePayload(length)}` };
}

function thought({ thinking, at }: Placed, text: string | undefined): readonly Piece[] {
  if (text === undefined) return [];
  const sealed = thinking === 'signed' ? { encrypted_content: signatureOf(text, at) } : {};
  return [piece(at, { type: 'reasoning', id: `rs_${at}`, summary: [{ type: 'summary_text', text }], ...sealed })];
}

function spoken(at: number, text: string): Piece {
  const content = [{ type: 'output_text', text, annotations: [] }];
  const native = { type: 'message', id: `msg_${at}`, status: 'completed', role: 'assistant', content };
  return piece(at, native, { isAnswer: true });
}

function callPieces(placed: Placed<CallsStep>): readonly Piece[] {
  const { step, at } = placed;
  const named = namedCalls(placed);
  const calls = named.map((made) => piece(at, asked(made), { calls: [made.id] }));
  const granted = named.filter(({ approval }) => approval === 'granted');
  const answered = answeredCalls(placed);
  return [
    ...thought(placed, step.reasoning),
    ...(step.text === '' && calls.length > 0 ? [] : [spoken(at, step.text)]),
    ...calls,
    ...answered.filter(({ approval }) => approval !== 'granted').map((one) => answerPiece(at, one)),
    ...granted.map(({ id }) => piece(at, approvalOf(id, { approve: true }), { approvals: [id] })),
    ...answered.filter(({ approval }) => approval === 'granted').map((one) => answerPiece(at, one)),
    ...(step.aside === undefined ? [] : [piece(at, user(step.aside), { isPrompt: true })]),
  ];
}

function answerPiece(at: number, answered: AnsweredCall): Piece {
  return piece(at, output(answered), { results: [answered.id] });
}

function asked({ id, name, input, approval }: NamedCall): unknown {
  if (approval === undefined) return call(id, name, input);
  return { type: 'mcp_approval_request', id, server_label: 'files', name, arguments: JSON.stringify(input) };
}

function approvalOf(id: string, verdict: { readonly approve: boolean; readonly reason?: string }): object {
  return { type: 'mcp_approval_response', approval_request_id: id, ...verdict };
}

function approvedCall({ id, name, input, result: { text, isError } }: AnsweredCall): object {
  const [output, error] = isError ? [null, text] : [text, null];
  const made = { name, arguments: JSON.stringify(input), server_label: 'files' };
  return { type: 'mcp_call', id: `mcp_${id}`, approval_request_id: id, ...made, output, error };
}

function output(answered: AnsweredCall): unknown {
  const { id, name, approval } = answered;
  const { text, isError, image: length } = answered.result;
  if (approval === 'granted') return approvedCall(answered);
  if (approval === 'denied') return approvalOf(id, { approve: false, reason: text });
  if (length === undefined) return result(id, name, isError ? `Error: ${text}` : text);
  return { type: 'function_call_output', call_id: id, output: [{ type: 'input_text', text }, image(length)] };
}
