import type { Dialect, Upstream } from '../model/dialect.ts';
import { isTypingErrorOf } from './typing.ts';

/**
 * Where a request goes. `turn`: a conversation, which may be compacted. `count`: a question about the size of one.
 * `pass`: anything else of an upstream, which goes through as it is.
 */
export type Route = {
  readonly kind: 'turn' | 'count' | 'pass';
  readonly upstream: Upstream;
  /** The path at the upstream, in front of which its base stands. */
  readonly path: string;
  readonly dialect?: Dialect;
  /** Where the path names it. */
  readonly model?: string;
  /** Where the path says that the answer is a stream. */
  readonly isStream?: boolean;
};

/** What a route is found by. */
export type RouteQuestion = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
};

/** The route of a path, `undefined` where no upstream is configured for it. */
export function routeOf(question: RouteQuestion, upstreams: readonly Upstream[]): Route | undefined {
  const { method, path, headers } = question;
  const [, first = ''] = path.split('/', 2);
  if (strayName(path, upstreams) !== undefined) return undefined;
  const named = upstreams.find(({ name }) => name === first);
  const rest = named === undefined ? path : path.slice(first.length + 1) || '/';
  const known = knownPath(rest);
  const told = known?.dialect ?? dialectOf(rest, headers);
  // Only Google has such paths: whoever comes by one brings a key of theirs, which is for nobody else.
  const owner = GOOGLE.test(rest) ? 'gemini' : told;
  const upstream = named ?? upstreamFor(owner, known !== undefined, upstreams);
  if (upstream === undefined) return undefined;
  const isServed = known !== undefined && method === 'POST' && speaks(upstream, known.dialect, rest);
  if (isServed) return { upstream, path: rest, ...known };
  const dialect = told ?? OPENAIS.find((each) => upstream.dialects.includes(each));
  return { kind: 'pass', upstream, path: rest, ...(dialect === undefined ? {} : { dialect }) };
}

/** The protocol a path is of, whoever would serve it. */
export function protocolOf({ path, headers }: Omit<RouteQuestion, 'method'>): Dialect | undefined {
  return knownPath(path)?.dialect ?? dialectOf(path, headers) ?? (isVersioned(path) ? 'openai-chat' : undefined);
}

// Two protocols of one provider, which share every path but the conversations themselves.
const OPENAIS = ['openai-chat', 'openai-responses'] as const;

/** Who serves a path of a protocol; one that tells none is of OpenAI's kind, as most servers are, or the first one's. */
function upstreamFor(
  owner: Dialect | undefined,
  isConversation: boolean,
  upstreams: readonly Upstream[],
): Upstream | undefined {
  const speaking = (dialect: Dialect) => upstreams.find(({ dialects }) => dialects.includes(dialect));
  if (owner === undefined) return speaking('openai-chat') ?? speaking('openai-responses') ?? upstreams[0];
  const isShared = owner === 'openai-responses' && !isConversation;
  return speaking(owner) ?? (isShared ? speaking('openai-chat') : undefined);
}

// What servers have in front of their protocol's paths, and what these begin with: never a name with a typing error in it.
const FRONTS: ReadonlySet<string> = new Set([
  'ai',
  'anthropic',
  'api',
  'backend-api',
  'beta',
  'chat',
  'client',
  'compatibility',
  'compatible-mode',
  'deployments',
  'download',
  'inference',
  'model',
  'models',
  'openai',
  'publishers',
  'serving-endpoints',
  'upload',
  'zen',
]);

/**
 * What stands in a path where the name of an upstream may stand, and is nearly one. A key and a conversation that were meant for
 * that upstream go to no other.
 */
export function strayName(path: string, upstreams: readonly Upstream[]): string | undefined {
  const [, first = '', second = ''] = path.split('/', 3);
  // With one upstream there is nobody else to whom a key could go.
  if (upstreams.length < 2 || second === '' || FRONTS.has(first) || VERSION.test(first)) return undefined;
  if (upstreams.some(({ name }) => name === first)) return undefined;
  return upstreams.some(({ name }) => isTypingErrorOf(name, first)) ? first : undefined;
}

const VERSION = /^v\d/;

// Servers have paths of their own in front of these, such as /upload/v1beta.
const GOOGLE = /\/v1(?:beta|alpha)/;
// Gemini speaks Chat Completions too, on paths of its own.
const COMPATIBLE = /\/v1(?:beta|alpha)\/openai\//;

function speaks({ dialects }: Upstream, dialect: Dialect, path: string): boolean {
  if (dialects.includes(dialect)) return true;
  return dialect === 'openai-chat' && dialects.includes('gemini') && COMPATIBLE.test(path);
}

type Known = Required<Pick<Route, 'kind' | 'dialect'>> & Pick<Route, 'model' | 'isStream'>;

// Servers of the family put a path of their own in front, such as /api/v1 or /openai/v1.
const PATHS: readonly (readonly [RegExp, Known])[] = [
  [/\/chat\/completions$/, { kind: 'turn', dialect: 'openai-chat' }],
  [/\/responses$/, { kind: 'turn', dialect: 'openai-responses' }],
  [/\/v1\/messages$/, { kind: 'turn', dialect: 'anthropic' }],
  [/\/v1\/messages\/count_tokens$/, { kind: 'count', dialect: 'anthropic' }],
];

const GEMINI = /\/models\/([^/:]+):(generateContent|streamGenerateContent|countTokens)$/;

function knownPath(path: string): Known | undefined {
  const found = PATHS.find(([pattern]) => pattern.test(path))?.[1];
  if (found !== undefined) return found;
  const match = GEMINI.exec(path);
  if (match === null) return undefined;
  const [, model = '', verb] = match;
  const kind = verb === 'countTokens' ? 'count' : 'turn';
  return { kind, dialect: 'gemini', model, isStream: verb === 'streamGenerateContent' };
}

/** Whose path it is that is no conversation, whatever stands in front of it; `undefined` where several have one of that name, such as /v1/models. */
function dialectOf(path: string, headers: RouteQuestion['headers']): Dialect | undefined {
  if (headers['anthropic-version'] !== undefined) return 'anthropic';
  if (COMPATIBLE.test(path)) return 'openai-chat';
  if (GOOGLE.test(path) || headers['x-goog-api-key'] !== undefined) return 'gemini';
  if (/^\/anthropic\/|(?:^|\/v1)\/messages(?:\/|$)/.test(path)) return 'anthropic';
  return /\/(?:responses|conversations)(?:\/|$)/.test(path) ? 'openai-responses' : undefined;
}

function isVersioned(path: string): boolean {
  return path.split('/', 3).some((segment) => VERSION.test(segment));
}
