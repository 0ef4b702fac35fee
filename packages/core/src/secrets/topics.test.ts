import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LONGEST_PIECE } from './hints.ts';
import { NAMES } from './named.ts';
import { PATTERNS } from './patterns.ts';
import { redactSecrets } from './redact.ts';
import { isSuspect, NAMED_TOPIC, topicsIn } from './topics.ts';

const long = fc.integer({ min: LONGEST_PIECE - 2, max: LONGEST_PIECE + 2 }).map((length) => 'é'.repeat(length));
const plain = fc.oneof(
  { weight: 9, arbitrary: fc.string({ unit: 'binary-ascii', maxLength: 300 }) },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: long },
);
const secret = fc.constantFrom(
  `ghp_${'a1B2'.repeat(9)}`,
  'password = "hunter2-hunter3"',
  'https://me:hunter22@host.example/x',
  'ß Authorization: Bearer abcdef0123456789abcdef',
);
const text = fc.oneof(
  plain,
  secret,
  fc.tuple(plain, secret, plain).map((parts) => parts.join(' ')),
);

describe('a text is suspect', () => {
  test('where it has a topic, or is too long to tell', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(isSuspect(given)).toBe(given.length > LONGEST_PIECE || topicsIn(given).size > 0);
      }),
      { numRuns: 1000 },
    );
  });

  test('wherever it holds a secret', () => {
    fc.assert(
      fc.property(text, (given) => {
        if (redactSecrets(given).found.length > 0) expect(isSuspect(given)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test.each(['', 'a', 'the parser reads a token'])('not for %j', (given) => {
    expect(isSuspect(given)).toBe(false);
  });
});

describe('a hint is found', () => {
  test.each(['', ' ', '\n\n', ' é', 'ß ß '])('behind %j', (before) => {
    const missed = PATTERNS.flatMap(({ hints, isFollowed }, topic) =>
      hints
        .map((hint) => (isFollowed === undefined ? hint : `${hint} login`))
        .filter((hint) => !topicsIn(before + hint).has(topic) || !topicsIn(`${before + hint} and so on`).has(topic)),
    );
    expect(missed).toEqual([]);
    expect(NAMES.filter((name) => !topicsIn(`${before}${name}=x`).has(NAMED_TOPIC))).toEqual([]);
    expect(NAMES.filter((name) => !topicsIn(`${before}${name.toUpperCase()}: x`).has(NAMED_TOPIC))).toEqual([]);
  });
});

test.each([' ', '\t', '\n', '\r\n', '  ', ' \n\t', '\u00a0', '\n \u2003 '])(
  'a password of a netrc is found with %j between its words',
  (space) => {
    for (const words of [
      ['machine', 'api.x.test', 'login', 'bob'],
      ['default', 'login', 'bob'],
    ]) {
      const entry = [...words, 'password', ''].join(space);
      expect(redactSecrets(`${entry}s3cr3t-w0rd\n`).text).toBe(`${entry}[redacted:netrc-password]\n`);
    }
  },
);

test.each(['machine', 'machines login', 'defaults login', 'default: login', 'the default value', 'xmachine a'])(
  'no closer look for a netrc at %j',
  (given) => {
    expect(isSuspect(given)).toBe(false);
  },
);
