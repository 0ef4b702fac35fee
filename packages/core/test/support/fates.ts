import { isObject, listOf, type Native } from '../../src/formats/native.ts';
import { type FormatName, formats } from '../../src/index.ts';
import { ACKNOWLEDGEMENT, BRIDGE } from '../../src/model/filler.ts';

/** Where a message of an output list comes from. */
export type Fate =
  | { readonly kind: 'kept'; readonly from: number }
  /** The original without its thinking, or with placeholders in place of results. */
  | { readonly kind: 'edited'; readonly from: number }
  /** What the user said beside results that are gone with their calls. */
  | { readonly kind: 'said'; readonly of: number }
  | { readonly kind: 'summary' | 'filler'; readonly role: string; readonly text: string }
  | { readonly kind: 'unknown' };

type Source = { readonly format: FormatName; readonly messages: readonly unknown[] };

/** Tells by identity which input message each output message is; only the rest is looked into. */
export function fatesOf({ format, messages }: Source, output: readonly unknown[]): readonly Fate[] {
  const places = new Map<unknown, number[]>();
  for (const [at, native] of messages.entries()) places.set(native, [...(places.get(native) ?? []), at]);
  let after = -1;
  return output.map((native) => {
    const from = places.get(native)?.find((at) => at > after) ?? places.get(native)?.[0];
    if (from !== undefined) {
      after = from;
      return { kind: 'kept', from };
    }
    const edited = findEdited(messages, native, after) ?? findMasked({ format, messages }, native, after);
    if (edited === undefined)
      return oursIn(format, native) ?? saidIn({ format, messages }, native) ?? { kind: 'unknown' };
    after = edited;
    return { kind: 'edited', from: edited };
  });
}

/** Indexes of the input that stand in the output, whole or without thinking. */
export function keptOf(fates: readonly Fate[]): ReadonlySet<number> {
  return new Set(fates.flatMap((fate) => ('from' in fate ? [fate.from] : [])));
}

/** Positions of messages of ours. */
export function oursAt(fates: readonly Fate[]): readonly number[] {
  return fates.flatMap((fate, at) => (fate.kind === 'summary' || fate.kind === 'filler' ? [at] : []));
}

function findEdited(messages: readonly unknown[], native: unknown, after: number): number | undefined {
  const json = JSON.stringify(native);
  const found = messages.findIndex((one, at) => {
    if (at <= after) return false;
    const bare = withoutThinking(one);
    return bare !== undefined && JSON.stringify(bare) === json;
  });
  return found < 0 ? undefined : found;
}

function findMasked({ format, messages }: Source, native: unknown, after: number): number | undefined {
  const { decode, edit } = formats[format];
  const edits = decode(native, []).parts.flatMap((part, at) =>
    part.kind === 'tool-result' && isPlaceholder(part.text) ? [{ part: at, text: part.text }] : [],
  );
  const json = JSON.stringify(native);
  const found = messages.findIndex(
    (one, at) => at > after && edits.length > 0 && JSON.stringify(edit(decode(one, []), edits)) === json,
  );
  return found < 0 ? undefined : found;
}

function saidIn({ format, messages }: Source, native: unknown): Fate | undefined {
  const { decode, edit } = formats[format];
  const json = JSON.stringify(native);
  const of = messages.findIndex((one) => {
    const message = decode(one, []);
    const edits = message.parts.flatMap(({ kind }, part) => (kind === 'tool-result' ? [{ part, text: null }] : []));
    return edits.length > 0 && message.role === 'user' && JSON.stringify(edit(message, edits)) === json;
  });
  return of < 0 ? undefined : { kind: 'said', of };
}

/** Whether a text stands for a result that was left out, or shortened. */
export function isPlaceholder(text: string): boolean {
  return /left out to save room; kept in the log as \w+\.\]/.test(text);
}

function oursIn(format: FormatName, native: unknown): Fate | undefined {
  const { role, parts } = formats[format].decode(native, []);
  const [part] = parts;
  if (part?.kind !== 'text' || parts.length !== 1) return undefined;
  const { text } = part;
  if (text.startsWith('<conversation_summary check="')) return { kind: 'summary', role, text };
  return text === BRIDGE || text === ACKNOWLEDGEMENT ? { kind: 'filler', role, text } : undefined;
}

const THINKING_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'];

/** A native message without its thinking blocks, whatever the dialect; `undefined` where it has none. */
function withoutThinking(native: unknown): unknown {
  if (!isObject(native)) return undefined;
  const rest = Object.fromEntries(Object.entries(native).filter(([key]) => !THINKING_FIELDS.includes(key)));
  const content = listOf(rest['content']);
  const spoken = content.filter((block) => !isThinking(block));
  if (spoken.length < content.length) return { ...rest, content: spoken };
  return Object.keys(rest).length < Object.keys(native).length ? rest : undefined;
}

function isThinking(block: unknown): block is Native {
  return isObject(block) && ['thinking', 'redacted_thinking', 'reasoning'].includes(String(block['type']));
}
