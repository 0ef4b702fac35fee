import { expect, test } from 'vitest';
import { compact, type FormatName } from '../../src/index.ts';

const huge = `first line\n${'log line of a build that went on and on\n'.repeat(130_000)}last line: 3 tests failed`;

const conversations: Readonly<Partial<Record<FormatName, readonly unknown[]>>> = {
  'openai-chat': [
    { role: 'user', content: 'Why does the build fail?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'run', arguments: '{"command":"make"}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: huge },
  ],
  anthropic: [
    { role: 'user', content: 'Why does the build fail?' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Run it.', signature: 'sig_1' },
        { type: 'tool_use', id: 'a', name: 'run', input: { command: 'make' } },
      ],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: huge }] },
  ],
};

test.each(Object.entries(conversations))(
  'a fresh result of 5 MB in a window of 32k is shortened at once, and its end can be read: %s',
  async (format, messages) => {
    const input = { format: format as FormatName, messages, window: 32_000 };
    const outcome = await compact(input);
    expect(outcome).toMatchObject({ status: 'compressed', method: 'mask' });
    expect(outcome.tokens.after).toBeLessThan(12_000);
    expect(outcome.messages.slice(0, 2)).toEqual(messages.slice(0, 2));
    const shown = JSON.stringify(outcome.messages.at(-1));
    expect(shown).toContain('first line');
    expect(shown).toContain('3 tests failed');
    expect(shown).toMatch(/kept in the log as \w+/);
  },
);
