import { expect, test } from 'vitest';
import { ask, run } from '../faults/running.ts';

test("a log tells whose request it was, though a tenant's name reads like a key of Mailgun", async () => {
  const running = await run();
  try {
    await ask(running.url, 'openai-chat');
    const told = (): readonly unknown[] => running.lines.flatMap((line) => JSON.parse(line).tenant ?? []);
    await expect.poll(told).toContainEqual(expect.stringMatching(/^key-[0-9a-f]{32}$/));
  } finally {
    await running.stop();
  }
});
