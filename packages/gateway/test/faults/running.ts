import { memoryStore, type Store } from '@epitome/store';
import { readConfig } from '../../src/config/load.ts';
import { createGateway, type Gateway, type GatewayPorts } from '../../src/gateway.ts';
import { createLogger } from '../../src/observe/logger.ts';
import { type Dialect, type Json, startUpstream, type Upstream, type UpstreamOptions } from '../upstream/index.ts';

/** A gateway as it is run, with its upstream and everything it logged. */
export type Running = {
  readonly url: string;
  readonly gateway: Gateway;
  readonly upstream: Upstream;
  readonly store: Store;
  readonly lines: string[];
  readonly configOf: (yaml: string, env?: Record<string, string>) => ReturnType<typeof readConfig>;
  readonly stop: () => Promise<void>;
};

/** What may differ from a plain gateway. */
export type RunOptions = {
  readonly yaml?: string;
  readonly env?: Record<string, string>;
  readonly upstream?: UpstreamOptions;
  readonly store?: Store;
  readonly engine?: GatewayPorts['engine'];
};

/** Starts both on free ports; the configuration goes through the file's own reader. */
export async function run({
  yaml = '',
  env = {},
  upstream: options = {},
  store = memoryStore(),
  engine = {},
}: RunOptions = {}): Promise<Running> {
  const upstream = await startUpstream(options);
  const lines: string[] = [];
  const configOf: Running['configOf'] = (text, more = env) => {
    const upstreams = `upstreams: [{ name: local, baseUrl: "${upstream.url}", dialects: [openai-chat, openai-responses, anthropic, gemini]${more['UPSTREAM_KEY'] === undefined ? '' : ', key: { env: UPSTREAM_KEY }'} }]`;
    const whole = text.includes('upstreams:') ? text : `${upstreams}\n${text}`;
    return readConfig(`listen: { port: 0 }\n${whole}`, { where: 'test', env: more, folder: '.' });
  };
  const logger = createLogger('debug', { write: (line) => void lines.push(line) });
  const gateway = createGateway(configOf(`log: debug\n${yaml}`), { store, logger, engine });
  const { port } = await gateway.listen();
  return {
    url: `http://127.0.0.1:${port}`,
    ...{ gateway, upstream, store, lines, configOf },
    stop: async () => {
      await gateway.close();
      await upstream.close();
      await store.close();
    },
  };
}

export const DIALECTS: readonly Dialect[] = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'];

export const PATHS: Readonly<Record<Dialect, string>> = {
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  anthropic: '/v1/messages',
  gemini: '/v1beta/models/test-model:generateContent',
};

/** Headers as a client of any provider sends them. */
const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  authorization: 'Bearer test-key',
  'anthropic-version': '2023-06-01',
};

/** What is asked of a running gateway. */
export type Ask = {
  readonly messages?: readonly Json[];
  readonly stream?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly signal?: AbortSignal;
  readonly more?: Json;
};

/** Sends one request in a dialect. */
export function ask(
  url: string,
  dialect: Dialect,
  { messages = [userOf(dialect, 'hello')], stream = false, headers = {}, body, signal, more = {} }: Ask = {},
): Promise<Response> {
  const path =
    stream && dialect === 'gemini'
      ? PATHS.gemini.replace(':generateContent', ':streamGenerateContent?alt=sse')
      : PATHS[dialect];
  const key: Record<string, string> = dialect === 'gemini' ? { 'x-goog-api-key': 'test-key' } : {};
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { ...HEADERS, ...key, ...headers },
    body:
      body ??
      JSON.stringify(bodyOf(dialect, messages, { ...(stream && dialect !== 'gemini' ? { stream } : {}), ...more })),
    redirect: 'manual',
    ...(signal ? { signal } : {}),
  });
}

/** A request body. */
function bodyOf(dialect: Dialect, messages: readonly Json[], more: Json = {}): Json {
  if (dialect === 'gemini') return { contents: messages, ...more };
  const list = dialect === 'openai-responses' ? { input: messages, store: false } : { messages };
  return { model: 'test-model', ...list, ...(dialect === 'anthropic' ? { max_tokens: 100 } : {}), ...more };
}

/** A prompt. */
export function userOf(dialect: Dialect, text: string): Json {
  return dialect === 'gemini' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };
}

/** An answer. */
export function answerOf(dialect: Dialect, text: string): Json {
  return dialect === 'gemini' ? { role: 'model', parts: [{ text }] } : { role: 'assistant', content: text };
}

/** A history of so many turns of some hundred tokens each, which ends with a prompt. */
export function historyOf(dialect: Dialect, turns: number, last = 'And now?'): readonly Json[] {
  const past = Array.from({ length: turns }, (_, at) => [
    userOf(dialect, `Question ${at} about src/part-${at}.ts: ${'word '.repeat(100)}`),
    answerOf(dialect, `Answer ${at}: ${'fine '.repeat(100)}`),
  ]);
  return [...past.flat(), userOf(dialect, last)];
}

/** Whether a body is an error in the dialect's own shape. */
export function errorIn(dialect: Dialect, body: Json): string | undefined {
  const error = body['error'] as Json | undefined;
  if (typeof error !== 'object' || typeof error['message'] !== 'string') return undefined;
  const isOwn =
    dialect === 'anthropic'
      ? body['type'] === 'error' && typeof error['type'] === 'string'
      : dialect === 'gemini'
        ? typeof error['code'] === 'number' && typeof error['status'] === 'string'
        : typeof error['type'] === 'string' && 'param' in error && 'code' in error;
  return isOwn ? error['message'] : undefined;
}
