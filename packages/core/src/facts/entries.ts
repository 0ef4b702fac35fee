import type { Entry, Ledger, LedgerScope } from '../model/facts.ts';
import { once } from '../model/once.ts';

/** Entries of a ledger by their keys. */
export type Entries = ReadonlyMap<string, Entry>;

/** A ledger whose record of entries is made when somebody asks for it: to look up and to rank thousands takes none. */
export function ledgerOf(scope: LedgerScope, entries: Entries): Ledger {
  const record = once(() => Object.fromEntries(entries));
  const ledger: Ledger = {
    get entries() {
      return record();
    },
    ...scope,
  };
  ofLedger.set(ledger, { entries, scope });
  return ledger;
}

/** The entries of any ledger. */
export function entriesOf(ledger: Ledger): Entries {
  const made = ofLedger.get(ledger);
  if (made !== undefined) return made.entries;
  const known = ofRecord.get(ledger.entries);
  if (known !== undefined) return known;
  const entries = new Map(Object.entries(ledger.entries));
  ofRecord.set(ledger.entries, entries);
  return entries;
}

/** What a ledger says beside its entries. */
export function scopeOf(ledger: Ledger): LedgerScope {
  const made = ofLedger.get(ledger);
  if (made !== undefined) return made.scope;
  const { entries: _, ...scope } = ledger;
  return scope;
}

/** A ledger with how many characters it stands for. */
export function withChars(ledger: Ledger, chars: number): Ledger {
  const made = ofLedger.get(ledger);
  return made === undefined ? { ...ledger, chars } : ledgerOf({ ...made.scope, chars }, made.entries);
}

const ofLedger = /* @__PURE__ */ new WeakMap<Ledger, { readonly entries: Entries; readonly scope: LedgerScope }>();
const ofRecord = /* @__PURE__ */ new WeakMap<Ledger['entries'], Entries>();
