import {
  type Entry,
  FACT_KINDS,
  type FactKind,
  type Ledger,
  type PackedEntry,
  type PackedLedger,
} from '../model/facts.ts';
import { keyAmong } from './keys.ts';
import { PathKeys } from './paths.ts';

/** The ledger that a record keeps; records of earlier versions keep it as it is. */
export function unpackLedger(kept: Ledger | PackedLedger): Ledger {
  if ('entries' in kept) return kept;
  const { ids, facts, ...scope } = kept;
  const entries: Record<string, Entry> = {};
  const paths = new PathKeys();
  for (const kind of FACT_KINDS) {
    for (const packed of facts[kind] ?? []) {
      const entry = entryOf(kind, packed, ids);
      entries[keyAmong(entries, paths, entry)] = entry;
    }
  }
  return { ...scope, entries };
}

function entryOf(
  kind: FactKind,
  [value, context, figures, status = '', call = '']: PackedEntry,
  ids: PackedLedger['ids'],
): Entry {
  const [firstAt = -1, lastAt = -1, first = -1, last = -1, lastOwn = -1, messages = 1, own = 0, ...rest] = figures;
  const [prompt = 0, answer = 0, calls = 0, result = 0, among = 0] = rest;
  const firstId = ids[firstAt];
  const lastId = ids[lastAt];
  return {
    ...{ kind, value, context: context === '' ? value : context },
    ...{ first, last, lastOwn, messages, own, among },
    counts: { prompt, answer, call: calls, result },
    ...(firstId === undefined ? {} : { firstId }),
    ...(lastId === undefined ? {} : { lastId }),
    ...(status === '' ? {} : { status }),
    ...(call === '' ? {} : { call }),
  };
}
