import { isKeptByServer, SERVER_STATE } from 'epitome/server-state';
import { type Fields, fieldsOf, figure, objectsIn, parsed, textIn } from '../json/values.ts';
import type { Refusal } from '../model/call.ts';
import { type DialectRules, errorMember, facts, usage } from './rules.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

function errorOf({ status, code, message }: Refusal): Fields {
  const type = TYPES[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  return { message, type, param: null, code };
}

/** Chat Completions, and whoever speaks it. */
export const openaiChat: DialectRules = {
  name: 'openai-chat',
  list: 'messages',
  wrappers: [],
  isLead: (message) => {
    const { role } = fieldsOf(parsed(message));
    return role === 'system' || role === 'developer';
  },
  system: [],
  tools: ['tools', 'functions'],
  sessions: ['prompt_cache_key'],
  serverState: [],
  isKeptElsewhere: () => false,
  usageOf: (value) => {
    const { prompt_tokens, completion_tokens, prompt_tokens_details, completion_tokens_details } = fieldsOf(
      value['usage'],
    );
    return usage({
      input: figure(prompt_tokens),
      output: figure(completion_tokens),
      cacheRead: figure(fieldsOf(prompt_tokens_details)['cached_tokens']),
      reasoning: figure(fieldsOf(completion_tokens_details)['reasoning_tokens']),
    });
  },
  factsOf: ({ id, model, choices }) =>
    facts({ id, model, finishReasons: objectsIn(choices).map(({ finish_reason: reason }) => reason) }),
  wordsOf: ({ choices }) => textIn(fieldsOf(objectsIn(choices)[0]?.['delta'])['content']),
  writtenIn: ({ choices }) => objectsIn(choices).map(({ delta, message, text }) => [delta, message, text]),
  maxTokens: ['max_completion_tokens', 'max_tokens'],
  reasoning: ['reasoning_effort'],
  isEnd: ({ data }) => data === '[DONE]',
  isAnnouncement: () => false,
  failureIn: errorMember,
  errorBody: (refusal) => ({ error: errorOf(refusal) }),
  errorEvent: (refusal) => `data: ${JSON.stringify({ error: errorOf(refusal) })}\n\n`,
};

const ENDS: ReadonlySet<string> = new Set(['response.completed', 'response.failed', 'response.incomplete', 'error']);
const ANNOUNCEMENTS: ReadonlySet<string> = new Set(['response.created', 'response.queued', 'response.in_progress']);

/** Responses. With `previous_response_id`, a `conversation` or references the provider holds the past: there is nothing to compact here. */
export const openaiResponses: DialectRules = {
  name: 'openai-responses',
  list: 'input',
  wrappers: [],
  isLead: () => false,
  system: ['instructions'],
  tools: ['tools'],
  sessions: ['prompt_cache_key'],
  serverState: SERVER_STATE,
  isKeptElsewhere: isReference,
  usageOf: (value) => {
    const answer = 'response' in value ? fieldsOf(value['response']) : value;
    const { input_tokens, output_tokens, input_tokens_details, output_tokens_details } = fieldsOf(answer['usage']);
    return usage({
      input: figure(input_tokens),
      output: figure(output_tokens),
      cacheRead: figure(fieldsOf(input_tokens_details)['cached_tokens']),
      reasoning: figure(fieldsOf(output_tokens_details)['reasoning_tokens']),
    });
  },
  factsOf: (value) => {
    const answer = 'response' in value ? fieldsOf(value['response']) : value;
    const { id, model, status } = answer;
    return facts({ id, model, status, finishReasons: [finishOf(answer)] });
  },
  wordsOf: ({ type, delta }) => (type === 'response.output_text.delta' ? textIn(delta) : ''),
  // Later events say once more what the deltas did.
  writtenIn: ({ type, delta, output }) => (textIn(type).endsWith('.delta') ? delta : output),
  maxTokens: ['max_output_tokens'],
  reasoning: ['reasoning.effort'],
  isEnd: ({ name }) => name !== undefined && ENDS.has(name),
  isAnnouncement: ({ name }) => name !== undefined && ANNOUNCEMENTS.has(name),
  failureIn: ({ name, data }) => {
    if (name !== 'error' && name !== 'response.failed') return undefined;
    const said = fieldsOf(parsed(data));
    return fieldsOf(said['response'])['error'] ?? said['error'] ?? said;
  },
  errorBody: (refusal) => ({ error: errorOf(refusal) }),
  errorEvent: ({ code, message }) =>
    `event: error\ndata: ${JSON.stringify({ type: 'error', code, message, param: null })}\n\n`,
};

// A reference is an id, and at most its type: nothing longer has to be read.
const LONGEST_REFERENCE = 512;

function isReference(item: string): boolean {
  return item.length <= LONGEST_REFERENCE && isKeptByServer(parsed(item));
}

/** The protocol says what became of an answer, and why only where it is not whole. */
function finishOf({ status, incomplete_details: details, output }: Fields): unknown {
  if (status === 'incomplete') return fieldsOf(details)['reason'] ?? status;
  if (status !== 'completed') return status === 'failed' ? status : undefined;
  return objectsIn(output).some(({ type }) => type === 'function_call') ? 'tool_calls' : 'stop';
}
