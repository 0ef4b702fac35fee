import type { Refusal } from '../model/call.ts';
import { type DialectRules, errorMember, type Fields, facts, fieldsOf, figure, usage } from './rules.ts';

const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  408: 'timeout_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
};

function errorOf({ status, message }: Refusal): Fields {
  const type = TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type: 'error', error: { type, message } };
}

/** Messages. Reported input leaves cached tokens out; all of them count. */
export const anthropic: DialectRules = {
  name: 'anthropic',
  list: 'messages',
  system: ['system'],
  tools: ['tools'],
  sessions: ['metadata'],
  serverState: [],
  usageOf: (value) => {
    const holder = 'message' in value ? fieldsOf(value['message']) : value;
    const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = fieldsOf(
      holder['usage'],
    );
    const [own, read, written] = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens].map(figure);
    return usage({
      input: own === undefined ? undefined : own + (read ?? 0) + (written ?? 0),
      output: figure(output_tokens),
      cacheRead: read,
      cacheWrite: written,
    });
  },
  factsOf: (value) => {
    const { id, model, stop_reason: reason } = 'message' in value ? fieldsOf(value['message']) : value;
    return facts({ id, model, finishReasons: [reason, fieldsOf(value['delta'])['stop_reason']] });
  },
  maxTokens: ['max_tokens'],
  reasoning: ['output_config.effort'],
  isEnd: ({ name }) => name === 'message_stop' || name === 'error',
  isAnnouncement: ({ name }) => name === 'ping',
  failureIn: errorMember,
  errorBody: errorOf,
  errorEvent: (refusal) => `event: error\ndata: ${JSON.stringify(errorOf(refusal))}\n\n`,
};
