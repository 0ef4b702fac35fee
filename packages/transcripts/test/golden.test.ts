import { expect, test } from 'vitest';
import { messagesOf, repairMessages } from '../src/index.ts';
import { sessionIn } from './support/read.ts';

const files = [
  'aider.md',
  'claude-code.jsonl',
  'claude-code-compacted.jsonl',
  'codex.jsonl',
  'copilot-cli.jsonl',
  'forge.json',
  'gemini-cli.jsonl',
  'opencode.json',
  'openhands.json',
  'openhands-agent.jsonl',
  'pi-branches.jsonl',
  'swe-agent.traj',
  'tau-bench.json',
];

// To be read as prose in review; `npm run golden` writes them anew.
test.each(files)('%s gives the messages that are written down', async (file) => {
  const session = await sessionIn(file);
  const { entries: _entries, system: _system, ...told } = session;
  const { messages } = repairMessages(messagesOf(session), session.format);
  const lines = messages.map((message) => JSON.stringify(message));
  const facts = Object.entries(told).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  const text = `${facts.join('\n')}\n\n${lines.join('\n')}\n`;
  await expect(text).toMatchFileSnapshot(`golden/${file}.txt`);
});
