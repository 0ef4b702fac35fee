import { isIP } from 'node:net';
import { isCompactionError, policyNamed } from 'epitome';
import type { Config, PolicyRule } from '../model/config.ts';
import { isForbidden } from '../upstream/addresses.ts';

/** The window that is assumed where none is known; never more than what most models have. */
export const ASSUMED_WINDOW = 128_000;

/** What is wrong with a configuration whose fields are right one by one. */
export function crossProblems(config: Config): readonly string[] {
  return [
    ...bindProblems(config),
    ...addressProblems(config),
    ...nameProblems(config),
    ...config.policies.flatMap((rule, at) => [...ruleProblems(rule, at)]),
    ...targetProblems(config),
    ...keyProblems(config),
  ];
}

/** Whether an address can be reached from this machine alone. */
export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1').toLowerCase();
  if (plain === 'localhost' || plain === '::1') return true;
  return isIP(plain) === 4 && plain.startsWith('127.');
}

/** How an address is spoken of that others can reach, and what there is beside adding keys. */
type Bind = { readonly where: string; readonly or: string };

/** What is wrong with who may come in, where it listens. */
export function* bindProblems(
  { listen: { host }, keys, sharedTenant }: Config,
  { where, or }: Bind = { where: `listen.host is ${JSON.stringify(host)}`, or: 'listen on 127.0.0.1' },
): Generator<string> {
  if (isLoopback(host)) return;
  if (keys.length === 0) yield `${where}, which others can reach, and there are no client keys; add keys, or ${or}.`;
  if (sharedTenant !== undefined)
    yield `${where}, which others can reach, and sharedTenant is ${JSON.stringify(sharedTenant)}; it is for loopback addresses alone.`;
}

function* addressProblems({ upstreams }: Config): Generator<string> {
  if (upstreams.length === 0)
    yield 'upstreams is empty, so that no request could go anywhere; name one, or leave it out for OpenAI, Anthropic and Gemini.';
  for (const [at, upstream] of upstreams.entries()) {
    if (isForbidden(upstream))
      yield `upstreams[${at}].baseUrl is ${JSON.stringify(upstream.baseUrl)}, an address of a private network; set allowPrivate to true if it may be.`;
  }
}

function* nameProblems({ upstreams, keys, policies }: Config): Generator<string> {
  yield* twice(
    'upstreams',
    upstreams.map(({ name }) => name),
  );
  yield* twice(
    'keys',
    keys.map(({ id }) => id),
  );
  // Two names for one key: the first would shadow the other's scopes and budget.
  const hashes = keys.map(({ hash }) => hash);
  const same = keys.find(({ hash }, at) => hashes.indexOf(hash) < at);
  if (same) yield `keys holds the same key twice, the second time as ${JSON.stringify(same.id)}.`;
  const reserved = upstreams.find(({ name }) => RESERVED.includes(name));
  if (reserved)
    yield `upstreams holds ${JSON.stringify(reserved.name)}, which is a path of the gateway's own; give it another name.`;
  for (const [at, { when }] of policies.entries()) {
    yield* unknown(
      `policies[${at}].when.upstream`,
      when?.upstream,
      upstreams.map(({ name }) => name),
    );
    yield* unknown(
      `policies[${at}].when.key`,
      when?.key,
      keys.map(({ id }) => id),
    );
  }
}

const RESERVED = ['v1', 'v1beta', 'compact', 'healthz', 'readyz', 'metrics', 'openapi.json', 'ui'];

function* twice(where: string, names: readonly string[]): Generator<string> {
  const again = names.find((name, at) => names.indexOf(name) < at);
  if (again !== undefined) yield `${where} holds ${JSON.stringify(again)} twice; names are unique.`;
}

function* unknown(where: string, name: string | undefined, known: readonly string[]): Generator<string> {
  if (name === undefined || known.includes(name)) return;
  yield `${where} is ${JSON.stringify(name)}; there ${known.length === 0 ? 'is none' : `are ${known.join(', ')}`}.`;
}

function* ruleProblems(rule: PolicyRule, at: number): Generator<string> {
  try {
    policyNamed(rule.preset ?? 'epitome', {
      window: rule.window ?? ASSUMED_WINDOW,
      ...(rule.target === undefined ? {} : { target: rule.target }),
      ...(rule.preset === undefined ? {} : rule.options),
    });
  } catch (error) {
    if (!isCompactionError(error)) throw error;
    yield `policies[${at}]: ${error.message}`;
  }
  if (rule.preset === undefined && rule.options !== undefined) {
    yield `policies[${at}].options is given without a preset; name the preset they are for.`;
  }
}

/** What is said of a target that is larger than its window. */
export function aboveWindow(target: number, window: number): string {
  return `The target of ${target} tokens is larger than the window of ${window} tokens; a compaction aims below its window.`;
}

/** A rule's figures, with those of rules for all requests in front of it. */
function* targetProblems({ policies }: Config): Generator<string> {
  let common: Pick<PolicyRule, 'window' | 'target'> = {};
  for (const [at, rule] of policies.entries()) {
    const { window = common.window, target = common.target } = rule;
    const isOwn = rule.window !== undefined || rule.target !== undefined;
    if (isOwn && window !== undefined && target !== undefined && target > window)
      yield `policies[${at}]: ${aboveWindow(target, window)}`;
    if (rule.when === undefined)
      common = { ...(window === undefined ? {} : { window }), ...(target === undefined ? {} : { target }) };
  }
}

function* keyProblems({ keys, upstreams }: Config): Generator<string> {
  const bare = upstreams.find(({ key }) => key === undefined);
  // With client keys the caller's header holds a key of ours, which no provider knows.
  if (keys.length > 0 && bare) {
    yield `upstreams holds ${JSON.stringify(bare.name)} without a key; with client keys each upstream needs one of its own.`;
  }
}
