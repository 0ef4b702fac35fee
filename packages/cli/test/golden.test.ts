import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { ensureBuilt, root, run } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const fixture = (name: string): string => join(root, 'packages/transcripts/test/fixtures', name);

const files = [
  'aider.md',
  'api-anthropic.json',
  'claude-code.jsonl',
  'claude-code-branches.jsonl',
  'claude-code-compacted.jsonl',
  'codex-compacted.jsonl',
  'copilot-cli.jsonl',
  'forge.json',
  'gemini-cli.jsonl',
  'opencode.json',
  'openhands-agent.jsonl',
  'pi-branches.jsonl',
  'swe-agent.traj',
  'tau-bench.json',
];

// To be read as prose in review; `npm run golden` writes them anew.
const commands: readonly (readonly [string, readonly string[]])[] = [
  // Prices of our own: those of models change.
  ['inspect', ['--prices', '3,15,0.3,3.75', '--window', '200k']],
  ['compact', ['--to', 'markdown', '--quiet']],
];
const cases = files.flatMap((file) => commands.map(([command, options]) => ({ file, command, options })));

test.each(cases)('$command of $file gives the words that are written down', async ({ file, command, options }) => {
  const { code, stdout, stderr } = await run([command, fixture(file), ...options], { env: { COLUMNS: '80' } });
  expect([code, stderr]).toEqual([0, '']);
  await expect(stdout).toMatchFileSnapshot(`golden/${file}.${command}.txt`);
});
