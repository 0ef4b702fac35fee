import { hash } from 'node:crypto';
import { formatNamed } from 'epitome';
import { reprint } from '../json/reprint.ts';
import type { CompactionNews } from '../model/report.ts';
import type { Shown } from './branch.ts';
import type { TurnAsk } from './plane.ts';

/** The history of a request, and the protocol it is written in. */
type Sent = Pick<TurnAsk, 'dialect' | 'chain'>;

/** The texts of what is shown of a client's history. */
export function textsOf(shown: readonly Shown[], sent: Sent): readonly string[] {
  return shown.map((entry) => textOf(entry, sent));
}

/** The text of one entry: the client's own message as it sends it now, whatever marks and form it had before. */
export function textOf(entry: Shown, sent: Sent): string {
  if (entry.kind === 'ours') return entry.text;
  const text = sent.chain.texts[entry.source] ?? '';
  return entry.kind === 'original' ? text : editedText(entry, text, sent);
}

type Edited = Extract<Shown, { kind: 'edited' }>;

// An edited message goes out with every request, and is another one only where its marks have moved. The fingerprint stands
// for the message: a part of a request's body would keep all of it in memory.
const written = new WeakMap<Edited, { readonly of: string; readonly text: string }>();

function editedText(entry: Edited, text: string, { dialect }: Sent): string {
  const of = hash('sha256', text, 'base64');
  const known = written.get(entry);
  if (known?.of === of) return known.text;
  const { decode, edit } = formatNamed(dialect);
  const native = edit(decode(JSON.parse(text), []), entry.edits);
  const made = { of, text: native === undefined ? text : reprint(native, text) };
  written.set(entry, made);
  return made.text;
}

/** What a compaction made of the messages, in bytes, and how many at their start stayed for the provider's prompt cache. */
export function bytesOf(before: readonly string[], after: readonly string[]): NonNullable<CompactionNews['bytes']> {
  const common = before.findIndex((text, at) => text !== after[at]);
  return {
    before: sum(before),
    after: sum(after),
    prefixKept: sum(common < 0 ? before : before.slice(0, common)),
  };
}

function sum(texts: readonly string[]): number {
  return texts.reduce((bytes, text) => bytes + Buffer.byteLength(text), 0);
}
