import {
  type Config,
  type ConfigNews,
  createGateway,
  createLogger,
  type Gateway,
  type GatewayPorts,
  isConfigError,
  type PolicyRule,
  watchConfig,
} from '@epitome/gateway';
import { LOCAL_TENANT, locationOf, nameOf, openStore } from '@epitome/store';
import { policyNamed } from 'epitome';
import { aborted } from '../aborted.ts';
import { messageOf, systemCode, UsageError } from '../errors.ts';
import { openSummarizer } from '../models/summarizer.ts';
import { positive, seconds } from '../options.ts';
import { columns } from '../output/text.ts';
import { welcome } from '../output/welcome.ts';
import { writeOut } from '../output/write.ts';
import { tenantNamed } from '../store-options.ts';
import { runImport } from './import.ts';

/** Options of `serve`. */
export type ServeOptions = {
  readonly config?: string;
  readonly host?: string;
  readonly port?: string;
  readonly store?: string;
  readonly tenant?: string;
  readonly summarizer?: string;
  readonly summarizerWindow?: string;
  readonly timeout?: string;
  readonly preset?: string;
  readonly window?: string;
  readonly log?: string;
  readonly import?: readonly string[];
};

/** Serves clients until it is stopped. Returns the exit code. */
export async function runServe(options: ServeOptions, signal: AbortSignal): Promise<number> {
  const source = { ...(options.config === undefined ? {} : { path: options.config }), env: environmentOf(options) };
  const flags = flagsOf(options);
  let onNews = (_news: ConfigNews): void => {};
  const watch = reading(() => watchConfig(source, (news) => onNews(news)));
  try {
    const config = flags(watch.current());
    await importFirst(options, config, signal);
    const engineOf = engineMaker(options);
    const engine = await engineOf(config);
    const location = locationOf(config.store);
    // Clients send their histories again: what a power cut takes comes back with the next request.
    const store = await openStore(location, { durability: 'process' });
    const logger = createLogger(config.log);
    const gateway = createGateway(config, { store, engine, logger });
    onNews = reloader({ gateway, logger, engineOf, flags, config });
    const hangUp = (): void => void watch.reload();
    process.on('SIGHUP', hangUp);
    try {
      const { port } = await listening(gateway.listen(), config);
      await writeOut(welcome(config, { port, store: nameOf(location), width: columns() }));
      await aborted(signal);
      await gateway.close();
    } finally {
      process.off('SIGHUP', hangUp);
      await store.close();
    }
  } finally {
    watch.close();
  }
  return 0;
}

/** What the command line says goes where the environment says it, so that the same checks hold for both. */
function environmentOf({ host, port, store, summarizer, log }: ServeOptions): NodeJS.ProcessEnv {
  return {
    ...process.env,
    ...(host === undefined ? {} : { EPITOME_GATEWAY_HOST: host }),
    ...(port === undefined ? {} : { EPITOME_GATEWAY_PORT: port }),
    ...(store === undefined ? {} : { EPITOME_STORE: store }),
    ...(summarizer === undefined ? {} : { EPITOME_GATEWAY_SUMMARIZER: summarizer }),
    ...(log === undefined ? {} : { EPITOME_GATEWAY_LOG: log }),
  };
}

// Any preset has room in it.
const ROOMY = 128_000;

/** Puts what has no variable over a configuration; the rules of a file stand behind that of the command line. */
function flagsOf({ tenant, preset, window }: ServeOptions): (config: Config) => Config {
  const rule: PolicyRule = {
    ...(preset === undefined ? {} : { preset }),
    ...(window === undefined ? {} : { window: positive('--window', window) }),
  };
  // One that no request could be served by is told now, as one of the file would be.
  policyNamed(rule.preset ?? 'epitome', { window: rule.window ?? ROOMY });
  if (tenant !== undefined) tenantNamed(tenant);
  return (config) => {
    const isOpen = tenant !== undefined && config.keys.length > 0;
    if (isOpen) throw new UsageError('--tenant is for callers without client keys; the configuration has some.');
    return {
      ...config,
      policies: Object.keys(rule).length === 0 ? config.policies : [rule, ...config.policies],
      ...(tenant === undefined ? {} : { sharedTenant: tenant }),
    };
  };
}

type MakeEngine = (config: Config) => Promise<EnginePorts>;
type EnginePorts = NonNullable<GatewayPorts['engine']>;

function engineMaker({ summarizerWindow, timeout }: ServeOptions): MakeEngine {
  const limits = {
    ...(summarizerWindow === undefined ? {} : { summarizerWindow: positive('--summarizer-window', summarizerWindow) }),
    ...(timeout === undefined ? {} : { timeoutMs: seconds('--timeout', timeout) * 1000 }),
  };
  return async (config) => {
    // The gateway asks again itself: an SDK that waits would hold up the turn.
    const summarizer = await openSummarizer(config.summarizer, process.env, { maxRetries: 0 });
    return { ...limits, ...(summarizer === undefined ? {} : { summarizer }) };
  };
}

type Reloading = {
  readonly gateway: Gateway;
  readonly logger: ReturnType<typeof createLogger>;
  readonly engineOf: MakeEngine;
  readonly flags: (config: Config) => Config;
  readonly config: Config;
};

/** Puts in force what a watcher tells, one after the other; what cannot be is told, and the old goes on. */
function reloader({ gateway, logger, engineOf, flags, config }: Reloading): (news: ConfigNews) => void {
  let { summarizer } = config;
  let applied = Promise.resolve();
  const kept = (problem: string): void => logger.warn({ problems: problem.split('\n') }, 'config kept');
  const apply = async (news: ConfigNews): Promise<void> => {
    if (news.kind === 'kept') return kept(news.problem);
    try {
      const next = flags(news.config);
      // What is known of a summarizer's faults holds as long as it is the same.
      gateway.reload(next, next.summarizer === summarizer ? undefined : await engineOf(next));
      summarizer = next.summarizer;
      // What waits for a restart is not in force, which somebody may have to see to.
      const level = news.restart.length === 0 ? 'info' : 'warn';
      logger[level]({ restart: news.restart }, 'config changed');
    } catch (cause) {
      news.refuse();
      kept(messageOf(cause));
    }
  };
  return (news) => {
    applied = applied.then(() => apply(news));
  };
}

async function importFirst(options: ServeOptions, config: Config, signal: AbortSignal): Promise<void> {
  if (options.import === undefined) return;
  const tenant = options.tenant ?? config.sharedTenant ?? LOCAL_TENANT;
  const store = config.store === undefined ? {} : { store: config.store };
  await runImport(options.import, { ...store, tenant, quiet: true }, signal);
}

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (isConfigError(cause)) throw new UsageError(cause.message);
    throw cause;
  }
}

async function listening<T>(starting: Promise<T>, { listen }: Config): Promise<T> {
  try {
    return await starting;
  } catch (cause) {
    const why = WHY[systemCode(cause) ?? ''];
    if (why === undefined) throw cause;
    throw new UsageError(`Cannot listen on ${listen.host}:${listen.port}: ${why}.`);
  }
}

const WHY: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something else does already; take another with --port, or 0 for any',
  EACCES: 'this user may not; take a port from 1024 on with --port',
  EADDRNOTAVAIL: 'this machine has no such address; take another with --host',
  ENOTFOUND: 'there is no such host; take another with --host',
};
