import { builders } from '../builders.ts';
import { imagePayload, signatureOf } from '../payload.ts';
import type { CallsStep, PromptStep, ServerToolStep } from '../script.ts';
import {
  type AnsweredCall,
  answeredCalls,
  type Dialect,
  idsOf,
  type NamedCall,
  namedCalls,
  ORPHAN,
  type Piece,
  type Placed,
  piece,
  TOOL_SCHEMA,
} from './piece.ts';

const { user, assistant, result } = builders['ai-sdk'];

/** `ModelMessage`: parallel results in one tool message, provider-run tools inside the assistant's. */
export const aiSdkDialect: Dialect = {
  render: (placed) => {
    const { step, at } = placed;
    switch (step.kind) {
      case 'prompt':
        return [piece(at, prompt(step), { isPrompt: true })];
      case 'system':
        return [piece(at, { role: 'system', content: step.text }, { isSystem: true })];
      case 'answer': {
        const content = [...thought(placed, step.reasoning), { type: 'text', text: step.text }];
        const native = step.reasoning === undefined ? assistant(step.text) : { role: 'assistant', content };
        return [piece(at, native, { isAnswer: true })];
      }
      case 'calls':
        return callPieces({ ...placed, step });
      case 'server-tool':
        return [piece(at, { role: 'assistant', content: serverTool(step, at) }, { isAnswer: true })];
      case 'compaction': {
        const block = { type: 'text', text: step.text, providerOptions: { anthropic: { type: 'compaction' } } };
        return [piece(at, { role: 'assistant', content: [block] })];
      }
      case 'orphan-result':
        return [piece(at, result(ORPHAN, 'nobody', step.text))];
      default:
        return step satisfies never;
    }
  },
  system: (text) => text,
  tools: (names) => Object.fromEntries(names.map((name) => [name, { description: name, inputSchema: TOOL_SCHEMA }])),
};

function prompt({ text, images }: PromptStep): unknown {
  if (images.length === 0) return user(text);
  return { role: 'user', content: [{ type: 'text', text }, ...images.map(file)] };
}

function file(length: number): object {
  return { type: 'file', mediaType: 'image/png', data: imagePayload(length) };
}

function thought({ thinking, at }: Placed, text: string | undefined): readonly object[] {
  if (text === undefined) return [];
  const signed = { providerOptions: { anthropic: { signature: signatureOf(text, at) } } };
  return [{ type: 'reasoning', text, ...(thinking === 'signed' ? signed : {}) }];
}

function callPieces(placed: Placed<CallsStep>): readonly Piece[] {
  const { step, at } = placed;
  const calls = namedCalls(placed);
  const content = [
    ...thought(placed, step.reasoning),
    ...(step.text === '' && calls.length > 0 ? [] : [{ type: 'text', text: step.text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool-call', toolCallId: id, toolName: name, input })),
    ...calls.filter(wasAsked).map(({ id }) => ({ type: 'tool-approval-request', ...approvalOf(id), toolCallId: id })),
  ];
  const answered = answeredCalls(placed);
  return [
    piece(at, { role: 'assistant', content }, { calls: idsOf(calls) }),
    ...resultPieces(
      at,
      answered.filter((call) => !wasAsked(call)),
    ),
    ...approvalPieces(at, calls.filter(wasAsked)),
    ...resultPieces(at, answered.filter(wasAsked)),
    ...(step.aside === undefined ? [] : [piece(at, user(step.aside), { isPrompt: true })]),
  ];
}

function wasAsked({ approval }: NamedCall): boolean {
  return approval !== undefined;
}

function approvalOf(id: string): object {
  return { approvalId: `approval_${id}` };
}

// The SDK runs what was approved next, and puts the results into a message of their own.
function approvalPieces(at: number, calls: readonly NamedCall[]): readonly Piece[] {
  const content = calls.map(({ id, approval }) => ({
    type: 'tool-approval-response',
    ...approvalOf(id),
    approved: approval === 'granted',
  }));
  return content.length === 0 ? [] : [piece(at, { role: 'tool', content }, { approvals: idsOf(calls) })];
}

function resultPieces(at: number, answered: readonly AnsweredCall[]): readonly Piece[] {
  const native = { role: 'tool', content: answered.map(toolResult) };
  return answered.length === 0 ? [] : [piece(at, native, { results: idsOf(answered) })];
}

function toolResult({ id, name, approval, result: { text, isError, image } }: AnsweredCall): object {
  if (approval === 'denied') {
    return { type: 'tool-result', toolCallId: id, toolName: name, output: { type: 'execution-denied', reason: text } };
  }
  const media = { type: 'media', mediaType: 'image/png', data: imagePayload(image ?? 0) };
  const output =
    image === undefined
      ? { type: isError ? 'error-text' : 'text', value: text }
      : { type: 'content', value: [{ type: 'text', text }, media] };
  return { type: 'tool-result', toolCallId: id, toolName: name, output };
}

function serverTool({ text, query, found }: ServerToolStep, at: number): readonly object[] {
  const call = { toolCallId: `srv_${at}`, toolName: 'web_search' };
  return [
    { type: 'tool-call', ...call, input: { query }, providerExecuted: true },
    { type: 'tool-result', ...call, output: { type: 'json', value: [{ title: found }] } },
    { type: 'text', text },
  ];
}
