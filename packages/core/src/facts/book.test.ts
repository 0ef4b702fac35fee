import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Message } from '../model/message.ts';
import { EMPTY_LEDGER, extractFacts, type Ledger, mergeFacts, openLedger } from './index.ts';

const words = 'src/a/run.ts|lib/b/run.ts|b/run.ts|./run.ts|12 ms|12|parseInput|never touch a.ts|rm a.ts|a.ts'.split(
  '|',
);
const anyMessage = fc.tuple(
  fc.constantFrom('user', 'assistant', 'tool'),
  fc.array(fc.constantFrom(...words), { maxLength: 4 }),
);
const anyMessages = fc.array(anyMessage, { maxLength: 12 }).map((given) =>
  given.map(([role, said], index) => {
    const command = JSON.stringify({ command: said.join(' && ') });
    const message: Message = {
      role,
      parts: [
        { kind: 'text', text: said.join('. ') },
        ...(role === 'assistant'
          ? [{ kind: 'tool-call' as const, callId: `c${index}`, name: 'bash', input: command }]
          : []),
      ],
      native: undefined,
    };
    return extractFacts(message, index);
  }),
);

test('facts that come message by message, read in between or not, make one ledger, and what was read stays', () => {
  fc.assert(
    fc.property(anyMessages, fc.nat(12), (found, at) => {
      const open = openLedger();
      const early = found.slice(0, at);
      for (const each of early) open.add(each);
      const first = open.read();
      const told = JSON.stringify(first);
      for (const each of found.slice(at)) open.add(each);
      const whole = mergeFacts(EMPTY_LEDGER, found.flat());
      expect(open.read()).toEqual(whole);
      expect(JSON.stringify(first)).toBe(told);
      const plain: Ledger = JSON.parse(told);
      expect(mergeFacts(plain, found.slice(at).flat())).toEqual(whole);
    }),
  );
});
