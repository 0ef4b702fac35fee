import { statSync } from 'node:fs';
import type { Config } from '../model/config.ts';
import { isConfigError } from './errors.ts';
import { type ConfigSource, readSource, type Source } from './load.ts';
import { checkWhole, FIXED, whileRunning } from './reload.ts';

/** What a watcher tells. */
export type ConfigNews =
  /** A new configuration holds; `restart` names settings that need a restart and stay as they were. */
  | {
      readonly kind: 'changed';
      readonly config: Config;
      readonly restart: readonly string[];
      /** Says that it could not be put in force: what is read next is held against what was there before. */
      readonly refuse: () => void;
    }
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
  const { path } = source;
  // Looked at before it is read: what changes in between is seen as a change.
  let seen = stampOf(path);
  let current = readSource(source);
  const reload = (): ConfigNews => {
    // Else the next look would tell the same once more.
    seen = stampOf(path);
    const before = current;
    const again = readAgain(source, before);
    const { read } = again;
    current = read;
    const refuse = (): void => {
      if (current === read) current = before;
    };
    const news: ConfigNews = again.news.kind === 'changed' ? { ...again.news, refuse } : again.news;
    onNews(news);
    return news;
  };
  // Polling sees files that are replaced by renaming or through a link, as orchestrators do.
  const look = (): void => {
    if (stampOf(path) !== seen) reload();
  };
  const timer = path === undefined ? undefined : setInterval(look, intervalMs).unref();
  return {
    current: () => current.config,
    reload,
    close: () => clearInterval(timer),
  };
}

/** What tells one state of a file from another. */
function stampOf(path: string | undefined): string {
  try {
    const found = path === undefined ? undefined : statSync(path, { throwIfNoEntry: false });
    return found === undefined ? '' : `${found.ino} ${found.size} ${found.mtimeMs}`;
  } catch {
    return 'unreadable';
  }
}

type Kept = Extract<ConfigNews, { kind: 'kept' }>;
type Changed = Omit<Extract<ConfigNews, { kind: 'changed' }>, 'refuse'>;
type Again = { readonly news: Changed | Kept; readonly read: Source };

function readAgain(source: ConfigSource, before: Source): Again {
  try {
    const read = readSource(source);
    checkWhole(read, before);
    const config = whileRunning(read.config, before.config);
    const restart = FIXED.filter((key) => JSON.stringify(read.config[key]) !== JSON.stringify(config[key]));
    return { news: { kind: 'changed', config, restart }, read: { ...read, config } };
  } catch (error) {
    if (!isConfigError(error)) throw error;
    return { news: { kind: 'kept', problem: error.message }, read: before };
  }
}
