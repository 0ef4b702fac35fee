import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { carriedIn } from './carried.ts';
import { digest } from './index.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});
const SUMMARY = `This session is being continued from a previous conversation that ran out of context.

Summary:
1. Primary Request and Intent:
   - Move the importer in \`src/import.ts\` to streams

2. Key Technical Concepts:

3. Files and Code Sections:
   - \`src/import.ts\` reads rows with \`readRows\`
${Array.from({ length: 30 }, (_none, at) => `   - \`src/part${at}.ts\` calls \`useRows${at}\` with \`limit_${at}\``).join('\n')}

7. Pending Tasks:
   - Run the suite of the importer
   - Remove the flag nobody sets
   - Tell the team of billing

8. Current Work:
   The edit of the reader is done but NOT verified and NOT committed.

9. Files removed:
   - none`;
const page = (text: string): string => {
  const messages = [said('user', text), said('user', 'Go on with it.'), said('assistant', 'I look at the reader now.')];
  return digest(messages, { maxTokens: 700 }).text;
};

test('a heading of another summary is quoted with its first item or not at all', () => {
  const { units } = carriedIn(SUMMARY);
  expect(units.map(({ text }) => text)).toContain('7. Pending Tasks: - Run the suite of the importer');
  expect(page(SUMMARY)).not.toMatch(/(?:Intent|Concepts|Sections|Tasks|Work):$/m);
  expect(units.every(({ text }) => !text.includes('Key Technical Concepts'))).toBe(true);
});

test('what another summary says is pending and how things stand outlives its lists', () => {
  const text = page(SUMMARY);
  expect(text).toContain('Run the suite of the importer');
  expect(text).toContain('Remove the flag nobody sets');
  expect(text).toContain('Tell the team of billing');
  expect(text).toContain('NOT verified and NOT committed');
});

test('what another summary says is not committed is not told once a commit was made', () => {
  const ran = (command: string, result: string): readonly Message[] => [
    {
      role: 'assistant',
      parts: [{ kind: 'tool-call', callId: 'c1', name: 'Bash', input: JSON.stringify({ command }) }],
      native: undefined,
    },
    {
      role: 'tool',
      parts: [{ kind: 'tool-result', callId: 'c1', name: 'Bash', text: result, isError: false, media: [] }],
      native: undefined,
    },
  ];
  const after = (...calls: readonly Message[]): string =>
    digest([said('user', SUMMARY), said('user', 'Go on with it.'), ...calls], { maxTokens: 900 }).text;
  const committed = after(...ran('git commit -am "Stream the importer"', '[main 1a2b3c4] Stream the importer'));
  expect(committed).not.toContain('NOT committed');
  expect(committed).toContain('Run the suite of the importer');
  expect(after(...ran('git push', 'Everything up-to-date'))).toContain('NOT committed');
});

test('only sections and labels of state are state', () => {
  const { state } = carriedIn(`${SUMMARY}\n\n**Current state**: half of it is deployed.\n## Notes\nAll is well.`);
  const texts = [...state].map(({ text }) => text);
  expect(texts).toHaveLength(5);
  expect(texts.at(-1)).toBe('**Current state**: half of it is deployed.');
});

test('an older summary has no say in how things stand', () => {
  const older = SUMMARY.replace('Tell the team of billing', 'Tell the team of shipping');
  const messages = [said('user', older), said('assistant', 'Done.'), said('user', SUMMARY), said('user', 'Go on.')];
  const { text } = digest(messages, { maxTokens: 600 });
  expect(text).toContain('team of billing');
  expect(text).not.toContain('team of shipping');
});

test('headings without end take linear time', () => {
  const started = performance.now();
  carriedIn('1. Pending Tasks:\n'.repeat(20_000));
  carriedIn(`${'a.b'.repeat(100_000)}\n`.repeat(2));
  expect(performance.now() - started).toBeLessThan(2000);
});
