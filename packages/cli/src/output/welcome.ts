import type { Config, Dialect } from '@epitome/gateway';
import { widest, wrapLines } from './text.ts';

// What clients of each protocol read, and where in the gateway their paths begin.
const VARIABLES: readonly (readonly [string, string, readonly Dialect[]])[] = [
  ['OPENAI_BASE_URL', '/v1', ['openai-chat', 'openai-responses']],
  ['ANTHROPIC_BASE_URL', '', ['anthropic']],
  ['GOOGLE_GEMINI_BASE_URL', '', ['gemini']],
];

/** Where a gateway is, and how wide the terminal that is told. */
type Serving = { readonly port: number; readonly store: string; readonly width: number };

/** Where a gateway listens and what to set in a client; what is to be copied is never broken. */
export function welcome(config: Config, { port, store, width }: Serving): string {
  const host = config.listen.host.includes(':') ? `[${config.listen.host}]` : config.listen.host;
  const url = `http://${host}:${port}`;
  const settings = VARIABLES.flatMap(([name, path, dialects]) => {
    const upstream = config.upstreams.find((each) => dialects.some((dialect) => each.dialects.includes(dialect)));
    return upstream === undefined ? [] : [[`export ${name}=${url}${path}`, new URL(upstream.baseUrl).host] as const];
  });
  const column = widest(settings.map(([line]) => line));
  const beside = settings.map(([line, target]) => `  ${line.padEnd(column)}  # goes on to ${target}`);
  // Where a remark has no room behind its command it stands above.
  const above = settings.flatMap(([line, target]) => [`  # to ${target}`, `  ${line}`]);
  const lines = widest(beside) <= width ? beside : above;
  const keys =
    config.keys.length > 0
      ? "Clients send one of the configuration's keys."
      : 'Clients send the key of their provider; it goes through and is not kept.';
  const prose = (...sentences: readonly string[]): string => wrapLines(sentences.join('\n'), width);
  const whose = config.sharedTenant === undefined ? ', for the key it is asked with' : '';
  return [
    prose(`Epitome listens on ${url} and keeps conversations in ${store}.`, '', 'Point a client at it:'),
    ...lines,
    prose(
      '',
      keys,
      `${url}/v1/conversations lists what was seen${whose}; Ctrl-C stops when open answers are done.`,
      '',
    ),
  ].join('\n');
}
