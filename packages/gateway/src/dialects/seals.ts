/**
 * What only the model that made it can read, in the characters a client sends back: signatures of thinking, sealed thinking
 * itself, and the ids under which a provider keeps it.
 */
export function sealsIn(text: string): readonly string[] {
  if (!mayBeSealed(text)) return [];
  const seals = Array.from(text.matchAll(SEALED), ([, written = '', id]) => id ?? unescaped(written));
  return [...new Set(seals)].filter((seal) => seal !== '').slice(0, MOST_SEALS);
}

/** Whether a text may hold what only the model that made it can read. Cheaper than reading it: most hold none of these. */
export function mayBeSealed(text: string): boolean {
  return PART_OF_A_MARK.test(text) && MARKS.some((mark) => text.includes(mark));
}

// One pass tells of most texts that they hold none, in an eighth of the time that looking for one after the other takes.
const PART_OF_A_MARK = /thinking|thought|"reasoning|"signature_delta"/;

const MARKS = [
  '"thinking"',
  '"redacted_thinking"',
  '"signature_delta"',
  'thoughtSignature',
  '"thought"',
  '"reasoning',
  '"thinking_blocks"',
];

const MOST_SEALS = 128;

// Unrolled: a choice for each character of a long one would not fit the stack.
const SEALED =
  /"(?:signature|thoughtSignature|thought_signature|encrypted_content|reasoning_opaque|data)"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"|"id"\s*:\s*"(rs_[^"\\]+)"/g;

// Two writers of JSON may write one text in different characters.
function unescaped(written: string): string {
  return written.includes('\\') ? String(JSON.parse(`"${written}"`)) : written;
}
