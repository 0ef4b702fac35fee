import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Ledger, PackedLedger } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { diffFacts, EMPTY_LEDGER, extractFacts, factsRoom, openLedger, packLedger, unpackLedger } from './index.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});
const lineOf = (step: number): string =>
  `Step ${step}: src/mod${step % 90}/file${step}.ts failed with E${1000 + step}, see https://example.com/t/${step} and EPI-${step}; loadStep${step} took ${step * 7} ms.`;

function ledgerOf(steps: readonly number[], before: Ledger = EMPTY_LEDGER): Ledger {
  const open = openLedger(before);
  let chars = before.chars ?? 0;
  for (const step of steps) {
    open.add(extractFacts(said(step % 2 ? 'assistant' : 'user', lineOf(step)), { index: step, id: `message-${step}` }));
    chars += lineOf(step).length;
  }
  return { ...open.read(), chars };
}
const upTo = (count: number, from = 0): number[] => Array.from({ length: count }, (_, at) => from + at);
const throughJson = (packed: PackedLedger): PackedLedger => JSON.parse(JSON.stringify(packed));
const totals = (facts: Ledger | PackedLedger, text: string): unknown =>
  Object.fromEntries(Object.entries(diffFacts(facts, text)).map(([kind, { total, kept }]) => [kind, [total, kept]]));

test('a record keeps facts in a twelfth of what they were taken from, whatever the steps and rounds', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 4 }), (rounds) => {
      let kept: Ledger = EMPTY_LEDGER;
      let from = 0;
      for (const count of rounds) {
        const whole = ledgerOf(upTo(count, from), kept);
        from += count;
        const packed = packLedger(whole, lineOf(from - 1));
        expect(JSON.stringify(packed).length).toBeLessThanOrEqual(factsRoom(whole.chars ?? 0));
        kept = unpackLedger(throughJson(packed));
      }
    }),
    { numRuns: 25 },
  );
});

test('a ledger that has room comes back as it was', () => {
  const whole = ledgerOf(upTo(8));
  expect(unpackLedger(throughJson(packLedger(whole, '')))).toEqual(whole);
  const unmeasured = { ...ledgerOf(upTo(300)) };
  Reflect.deleteProperty(unmeasured, 'chars');
  expect(unpackLedger(throughJson(packLedger(unmeasured, '')))).toEqual(unmeasured);
});

test('the loss report per kind is the same over a packed ledger, and what is lost names its message', () => {
  const whole = ledgerOf(upTo(2000));
  const text = `${lineOf(3)}\n${lineOf(1500)}`;
  const packed = throughJson(packLedger(whole, text));
  expect(totals(packed, text)).toEqual(totals(whole, text));
  for (const { total, kept, lost, left } of Object.values(diffFacts(packed, text))) {
    expect(total).toBe(kept + lost.length + left);
    for (const { first, last, firstId, lastId } of lost)
      expect([firstId, lastId]).toEqual([`message-${first}`, `message-${last}`]);
  }
  expect(diffFacts(packed, text).path?.lost.length).toBeGreaterThan(10);
});

test('what a summary holds stays in the ledger round after round', () => {
  const text = `${lineOf(3)}\n${lineOf(1500)}`;
  let kept = unpackLedger(packLedger(ledgerOf(upTo(2000)), text));
  for (const from of [2000, 4000, 6000]) kept = unpackLedger(packLedger(ledgerOf(upTo(2000, from), kept), text));
  const values = new Set(Object.values(kept.entries).map(({ value }) => value));
  for (const value of ['src/mod3/file3.ts', 'EPI-3', 'loadStep3', 'src/mod60/file1500.ts', 'EPI-1500'])
    expect(values).toContain(value);
  expect(kept.entries[':mod3/file3.ts']).toMatchObject({ first: 3, firstId: 'message-3' });
});

test('no kind takes the room of the others', () => {
  const open = openLedger(EMPTY_LEDGER);
  for (const step of upTo(900)) {
    const text = `We decided to keep variant ${step} of the parser because it is the simplest one we have found so far. ${lineOf(step)}`;
    open.add(extractFacts(said('assistant', text), { index: step, id: `message-${step}` }));
  }
  const packed = packLedger({ ...open.read(), chars: 400_000 }, '');
  for (const kind of ['decision', 'path', 'url', 'id', 'symbol'] as const)
    expect(packed.facts[kind]?.length, kind).toBeGreaterThan(12);
});

test('facts of records written before they were packed are read as they are', () => {
  const whole = ledgerOf(upTo(5));
  expect(unpackLedger(whole)).toBe(whole);
  expect(totals(whole, lineOf(2))).toEqual(totals(packLedger(whole, ''), lineOf(2)));
});

test('what the first prompt named outlives rounds of what was read later', () => {
  const open = openLedger();
  const named = 'Fix the invoice bug INV-3312 in src/invoices/create.ts; commit is 9f3c2ab1.';
  open.add(extractFacts(said('user', named), 0));
  let kept: Ledger = { ...open.read(), chars: 20_000 };
  for (let round = 1; round <= 6; round += 1) {
    const next = openLedger(kept);
    for (let at = 0; at < 60; at += 1) {
      next.add(extractFacts(said('assistant', lineOf(round * 100 + at)), round * 100 + at));
    }
    kept = unpackLedger(throughJson(packLedger({ ...next.read(), chars: 20_000 }, '')));
  }
  const values = Object.values(kept.entries).map(({ value }) => value);
  for (const value of ['INV-3312', 'src/invoices/create.ts', '9f3c2ab1']) expect(values).toContain(value);
});
