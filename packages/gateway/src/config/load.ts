import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { ClientKey, Config } from '../model/config.ts';
import type { Upstream } from '../model/dialect.ts';
import { crossProblems } from './check.ts';
import { variableFor, withEnvironment } from './environment.ts';
import { ConfigError } from './errors.ts';
import { type Parsed, parseConfig } from './parse.ts';
import { problemsOf } from './problems.ts';
import { type FileConfig, fileSchema } from './schema.ts';
import { readSecret, type SecretPlaces, type SecretSource } from './secrets.ts';

/** Where a configuration is read from. */
export type ConfigSource = {
  /** A file of YAML or JSON; without one the environment alone decides. */
  readonly path?: string;
  /** @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>;
};

/** A configuration as it was read, and which settings its file names. */
export type Source = {
  readonly where: string;
  readonly config: Config;
  readonly says: readonly string[] | 'nothing';
};

/** Reads and checks a configuration; throws `ConfigError` that names every problem. */
export function loadConfig(source: ConfigSource = {}): Config {
  return readSource(source).config;
}

/** Reads and checks a configuration, for one that may have been read before. */
export function readSource({ path, env = process.env }: ConfigSource): Source {
  const where = path ?? 'environment and options';
  const text = path === undefined ? '' : textOf(path);
  const parsed = parseConfig(text, where);
  const folder = path === undefined ? process.cwd() : dirname(resolve(path));
  const says = parsed.value === null ? 'nothing' : Object.keys(Object(parsed.value));
  return { where, says, config: checkedConfig(parsed, { where, env, folder }) };
}

/** Checks a configuration that is given as text. */
export function readConfig(text: string, places: SecretPlaces & { readonly where: string }): Config {
  return checkedConfig(parseConfig(text, places.where), places);
}

function checkedConfig(parsed: Parsed, { where, ...places }: SecretPlaces & { readonly where: string }): Config {
  const value = withEnvironment(parsed.value ?? {}, places.env);
  const result = fileSchema.safeParse(value);
  if (!result.success) {
    const placeOf = (path: readonly PropertyKey[]): string | undefined => placeIn(parsed, path, places.env);
    throw new ConfigError(where, problemsOf(result.error.issues, { value, placeOf }));
  }
  const problems: string[] = [];
  const config = configOf(result.data, { ...places, problems });
  for (const problem of crossProblems(config)) problems.push(problem);
  if (problems.length > 0) throw new ConfigError(where, problems);
  return config;
}

/** Where something was said: a line of the file, or what wins over it. */
function placeIn(
  { value, lineOf }: Parsed,
  path: readonly PropertyKey[],
  env: SecretPlaces['env'],
): string | undefined {
  const variable = variableFor(path, value, env);
  if (variable !== undefined) return `from ${variable} or its option, not from a file`;
  const line = lineOf(path);
  return line === undefined ? undefined : `line ${line}`;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown error';
    throw new ConfigError(path, [`the file cannot be read (${code}).`]);
  }
}

type Places = SecretPlaces & { readonly problems: string[] };

function configOf(file: FileConfig, places: Places): Config {
  const { sharedTenant, store, ...rest } = file;
  return {
    ...rest,
    ...(sharedTenant === undefined ? {} : { sharedTenant }),
    ...(store === undefined ? {} : { store }),
    models: file.models.map(({ match, window, prices }) => ({
      match,
      ...(window === undefined ? {} : { window }),
      ...(prices === undefined ? {} : { prices: defined(prices) }),
    })),
    policies: file.policies.map(({ when, ...rule }) => ({
      ...defined(rule),
      ...(when ? { when: defined(when) } : {}),
    })),
    upstreams: (file.upstreams ?? []).map((each, at) => upstreamOf(each, at, places)),
    keys: file.keys.flatMap((each, at) => keyOf(each, at, places)),
  };
}

function upstreamOf(upstream: NonNullable<FileConfig['upstreams']>[number], at: number, places: Places): Upstream {
  const { key: source, ...rest } = upstream;
  const key = source && secretOf(`upstreams[${at}].key`, source, places);
  return { ...defined(rest), ...(key === undefined ? {} : { key }) };
}

function keyOf(key: FileConfig['keys'][number], at: number, places: Places): readonly ClientKey[] {
  const { id, tenant = id, hash, secret, scopes, expires, budget } = key;
  if ((hash === undefined) === (secret === undefined)) {
    places.problems.push(`keys[${at}] needs one of hash and secret.`);
    return [];
  }
  const value = secret && secretOf(`keys[${at}].secret`, secret, places);
  const digest = hash?.toLowerCase() ?? (value === undefined ? undefined : hashOf(value));
  if (digest === undefined) return [];
  return [
    {
      id,
      hash: digest,
      tenant,
      scopes,
      ...(expires === undefined ? {} : { expiresAt: Date.parse(expires) }),
      ...(budget === undefined ? {} : { budget: defined(budget) }),
    },
  ];
}

/** SHA-256 of a key, in hex: all that is kept of one. */
export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function secretOf(where: string, source: SecretSource, places: Places): string | undefined {
  const found = readSecret(source, places);
  if ('value' in found) return found.value;
  places.problems.push(`${where} ${found.problem}.`);
  return undefined;
}

type Defined<Value> = { [Key in keyof Value]: Exclude<Value[Key], undefined> };

// Optional fields of a checked file may be there as `undefined`.
function defined<Value extends object>(value: Value): Defined<Value> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<Value>;
}
