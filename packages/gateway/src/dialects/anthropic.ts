import { type Fields, fieldsOf, figure, objectsIn, textIn } from '../json/values.ts';
import type { Refusal } from '../model/call.ts';
import { type DialectRules, errorMember, facts, usage } from './rules.ts';

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
  wrappers: [],
  isLead: () => false,
  system: ['system'],
  tools: ['tools'],
  sessions: ['metadata'],
  // A compaction asked of the provider is of the list as it is (A17).
  serverState: ['compaction'],
  isKeptElsewhere: () => false,
  usageOf: (value) => {
    const holder = 'message' in value ? fieldsOf(value['message']) : value;
    const told = fieldsOf(holder['usage']);
    const own = tokensIn(told);
    const iterations = objectsIn(told['iterations']);
    // What the provider's own compaction took is left out of the figures above (A16).
    const compactions = iterations.filter(({ type }) => type === 'compaction').map(tokensIn);
    const [first] = compactions.length === 0 ? [] : iterations.map(tokensIn);
    return usage({
      input: added([own, ...compactions].map(({ input }) => input)),
      output: added([own, ...compactions].map(({ output }) => output)),
      prompt: first?.input,
      cacheRead: own.read,
      cacheWrite: own.written,
    });
  },
  factsOf: (value) => {
    const { id, model, stop_reason: reason } = 'message' in value ? fieldsOf(value['message']) : value;
    return facts({ id, model, finishReasons: [reason, fieldsOf(value['delta'])['stop_reason']] });
  },
  wordsOf: ({ delta }) => textIn(fieldsOf(delta)['text']),
  writtenIn: ({ type, delta, content }) => (type === 'content_block_delta' ? delta : content),
  maxTokens: ['max_tokens'],
  reasoning: ['output_config.effort'],
  isEnd: ({ name }) => name === 'message_stop' || name === 'error',
  isAnnouncement: ({ name }) => name === 'ping',
  failureIn: errorMember,
  errorBody: errorOf,
  errorEvent: (refusal) => `event: error\ndata: ${JSON.stringify(errorOf(refusal))}\n\n`,
};

type Tokens = Readonly<Record<'input' | 'output' | 'read' | 'written', number | undefined>>;

function tokensIn(told: Fields): Tokens {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } = told;
  const [own, read, written] = [input_tokens, cache_read_input_tokens, cache_creation_input_tokens].map(figure);
  const input = own === undefined ? undefined : own + (read ?? 0) + (written ?? 0);
  return { input, output: figure(output_tokens), read, written };
}

function added([first, ...rest]: readonly (number | undefined)[]): number | undefined {
  return first === undefined ? undefined : rest.reduce((sum: number, more) => sum + (more ?? 0), first);
}
