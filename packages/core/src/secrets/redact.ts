import { NAMED_SECRET, redactNamed } from './named.ts';
import { PATTERNS, type SecretPattern } from './patterns.ts';
import { PRIVATE_KEY, redactPrivateKeys } from './private-keys.ts';
import { placeholder, type Redaction } from './redaction.ts';

/**
 * Replaces secrets by `[redacted:kind]`: private keys, tokens and keys of known looks, credentials in headers and URLs,
 * values of settings whose names say that they are secret. Pure, never throws, linear whatever the text; a redacted text
 * comes back as it is.
 */
export function redactSecrets(text: string): Redaction {
  if (typeof text !== 'string') return { text, found: [] };
  const counts = new Map<string, number>();
  let redacted = text;
  // What stood directly behind a secret may only now be seen to be one.
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const before = redacted;
    redacted = redactOnce(before, counts);
    if (redacted === before) break;
  }
  return { text: redacted, found: [...counts].map(([kind, count]) => ({ kind, count })) };
}

const MOST_PASSES = 8;

function redactOnce(text: string, counts: Map<string, number>): string {
  const note = (kind: string, count: number): void => {
    if (count > 0) counts.set(kind, (counts.get(kind) ?? 0) + count);
  };
  const keys = redactPrivateKeys(text);
  note(PRIVATE_KEY, keys.count);
  let redacted = keys.text;
  for (const each of likely(redacted)) {
    const done = redactPattern(redacted, each);
    note(each.kind, done.count);
    redacted = done.text;
  }
  const named = redactNamed(redacted);
  note(NAMED_SECRET, named.count);
  return named.text;
}

const HINTED = new Map(PATTERNS.flatMap((each) => each.hints.map((hint) => [hint, each] as const)));
const HINT = new RegExp([...HINTED.keys()].map((hint) => hint.replaceAll('.', '\\.')).join('|'), 'g');

/** The patterns worth trying: one pass for all hints is faster than one for each. */
function likely(text: string): readonly SecretPattern[] {
  const found = new Set<SecretPattern | undefined>();
  for (const [hint] of text.matchAll(HINT)) found.add(HINTED.get(hint));
  return PATTERNS.filter((each) => found.has(each));
}

function redactPattern(text: string, { kind, pattern }: SecretPattern): { text: string; count: number } {
  let count = 0;
  const redacted = text.replace(pattern, (_match: string, kept: unknown) => {
    count += 1;
    return (typeof kept === 'string' ? kept : '') + placeholder(kind);
  });
  return { text: redacted, count };
}
