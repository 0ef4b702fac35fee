import type { Config, Dialect } from '@epitome/gateway';
import { widest } from './text.ts';

// What clients of each protocol read, and where in the gateway their paths begin.
const VARIABLES: readonly (readonly [string, string, readonly Dialect[]])[] = [
  ['OPENAI_BASE_URL', '/v1', ['openai-chat', 'openai-responses']],
  ['ANTHROPIC_BASE_URL', '', ['anthropic']],
  ['GOOGLE_GEMINI_BASE_URL', '', ['gemini']],
];

/** Where a gateway listens and what to set in a client. */
export function welcome(config: Config, { port, store }: { readonly port: number; readonly store: string }): string {
  const host = config.listen.host.includes(':') ? `[${config.listen.host}]` : config.listen.host;
  const url = `http://${host}:${port}`;
  const settings = VARIABLES.flatMap(([name, path, dialects]) => {
    const upstream = config.upstreams.find((each) => dialects.some((dialect) => each.dialects.includes(dialect)));
    return upstream === undefined ? [] : [[`export ${name}=${url}${path}`, new URL(upstream.baseUrl).host] as const];
  });
  const width = widest(settings.map(([line]) => line));
  const lines = settings.map(([line, target]) => `  ${line.padEnd(width)}  # goes on to ${target}`);
  const keys =
    config.keys.length > 0
      ? "Clients send one of the configuration's keys."
      : 'Clients send the key of their provider; it goes through and is not kept.';
  return [
    `Epitome listens on ${url} and keeps conversations in ${store}.`,
    '',
    'Point a client at it:',
    ...lines,
    '',
    keys,
    `${url}/v1/conversations lists what was seen${config.sharedTenant === undefined ? ', for the key it is asked with' : ''}; Ctrl-C stops when open answers are done.`,
    '',
  ].join('\n');
}
