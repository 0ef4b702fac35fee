import { unwatchFile, watchFile } from 'node:fs';
import type { Config } from '../model/config.ts';
import { isConfigError } from './errors.ts';
import { type ConfigSource, loadConfig } from './load.ts';

/** What a watcher tells. */
export type ConfigNews =
  /** A new configuration holds; `restart` names settings that need a restart and stay as they were. */
  | { readonly kind: 'changed'; readonly config: Config; readonly restart: readonly string[] }
  /** It could not be used; the old one goes on. */
  | { readonly kind: 'kept'; readonly problem: string };

/** A configuration that follows its file. */
export type ConfigWatch = {
  readonly current: () => Config;
  /** Reads it again now, as on SIGHUP. */
  readonly reload: () => ConfigNews;
  readonly close: () => void;
};

/** Keeps a configuration up to date with its file: an invalid one is told and the old one stays. */
export function watchConfig(
  source: ConfigSource,
  onNews: (news: ConfigNews) => void,
  { intervalMs = 1000 }: { readonly intervalMs?: number } = {},
): ConfigWatch {
  let current = loadConfig(source);
  const reload = (): ConfigNews => {
    const news = readAgain(source, current);
    if (news.kind === 'changed') current = news.config;
    onNews(news);
    return news;
  };
  const { path } = source;
  // Polling sees files that are replaced by renaming or through a link, as orchestrators do.
  const listener = (): void => void reload();
  if (path !== undefined) watchFile(path, { interval: intervalMs, persistent: false }, listener);
  return {
    current: () => current,
    reload,
    close: () => {
      if (path !== undefined) unwatchFile(path, listener);
    },
  };
}

function readAgain(source: ConfigSource, old: Config): ConfigNews {
  try {
    const config = loadConfig(source);
    const restart = FIXED.filter((key) => JSON.stringify(config[key]) !== JSON.stringify(old[key]));
    return { kind: 'changed', config: { ...config, ...fixedOf(old) }, restart };
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return { kind: 'kept', problem: error.message };
  }
}

const FIXED = ['listen', 'store'] as const;

function fixedOf({ listen, store }: Config): Pick<Config, 'listen' | 'store'> {
  return { listen, ...(store === undefined ? {} : { store }) };
}
