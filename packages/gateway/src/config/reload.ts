import type { Config } from '../model/config.ts';
import { bindProblems, crossProblems } from './check.ts';
import { ConfigError } from './errors.ts';
import type { Source } from './load.ts';

/** What only a restart changes. */
export const FIXED = ['listen', 'store'] as const;

/**
 * What a running gateway comes to with a new configuration: where it listens and what it stores in stay. Throws `ConfigError`
 * where the two together are what no gateway is started with, such as keys gone while others can still reach it.
 */
export function whileRunning(next: Config, { listen, store }: Config): Config {
  const { store: _, ...rest } = next;
  const result = { ...rest, listen, ...(store === undefined ? {} : { store }) };
  const exposed = [
    ...bindProblems(result, { where: `it listens on ${listen.host} until a restart`, or: 'restart it' }),
  ];
  const problems = exposed.length > 0 ? exposed : crossProblems(result);
  if (problems.length > 0) throw new ConfigError('the new configuration', problems);
  return result;
}

/**
 * Throws `ConfigError` where a file that was read again says less than before of what keeps strangers out, and keys with whom they are
 * for: a save caught halfway looks like that. Who means it says so in the file.
 */
export function checkWhole(next: Source, before: Source): void {
  if (next.says === 'nothing' && before.says !== 'nothing')
    throw new ConfigError(next.where, ['there is nothing in it any more; where the defaults are meant, write {}.']);
  const problems = LASTING.flatMap(({ key, remedy }) => {
    const isLost = isNamed(before, key) && before.config[key].length > 0 && !isNamed(next, key);
    return isLost ? [`${key} is not there any more, as in a file that was saved halfway; ${remedy}.`] : [];
  });
  if (problems.length > 0) throw new ConfigError(next.where, problems);
}

const LASTING = [
  { key: 'keys', remedy: 'write `keys: []` where callers are to bring the key of their provider' },
  { key: 'upstreams', remedy: 'name them, or restart for OpenAI, Anthropic and Gemini' },
] as const;

function isNamed({ says }: Source, key: string): boolean {
  return says !== 'nothing' && says.includes(key);
}
