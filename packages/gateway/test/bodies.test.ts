import { describe, expect, test } from 'vitest';
import { type Bodies, createBodies, type Earlier } from '../src/dialects/bodies.ts';
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
  /** The body in pieces of any size, as a socket may deliver it. */
  const inPieces = (body: Buffer): readonly Buffer[] =>
    [0, 1, 7, 200, 300].map((from, at, cuts) => body.subarray(from, cuts[at + 1]));

  const send = (bodies: Bodies, messages: readonly string[], behind?: string): Earlier | undefined => {
    const sent = bodyOf(messages, behind);
    const body = bodies.join('tenant', inPieces(sent));
    const { bytes, earlier } = body;
    expect(bytes.equals(sent)).toBe(true);
    const reading = earlier
      ? readOn(bytes.toString('utf8', earlier.bytes), rules, earlier.reading)
      : readBody(bytes.toString('utf8'), rules);
    expect(reading).toEqual(readBody(bytes.toString('utf8'), rules));
    bodies.keep('tenant', { reading, ids: idsOf(messages), body });
    body.done();
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
    const both = [left, right].map((body) => bodies.join('tenant', [body]));
    for (const body of both) {
      const reading = readBody(body.bytes.toString('utf8'), rules);
      bodies.keep('tenant', { reading, ids: idsOf(['', '', '']), body });
      body.done();
    }
    for (const word of ['left', 'right']) {
      const earlier = send(bodies, [...base, word, 'more']);
      expect(earlier?.reading.messages?.at(-1)).toContain(word);
    }
  });

  test('belongs to its owner alone', () => {
    const bodies = createBodies();
    send(bodies, ['one']);
    expect(bodies.join('another', [bodyOf(['one', 'two'])]).earlier).toBeUndefined();
  });

  test('leaves the bytes of one that is still out as they are, in whatever order they come and go', () => {
    const bodies = createBodies();
    const messages = [LONG];
    send(bodies, messages);
    const out = Array.from({ length: 6 }, (_, at) => {
      messages.push(`turn ${at}`);
      const sent = bodyOf(messages, `,"at":${at}`);
      const body = bodies.join('tenant', inPieces(sent));
      expect(body.earlier?.ids).toHaveLength(messages.length - 1);
      bodies.keep('tenant', { reading: readBody(sent.toString('utf8'), rules), ids: idsOf(messages), body });
      // Some are answered before the next one comes, some after.
      if (at % 3 === 1) body.done();
      return { sent, body, isDone: at % 3 === 1 };
    });
    for (const { sent, body, isDone } of out) if (!isDone) expect(body.bytes.equals(sent)).toBe(true);
  });
});
