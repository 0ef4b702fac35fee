import { mayBeSealed } from '../dialects/seals.ts';
import { reprint } from '../json/reprint.ts';
import { type Fields, fieldsOf, objectsIn } from '../json/values.ts';
import type { Dialect } from '../model/dialect.ts';

/**
 * A message without what only the model that made it can read: sealed thinking and signatures (law 45). Calls and their
 * results stay; what is left out is told in words only where nothing else would be left.
 */
export function withoutSeals(dialect: Dialect, text: string): string | undefined {
  if (!mayBeSealed(text)) return text;
  const native: unknown = JSON.parse(text);
  const open = OPENERS[dialect](fieldsOf(native));
  return open === undefined ? undefined : reprint(open, text);
}

const OPENERS: Readonly<Record<Dialect, (native: Fields) => Fields | undefined>> = {
  anthropic: (native) => {
    const { content } = native;
    if (native['role'] !== 'assistant' || !Array.isArray(content)) return native;
    const kept = content.filter((block) => !/^(redacted_)?thinking$/.test(String(fieldsOf(block)['type'])));
    return { ...native, content: kept.length === 0 ? [{ type: 'text', text: LEFT_OUT }] : kept };
  },
  gemini: (native) => openContent(native),
  // An answer that was stored with its thinking is refused without it (R3): as a new one, without its id, it is not.
  'openai-responses': (native) => {
    if (native['type'] === 'reasoning') return undefined;
    return native;
  },
  'openai-chat': (native) => without(native, ['reasoning_details', 'thinking_blocks', 'reasoning_opaque']),
};

/**
 * A Gemini content of a turn under way without what only the model that made it can read: a signature that is wanted there (G6) is
 * replaced by the value that is taken in its place (G7). `undefined` where none is wanted.
 */
export function withStandIn(text: string): string | undefined {
  const native = fieldsOf(JSON.parse(text));
  const first = objectsIn(native['parts']).find((part) => part['functionCall'] !== undefined);
  return first?.['thoughtSignature'] === undefined ? undefined : reprint(openContent(native, first), text);
}

const STAND_IN = 'skip_thought_signature_validator';

/** A content of Gemini without thoughts and signatures, but for a stand-in at one part. */
function openContent(native: Fields, signed?: Fields): Fields {
  const { parts } = native;
  if (!Array.isArray(parts)) return native;
  const kept = parts
    .filter((part) => fieldsOf(part)['thought'] !== true)
    .map((part) => (part === signed ? { ...signed, thoughtSignature: STAND_IN } : without(part, ['thoughtSignature'])));
  return { ...native, parts: kept.length === 0 ? [{ text: LEFT_OUT }] : kept };
}

const LEFT_OUT = '(thinking of another model, left out)';

function without(value: unknown, keys: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fieldsOf(value)).filter(([key]) => !keys.includes(key)));
}

/** A Responses item without the id under which the provider keeps it with its thinking. */
export function withoutItemId(text: string): string {
  const native = fieldsOf(JSON.parse(text));
  const isKept = typeof native['id'] === 'string' && /^(msg|fc|ctc)_/.test(native['id']);
  return isKept ? reprint(without(native, ['id']), text) : text;
}
