import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractFacts } from './extract.ts';
import { seekerOf } from './needles.ts';
import { giveBack, unitsOf } from './units.ts';

const DECISIONS =
  "We decided it|The decision: x|It chose x|was chosen here|I'll use it|we will go with it|I will not do|let's not do|let's use it|let's go with it|going with it|They opted for|We settled on it|instead of x|root cause is|It turns out so|The issue is x|the problem was x|The bug is x|the fix is x|the reason is x|The cause was x|is fixed now|because of x|In conclusion x|I recommend x|- [link](x)|* [link](x)|1. [link](x)|2) [link](x)|a TODO here|FIXME here";
const FAILURES =
  'an error here|Error here|ERROR here|npm ERR! x|fatal x here|Fatal x here|a panic here|Panic! here|it failed now|Failed now|a failure here|Failure here|FAIL a.test|Some exception|Exception in|It was denied|Denied here|x not found|Not found x|it cannot do|Cannot do it|unable to do|Unable to do|refused here|Refused here|MyError: x y z|MyException: x';

const messageOf = (role: 'assistant' | 'tool', text: string) =>
  role === 'tool'
    ? {
        role,
        parts: [{ kind: 'tool-result' as const, callId: 'c', name: 't', text, isError: true, media: [] }],
        native: undefined,
      }
    : { role, parts: [{ kind: 'text' as const, text }], native: undefined };

test.each([
  ...DECISIONS.split('|').map((words) => ['assistant', words] as const),
  ...FAILURES.split('|').map((words) => ['tool', words] as const),
])('of an %s, %j tells wherever it stands', (role, words) => {
  for (let before = 0; before < 5; before += 1) {
    const text = `${'x'.repeat(before)}\n${words}\nx`;
    const values = extractFacts(messageOf(role, text), 0).map((fact) => (fact.kind === 'news' ? '' : fact.value));
    expect(values).toContain(words);
  }
});

test('no word is passed over, whatever stands around it', () => {
  const words = ['error', 'todo?', '- [??'];
  const seek = seekerOf(words.join('|'));
  const part = fc.constantFrom('a', 'ro', 'er', 'error', 'TODO', 'to', '- [x', '[', '\n', '\n [', '\u00e9', '\ud83d');
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      const units = unitsOf(text);
      const place = text.search(/error|todo|- \[/i);
      const at = seek(units, 0, text.length);
      if (place >= 0) expect(at).toBeLessThanOrEqual(place + 2);
      giveBack(units);
    }),
  );
});
