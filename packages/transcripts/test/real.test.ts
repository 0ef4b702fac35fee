import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compact, FORMAT_NAMES, type FormatName, formats, PRESET_NAMES } from 'epitome';
import { describe, expect, test } from 'vitest';
import { convertMessages, decodeAll, messagesOf, repairMessages, type Session } from '../src/index.ts';
import { plainCount, type Tally, textsIn } from './support/plain-count.ts';
import { plainFaults } from './support/plain-pairs.ts';
import { partsOf, sessionsOf } from './support/read.ts';

// Sessions that people published; they are no part of this repository.
const raw = fileURLToPath(new URL('../../../../shared/data/raw', import.meta.url));
const files = existsSync(raw)
  ? readdirSync(raw, { recursive: true, encoding: 'utf8' }).flatMap((name) => (/\.\w+$/.test(name) ? [name] : []))
  : [];

test.skipIf(files.length > 0)('there is no ../shared/data/raw: real sessions are not read here', () => {
  expect(files).toEqual([]);
});

describe.each(files)('%s', (name) => {
  const read = async (): Promise<Session> => {
    const [session] = await sessionsOf(readFileSync(join(raw, name)));
    if (session === undefined) throw new Error(`${name} holds no session`);
    return session;
  };

  test('has as many messages, calls and results as a plain count finds', async () => {
    const session = await read();
    expect(session.source).toBe(dirname(name));
    expect([session.unknown, session.faultCount]).toEqual([{}, 0]);
    const { texts, ...counted } = plainCount(dirname(name), readFileSync(join(raw, name), 'utf8'));
    expect(tallyOf(session)).toEqual(counted);
    const kept = textsOf(session);
    expect(texts.length).toBeGreaterThan(counted.messages / 2);
    expect(texts.filter((text) => !kept.isHeld(text))).toEqual([]);
  });

  test('compacts by every preset, and the result breaks no rule', async () => {
    const session = await read();
    const { format } = session;
    const { messages } = repairMessages(messagesOf(session), format);
    for (const preset of PRESET_NAMES) {
      const outcome = await compact({ format, messages, policy: preset, window: 12_000, cause: 'manual' });
      expect([basename(name), preset, outcome.status]).toEqual([
        basename(name),
        preset,
        expect.stringMatching(/^(?:compressed|truncated|noop)$/),
      ]);
      expect(errorsOf(format, outcome.messages)).toEqual([]);
      expect([preset, ...plainFaults(format, outcome.messages)]).toEqual([preset]);
    }
  });

  test.each(FORMAT_NAMES)('goes over to %s without breaking a rule', async (to) => {
    const session = await read();
    const { messages } = repairMessages(messagesOf(session), session.format);
    const converted = convertMessages(messages, session.format, to);
    expect(errorsOf(to, converted.messages)).toEqual([]);
    expect(plainFaults(to, converted.messages)).toEqual([]);
    const before = decodeAll(messages, session.format);
    const after = decodeAll(converted.messages, to);
    for (const kind of ['tool-call', 'tool-result'] as const) {
      expect(partsOf(after, kind)).toHaveLength(partsOf(before, kind).length);
    }
  });
});

function tallyOf(session: Session): Tally {
  const main = session.entries.filter(({ side }) => side === undefined);
  const messages = decodeAll(
    main.flatMap(({ natives }) => natives),
    session.format,
  );
  return {
    messages: main.length,
    calls: partsOf(messages, 'tool-call').length,
    results: partsOf(messages, 'tool-result').length,
  };
}

/** Whether a text stands in a session, whole or within a longer one, as it is or as JSON in arguments. */
function textsOf({ entries }: Session): { readonly isHeld: (text: string) => boolean } {
  const own = entries.flatMap(({ natives }) => textsIn(natives));
  const written = own.flatMap((text) => (/^[{[]/.test(text) ? textsInJson(text) : []));
  const all = new Set([...own, ...written]);
  const joined = [...all].join('\n');
  return { isHeld: (text) => text.trim() === '' || all.has(text) || joined.includes(text) };
}

function textsInJson(text: string): readonly string[] {
  try {
    return textsIn(JSON.parse(text));
  } catch {
    return [];
  }
}

function errorsOf(format: FormatName, natives: readonly unknown[]): readonly unknown[] {
  return formats[format].validate(natives).filter(({ severity }) => severity === 'error');
}
