import { describe, expect, test } from 'vitest';
import { createBodies, type Earlier } from '../src/dialects/bodies.ts';
import { RULES } from '../src/dialects/index.ts';
import { readBody, readOn } from '../src/dialects/reading.ts';

// Bodies are told apart by their first bytes first; short ones are quick to read.
const LONG = 'grüße '.repeat(60);
const rules = RULES['openai-chat'];
const bodyOf = (messages: readonly string[], behind = ''): Buffer =>
  Buffer.from(
    `{"model":"é","messages":[${messages.map((text) => JSON.stringify({ role: 'user', content: text })).join(' , ')} ]${behind}}`,
  );
const idsOf = (messages: readonly string[]): readonly string[] => messages.map((_, at) => `id-${at}`);

describe('a body that begins like an earlier one', () => {
  const send = (
    bodies: ReturnType<typeof createBodies>,
    messages: readonly string[],
    behind?: string,
  ): Earlier | undefined => {
    const body = bodyOf(messages, behind);
    const earlier = bodies.find('tenant', body);
    const reading = earlier
      ? readOn(body.toString('utf8', earlier.bytes), rules, earlier.reading)
      : readBody(body.toString('utf8'), rules);
    expect(reading).toEqual(readBody(body.toString('utf8'), rules));
    bodies.keep('tenant', body, { reading, ids: idsOf(messages), earlier });
    return earlier;
  };

  test('is read on from there, whatever stands behind the list, and as if it were read whole', () => {
    const bodies = createBodies();
    const messages = [LONG, 'zwei'];
    expect(send(bodies, messages, ',"stream":true')).toBeUndefined();
    for (let turn = 0; turn < 40; turn += 1) {
      messages.push(`turn ${turn} 👍`);
      expect(send(bodies, messages, turn % 2 === 0 ? ',"stream":true' : ',"temperature":0.5')?.ids).toHaveLength(
        messages.length - 1,
      );
    }
  });

  test('is not mixed up with another that began alike and went on at the same time', () => {
    const bodies = createBodies();
    const base = [LONG, 'two'];
    send(bodies, base);
    const [left, right] = [bodyOf([...base, 'left']), bodyOf([...base, 'right'])];
    // Both are found before either is kept, as requests that come at once are.
    const both = [left, right].map((body) => ({ body, earlier: bodies.find('tenant', body) }));
    for (const { body, earlier } of both) {
      const reading = readBody(body.toString('utf8'), rules);
      bodies.keep('tenant', body, { reading, ids: idsOf(['', '', '']), earlier });
    }
    for (const word of ['left', 'right']) {
      const earlier = send(bodies, [...base, word, 'more']);
      expect(earlier?.reading.messages?.at(-1)).toContain(word);
    }
  });

  test('belongs to its owner alone', () => {
    const bodies = createBodies();
    send(bodies, ['one']);
    expect(bodies.find('another', bodyOf(['one', 'two']))).toBeUndefined();
  });
});
