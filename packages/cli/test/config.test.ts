import { mkdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { session } from './conversations.ts';
import { type Ended, ensureBuilt, run, scratch } from './kit.ts';
import { type ModelServer, startModelServer } from './server.ts';

beforeAll(ensureBuilt, 120_000);
const { path, file } = scratch();

describe('epitome config', () => {
  const user = path('config.yaml');
  const config = (...args: readonly string[]): Promise<Ended> =>
    run(['config', ...args], { env: { EPITOME_CONFIG: user } });

  test('sets, gets, lists, explains and resets, and keeps what else is there', async () => {
    file('config.yaml', '# mine\ncompressionPromptTimeout: 60\n');
    const set = await config('set', 'compressionTriggerTokens', '60k');
    expect(set).toMatchObject({ code: 0, stdout: `compressionTriggerTokens: 60000, saved in ${user}\n`, stderr: '' });
    expect(readFileSync(user, 'utf8')).toBe('# mine\ncompressionPromptTimeout: 60\ncompressionTriggerTokens: 60000\n');
    expect((await config('get', 'compressionTriggerTokens')).stdout).toBe('60000\n');
    const { stdout } = await config('list', '--json');
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({ key: 'compressionTriggerTokens', value: 60_000, from: 'user', default: 40_000 }),
    );
    expect((await config('explain', 'compressionTriggerTokens')).stdout).toContain(
      'takes a whole number from 10000 to 200000; default: 40000',
    );
    await config('reset', 'compressionTriggerTokens');
    expect(readFileSync(user, 'utf8')).toBe('# mine\ncompressionPromptTimeout: 60\n');
    expect((await config('path')).stdout).toBe(`${user}\n`);
  });

  test.each([
    ['an unknown key', ['set', 'compresionInteractive', 'true'], 'did you mean compressionInteractive?'],
    [
      'a value out of range',
      ['set', 'compressionPromptTimeout', '5'],
      'compressionPromptTimeout is 5; it takes a number from 10 to 300.',
    ],
    ['no key', ['reset'], 'takes the name of a setting, or --all'],
  ])('%s ends with 2 and a sentence', async (_name, args, sentence) => {
    const { code, stderr, stdout } = await config(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(sentence);
    expect(stderr).not.toContain('    at ');
  });

  test('a broken file is named with its line, and can be mended', async () => {
    file('config.yaml', 'compressionPromptTimeout: 5\n');
    const { code, stderr } = await config('list');
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `epitome: ${user}: compressionPromptTimeout is 5; it takes a number from 10 to 300.\n`,
    });
    expect((await config('set', 'compressionPromptTimeout', '50')).code).toBe(0);
    expect((await config('get', 'compressionPromptTimeout')).stdout).toBe('50\n');
  });

  test('the schema is JSON Schema', async () => {
    const { stdout } = await config('schema');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'object', additionalProperties: false });
  });
});

describe('epitome compact --config', () => {
  let server: ModelServer;
  beforeAll(async () => {
    server = await startModelServer();
  });
  afterAll(() => server.close());
  const conversation = file('chat.json', session('openai-chat'));
  mkdirSync(path('agents'));
  file('agents/system-prompt-context-summarizer.hbs', 'In a nutshell: {{conversation}}');
  const blocks = file(
    'agents/forge.yaml',
    `name: another program's file
compact:
  max_tokens: 2000
  token_threshold: 2000
  retention_window: 6
  model: openai-compatible/m
  prompt: "{{> system-prompt-context-summarizer.hbs }}"
  summary_tag: "summary"
agents:
  - id: coder
    tools: [shell]
    compact: {retention_window: 2, model: null}
`,
  );
  const compact = (...args: readonly string[]): Promise<Ended> => {
    const env = { OPENAI_COMPATIBLE_BASE_URL: `${server.url}/v1` };
    return run(['compact', conversation, '--config', blocks, '-w', '100k', ...args], { env });
  };

  test('takes prompt, model, tag and thresholds from the block', async () => {
    server.play({ kind: 'text', text: 'Well: <summary>They fixed the steps one by one.</summary>' });
    const { code, stdout, stderr } = await compact();
    expect({ code, isSelective: stderr.includes('preset    selective') }).toEqual({ code: 0, isSelective: true });
    expect(server.received[0]?.body).toContain('In a nutshell: ');
    expect(stdout).toContain('They fixed the steps one by one.');
    expect(stdout).not.toContain('Well:');
  });

  test("an agent's block wins field by field, and options win over both", async () => {
    const planOf = async (...args: readonly string[]): Promise<{ messages: { compressed: number } }> => {
      const { stdout } = await run(['plan', conversation, '--config', blocks, '-w', '100k', '--json', ...args]);
      return JSON.parse(stdout);
    };
    const [global, coder, set] = await Promise.all([
      planOf(),
      planOf('--agent', 'coder'),
      planOf('--set', 'retentionWindow=2'),
    ]);
    expect(coder.messages.compressed).toBe(set.messages.compressed);
    expect(coder.messages.compressed).toBeGreaterThanOrEqual(global.messages.compressed);
  });

  test.each([
    ['an agent that is not there', ['--agent', 'tester'], 'There is no agent "tester"; there are coder.'],
    ['another preset', ['--preset', 'snapshot'], 'is for preset selective, not snapshot; leave --preset out'],
  ])('%s ends with 2 and a sentence', async (_name, args, sentence) => {
    const { code, stderr } = await compact(...args);
    expect(code).toBe(2);
    expect(stderr).toContain(sentence);
  });

  test('a file without a block is refused', async () => {
    const { code, stderr } = await run(['compact', conversation, '--config', file('none.yaml', 'name: x\n')]);
    expect(code).toBe(2);
    expect(stderr).toContain('has no compact: block');
  });
});
