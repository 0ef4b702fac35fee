import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { VARIABLES } from '../../src/config/environment.ts';
import { isConfigError } from '../../src/config/errors.ts';
import { REQUEST_HEADERS } from '../../src/config/headers.ts';
import { hashOf, loadConfig, readConfig } from '../../src/config/load.ts';
import { configJsonSchema } from '../../src/config/schema.ts';
import { type ConfigNews, watchConfig } from '../../src/config/watch.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-config-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CANARY = 'sk-canary-71b0c3';
const read = (text: string, env: Record<string, string> = {}) =>
  readConfig(text, { where: 'gateway.yaml', env, folder });

const problem = (text: string, env: Record<string, string> = {}): string => {
  try {
    read(text, env);
  } catch (error) {
    if (isConfigError(error)) return error.message;
    throw error;
  }
  throw new Error('It was accepted.');
};

test('nothing at all is a configuration: loopback, the three providers, callers bring their keys', () => {
  const config = read('');
  expect(config.listen).toEqual({ host: '127.0.0.1', port: 4141 });
  expect(config.upstreams.map(({ name, dialects }) => [name, ...dialects])).toEqual([
    ['openai', 'openai-chat', 'openai-responses'],
    ['anthropic', 'anthropic'],
    ['gemini', 'gemini'],
  ]);
  expect(config.keys).toEqual([]);
  expect(config.limits.bodyBytes).toBe(64 * 1024 ** 2);
});

test('a whole file is read, units and all', () => {
  writeFileSync(join(folder, 'openai.key'), `${CANARY}\n`);
  const config = read(
    `
listen: { host: 0.0.0.0, port: 8080 }
upstreams:
  - name: main
    baseUrl: https://api.example.com/llm
    dialects: [openai-chat]
    key: { file: openai.key }
    headers: { x-org: acme }
models:
  - { match: 'own-*', window: 32k, prices: { input: 1, output: 2 } }
policies:
  - { preset: threshold, options: { buffer: 5000 } }
  - { when: { model: 'gpt-*' }, target: 16k }
keys:
  - { id: ci, secret: { env: CI_KEY }, scopes: [proxy], expires: 2027-01-31, budget: { tokensPerDay: 1m } }
limits: { bodyBytes: 8MB }
timeouts: { upstream: 2m }
`,
    { CI_KEY: 'the-key-of-ci' },
  );
  expect(config.upstreams[0]).toEqual({
    name: 'main',
    baseUrl: 'https://api.example.com/llm',
    dialects: ['openai-chat'],
    key: CANARY,
    headers: { 'x-org': 'acme' },
  });
  expect(config.models?.[0]?.window).toBe(32_000);
  expect(config.policies[1]).toEqual({ when: { model: 'gpt-*' }, target: 16_000 });
  expect(config.keys[0]).toEqual({
    id: 'ci',
    hash: hashOf('the-key-of-ci'),
    tenant: 'ci',
    scopes: ['proxy'],
    expiresAt: Date.parse('2027-01-31'),
    budget: { tokensPerDay: 1_000_000 },
  });
  expect(config.limits.bodyBytes).toBe(8 * 1024 ** 2);
  expect(config.timeouts.upstream).toBe(120_000);
});

test.each<[what: string, text: string, said: RegExp]>([
  ['an unknown key', 'listenn: 1', /listenn is no setting/],
  ['a nested unknown key', 'listen: { hots: x }', /listen\.hots is no setting \(line 1\)/],
  ['a port out of range', 'listen: { port: 70000 }', /listen\.port is 70000 \(line 1\); it takes at most 65535/],
  ['a port that is text', 'listen: { port: many }', /listen\.port is "many" \(line 1\); it takes a number/],
  ['a list for a table', 'listen: [1]', /listen is a list \(line 1\); it takes a table/],
  ['a size without sense', 'limits: { bodyBytes: lots }', /limits\.bodyBytes is "lots" .*64MB/],
  ['a size out of range', 'limits: { bodyBytes: 10 }', /limits\.bodyBytes is 10 .*it takes 1024 to 1073741824 bytes/],
  [
    'a target above its window',
    'policies: [{ window: 8000, target: 16000 }]',
    /policies\[0\]: The target of 16000 tokens is larger than the window of 8000 tokens/,
  ],
  [
    'a target above the window of a rule for all',
    'policies: [{ window: 8000 }, { when: { model: "gpt-*" }, target: 16000 }]',
    /policies\[1\]: The target of 16000 tokens is larger than the window of 8000 tokens/,
  ],
  ['a log level', 'log: loud', /log is "loud" .*"silent", "error", "warn", "info", "debug"/],
  ['not YAML', 'listen: {', /line \d: /],
  ['a tab', 'listen:\n\tport: 1', /line 2: /],
  [
    'an upstream without dialects',
    'upstreams: [{ name: a, baseUrl: "http://x", dialects: [] }]',
    /dialects .*1 or more entries/,
  ],
  [
    'a file address',
    'upstreams: [{ name: a, baseUrl: "file:///x", dialects: [gemini] }]',
    /baseUrl is "file:\/\/\/x" .*http or https/,
  ],
  [
    'an address with a password',
    `upstreams: [{ name: a, baseUrl: "http://u:p@x", dialects: [gemini] }]`,
    /baseUrl .*without user/,
  ],
  [
    'an address where a cloud keeps credentials',
    'upstreams: [{ name: a, baseUrl: "http://169.254.169.254", dialects: [gemini] }]',
    /upstreams\[0\]\.baseUrl is "http:\/\/169\.254\.169\.254", an address of a private network/,
  ],
  [
    'the same address inside IPv6',
    'upstreams: [{ name: a, baseUrl: "http://[::ffff:169.254.169.254]", dialects: [gemini] }]',
    /an address of a private network; set allowPrivate/,
  ],
  [
    'a private address that is said not to be allowed',
    'upstreams: [{ name: a, baseUrl: "http://10.0.0.1", dialects: [gemini], allowPrivate: false }]',
    /an address of a private network; set allowPrivate/,
  ],
  [
    'a key in the file',
    `upstreams: [{ name: a, baseUrl: "http://x", dialects: [gemini], key: ${CANARY} }]`,
    /upstreams\[0\]\.key .*env: NAME/,
  ],
  [
    'a variable that is not set',
    'upstreams: [{ name: a, baseUrl: "http://x", dialects: [gemini], key: { env: NOPE } }]',
    /key comes from the variable NOPE, which is not set/,
  ],
  [
    'a file that is not there',
    'upstreams: [{ name: a, baseUrl: "http://x", dialects: [gemini], key: { file: nope } }]',
    /key comes from the file nope, which cannot be read/,
  ],
  [
    'two upstreams of one name',
    'upstreams: [{ name: a, baseUrl: "http://x", dialects: [gemini] }, { name: a, baseUrl: "http://y", dialects: [gemini] }]',
    /upstreams holds "a" twice/,
  ],
  [
    'a name that is a path of ours',
    'upstreams: [{ name: metrics, baseUrl: "http://x", dialects: [gemini] }]',
    /"metrics", which is a path/,
  ],
  [
    'a public address without keys',
    'listen: { host: 0.0.0.0 }',
    /listen\.host is "0\.0\.0\.0", which others can reach/,
  ],
  ['all addresses of IPv6 without keys', 'listen: { host: "::" }', /others can reach/],
  ['a name like loopback', 'listen: { host: 127.0.0.1.example.com }', /others can reach/],
  ['a shared tenant in public', 'listen: { host: 10.0.0.1 }\nsharedTenant: all', /sharedTenant is "all"/],
  ['client keys without a key of the upstream', `keys: [{ id: a, hash: ${'a'.repeat(64)} }]`, /"openai" without a key/],
  ['a key without hash', 'keys: [{ id: a }]', /keys\[0\] needs one of hash and secret/],
  ['a hash that is none', 'keys: [{ id: a, hash: 12 }]', /keys\[0\]\.hash is not as it should be/],
  [
    'an unknown scope',
    `keys: [{ id: a, hash: ${'a'.repeat(64)}, scopes: [root] }]`,
    /scopes\[0\] is "root" .*"proxy", "read", "admin"/,
  ],
  ['an unknown preset', 'policies: [{ preset: best }]', /policies\[0\]: There is no preset "best"/],
  [
    'an option out of range',
    'policies: [{ preset: snapshot, options: { preserveRatio: 7 } }]',
    /policies\[0\]: .*preserveRatio/,
  ],
  [
    'options without preset',
    'policies: [{ options: { keep: 1 } }]',
    /policies\[0\]\.options is given without a preset/,
  ],
  [
    'a rule for an upstream that is not there',
    'policies: [{ when: { upstream: azure } }]',
    /policies\[0\]\.when\.upstream is "azure"; there are openai, anthropic, gemini/,
  ],
  ['a window too small', 'policies: [{ window: 10 }]', /policies\[0\]\.window is 10 .*256 to 1000000000 tokens/],
])('%s is refused with its place, its value and what it takes', (_what, text, said) => {
  const message = problem(text, {});
  expect(message).toMatch(said);
  expect(message).not.toContain(CANARY);
  expect(message).not.toMatch(/\n\s+at /);
});

test('the example is a configuration, and the guide names every setting and variable', () => {
  const root = new URL('../../../../', import.meta.url);
  writeFileSync(join(folder, 'vllm.key'), 'k');
  const names = ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'BATCH_KEY', 'OPERATIONS_KEY'];
  const env = Object.fromEntries(names.map((name) => [name, `key-of-${name}`]));
  const config = read(readFileSync(new URL('examples/gateway/gateway.yaml', root), 'utf8'), env);
  expect(config.upstreams.map(({ name }) => name)).toEqual(['openai', 'anthropic', 'local']);
  const guide = readFileSync(new URL('docs/guides/gateway.md', root), 'utf8');
  const { properties } = JSON.parse(JSON.stringify(configJsonSchema()));
  for (const key of Object.keys(properties)) expect(guide).toMatch(new RegExp(`^\\| \`${key}`, 'm'));
  for (const variable of Object.keys(VARIABLES)) expect(guide).toContain(variable);
  for (const header of Object.keys(REQUEST_HEADERS)) expect(guide).toContain(header);
});

test('all problems are told at once', () => {
  expect(problem('log: loud\nlisten: { port: -1 }').split('\n')).toHaveLength(3);
});

test('the environment wins over the file, and its problems are told alike', () => {
  const config = read('listen: { port: 1 }\nlog: debug', {
    EPITOME_GATEWAY_PORT: '9000',
    EPITOME_UPSTREAM_OPENAI: 'http://127.0.0.1:1',
  });
  expect(config.listen).toEqual({ host: '127.0.0.1', port: 9000 });
  expect(config.log).toBe('debug');
  expect(config.upstreams[0]?.baseUrl).toBe('http://127.0.0.1:1');
  expect(problem('', { EPITOME_GATEWAY_PORT: 'x' })).toMatch(/listen\.port is "x"/);
});

test.each([
  ['a password', 'https://user:p4ss@x.example'],
  ['a password with signs of an address', 'https://user:p4ss/?#@p4ss@x.example'],
  ['a password without a protocol', 'user:p4ss@x.example'],
  ['a key in the query', 'https://x.example?key=p4ss'],
  ['a key in the fragment', 'https://x.example#p4ss'],
  ['a password far behind', `https://${'u'.repeat(80)}:p4ss@x.example`],
])('%s of an address is not repeated in an error of the start', (_what, address) => {
  for (const said of [
    problem(`upstreams: [{ name: a, baseUrl: ${JSON.stringify(address)}, dialects: [anthropic] }]`),
    problem('', { EPITOME_UPSTREAM_OPENAI: address }),
  ]) {
    expect(said).toMatch(/upstreams\[0\]\.baseUrl is ".*redacted/);
    expect(said).not.toContain('p4ss');
  }
});

test('what a variable or an option said is not blamed on a line of the file', () => {
  const said = problem('listen: { host: localhost, port: 4000 }', { EPITOME_GATEWAY_PORT: '99999' });
  expect(said).toContain('listen.port is 99999 (from EPITOME_GATEWAY_PORT or its option, not from a file)');
  expect(said).not.toContain('line');
  expect(problem('log: info', { EPITOME_UPSTREAM_OPENAI: 'nowhere' })).toContain('from EPITOME_UPSTREAM_OPENAI');
  expect(problem('log: loud', { EPITOME_GATEWAY_PORT: '1' })).toContain('(line 1)');
});

test('a gateway without upstreams is refused, and told what to do', () => {
  expect(problem('upstreams: []')).toMatch(/upstreams is empty.*name one, or leave it out/);
});

test('a file that is not there is one clear line', () => {
  expect(() => loadConfig({ path: join(folder, 'nope.yaml'), env: {} })).toThrow(/cannot be read \(ENOENT\)/);
});

test('the JSON Schema names every setting of a file', () => {
  const schema = JSON.parse(JSON.stringify(configJsonSchema()));
  expect(Object.keys(schema.properties).sort()).toEqual([...Object.keys(read('')), 'sharedTenant', 'store'].sort());
  expect(schema.additionalProperties).toBe(false);
});

test('a changed file holds from then on; a broken one is told, and the old one stays', async () => {
  const path = join(folder, 'watched.yaml');
  writeFileSync(path, 'log: info');
  const news: ConfigNews[] = [];
  const watch = watchConfig({ path, env: {} }, (each) => news.push(each), { intervalMs: 20 });
  const until = async (count: number): Promise<void> => {
    for (let tries = 0; news.length < count && tries < 500; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 20));
  };
  try {
    writeFileSync(`${path}.new`, 'log: debug\nlisten: { port: 5000 }');
    renameSync(`${path}.new`, path);
    await until(1);
    expect(watch.current().log).toBe('debug');
    expect(news[0]).toMatchObject({ kind: 'changed', restart: ['listen'] });
    expect(watch.current().listen.port).toBe(4141);
    writeFileSync(path, 'log: [');
    expect(watch.reload()).toMatchObject({ kind: 'kept', problem: expect.stringContaining('line 1') });
    expect(watch.current().log).toBe('debug');
  } finally {
    watch.close();
  }
});
