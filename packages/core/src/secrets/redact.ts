import { NAMED_SECRET, redactNamed } from './named.ts';
import { PATTERNS, type SecretPattern } from './patterns.ts';
import { PRIVATE_KEY, redactPrivateKeys } from './private-keys.ts';
import { placeholder, type Redaction } from './redaction.ts';
import { NAMED_TOPIC, PRIVATE_KEY_TOPIC, topicsIn } from './topics.ts';

/**
 * Replaces secrets by `[redacted:kind]`: private keys, tokens and keys of known looks, credentials in headers and URLs,
 * values of settings whose names say that they are secret. Pure, never throws, linear whatever the text; a redacted text
 * comes back as it is.
 */
export function redactSecrets(text: string): Redaction {
  if (typeof text !== 'string') return { text, found: NOTHING };
  const topics = topicsIn(text);
  if (topics.size === 0) return { text, found: NOTHING };
  const counts = new Map<string, number>();
  let redacted = text;
  // What stood directly behind a secret may only now be seen to be one.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = redacted;
    redacted = redactOnce(before, pass === 0 ? topics : topicsIn(before), counts);
    if (redacted === before) break;
  }
  return { text: redacted, found: [...counts].map(([kind, count]) => ({ kind, count })) };
}

const MOST_PASSES = 8;
const NOTHING: Redaction['found'] = [];

function redactOnce(text: string, topics: ReadonlySet<number>, counts: Map<string, number>): string {
  const note = (kind: string, count: number): void => {
    if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
  };
  let redacted = text;
  if (topics.has(PRIVATE_KEY_TOPIC)) {
    const keys = redactPrivateKeys(redacted);
    note(PRIVATE_KEY, keys.count);
    redacted = keys.text;
  }
  for (const [topic, each] of PATTERNS.entries()) {
    if (!topics.has(topic)) continue;
    const done = redactPattern(redacted, each);
    note(each.kind, done.count);
    redacted = done.text;
  }
  if (!topics.has(NAMED_TOPIC)) return redacted;
  const named = redactNamed(redacted);
  note(NAMED_SECRET, named.count);
  return named.text;
}

function redactPattern(text: string, { kind, pattern }: SecretPattern): { text: string; count: number } {
  let count = 0;
  const redacted = text.replace(pattern, (_match: string, kept: unknown) => {
    count += 1;
    return (typeof kept === 'string' ? kept : '') + placeholder(kind);
  });
  return { text: redacted, count };
}
