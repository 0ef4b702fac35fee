import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCompactionError } from '../model/errors.ts';
import {
  optimalTrigger,
  type PlannedCompaction,
  type Prices,
  type Session,
  type SimulatedSession,
  type SummarizerKind,
  simulate,
  whenItPays,
} from './index.ts';

const FLAT: Prices = { input: 1, output: 1 };
const UNCACHED: Prices = { input: 1, output: 5 };
const QUARTER: Prices = { input: 1, output: 8, cachedRead: 0.25 };
const TENTH: Prices = { input: 1, output: 5, cachedRead: 0.1, cacheWrite: 1.25 };

// An agent with 25k tokens after a compaction, 15k of them fixed, that reads 10k again.
const AGENT: Session = { growth: 1500, fixed: 15_000, summary: 2000, tail: 8000, reread: 10_000 };

test.each<[string, Prices, SummarizerKind, number]>([
  ['no cache', UNCACHED, 'fresh', 47],
  ['cached reads at a quarter', QUARTER, 'fresh', 63],
  ['reads at a tenth, writes at five quarters', TENTH, 'fresh', 80],
  ['the same with a summarizer that finds the context cached', TENTH, 'cached', 68],
])('the cheapest trigger, %s', (_name, prices, summarizer, thousands) => {
  expect(Math.round(optimalTrigger({ ...AGENT, summarizer }, prices).trigger / 1000)).toBe(thousands);
});

// A published example: 1,500 tokens a message, a flat price, 40k cut to 4.5k.
const seed = (calls: number, trigger?: number): SimulatedSession => ({
  ...{ calls, growth: 1500, fixed: 0, summary: 0, tail: 4500 },
  ...(trigger === undefined ? {} : { trigger }),
});

test.each([
  [60, 2.745, 1.233, 1.314],
  [240, 43.38, 5.472, 5.8365],
])('%i messages at a flat price cost %d, compacted %d, with summarizer calls %d', (calls, plain, compacted, all) => {
  expect(simulate(seed(calls), FLAT).cost).toBeCloseTo(plain, 9);
  const { cost, summarizerCost } = simulate(seed(calls, 40_000), FLAT);
  expect(cost - summarizerCost).toBeCloseTo(compacted, 9);
  expect(cost).toBeCloseTo(all, 9);
});

const saved = (session: SimulatedSession, prices: Prices): number => {
  const { trigger: _trigger, ...plain } = session;
  return 1 - simulate(session, prices).cost / simulate(plain, prices).cost;
};

test('with cached reads at a tenth the same trigger saves about 13% of the typical session', () => {
  const written = { ...seed(60, 40_000), tail: 3500, summary: 1000 };
  expect(saved(written, TENTH)).toBeCloseTo(0.13, 2);
});

test.each<[SummarizerKind, number]>([
  ['fresh', 1],
  ['fresh', 1.25],
  ['cached', 1],
  ['cached', 1.25],
  ['none', 1],
  ['none', 1.25],
])(
  'with cached reads at a tenth it saves 70 to 83%% of the long one (%s summarizer, writes at %d)',
  (summarizer, cacheWrite) => {
    const share = saved({ ...seed(240, 40_000), summarizer }, { ...TENTH, cacheWrite });
    expect(share).toBeGreaterThan(0.7);
    expect(share).toBeLessThan(0.83);
  },
);

// One compaction of 80k to 25k, of which 15k in front stay as they were.
const AT_80K: PlannedCompaction = {
  before: 80_000,
  after: 25_000,
  unchanged: 15_000,
  callsLeft: 10,
  summary: 2000,
  summarizerInput: 80_000,
};

test.each<[string, Prices, number, number, boolean]>([
  ['no cache', UNCACHED, 2, 0, true],
  ['cached reads at a quarter', QUARTER, 8, 10_000, true],
  ['reads at a tenth, writes at five quarters', TENTH, 19, 10_000, false],
])('a compaction at 80k, %s, pays from call %i on', (_name, prices, breakEvenCall, tokensRebilled, pays) => {
  const payback = whenItPays(AT_80K, prices);
  expect(payback).toMatchObject({ tokensShed: 55_000, tokensRebilled, breakEvenCall, pays });
  expect(payback.netCost < 0).toBe(pays);
});

test('a cache that has expired makes the compaction cheap: the context is written again anyway', () => {
  const aging = { ...TENTH, cacheSeconds: 300 };
  const warm = whenItPays({ ...AT_80K, idleSeconds: 299 }, aging);
  const cold = whenItPays({ ...AT_80K, idleSeconds: 300 }, aging);
  expect(warm.breakEvenCall).toBe(19);
  expect(cold.breakEvenCall).toBe(5);
  expect(cold).toMatchObject({ tokensRebilled: 0, pays: true });
});

test('a cache that expires between the calls to come makes shedding worth more', () => {
  const aging = { ...TENTH, cacheSeconds: 300 };
  const { breakEvenCall = 0 } = whenItPays({ ...AT_80K, gapSeconds: [5, 900] }, aging);
  expect(breakEvenCall).toBeLessThan(6);
});

test('a compaction that sheds nothing never pays', () => {
  expect(whenItPays({ ...AT_80K, after: 80_000 }, TENTH)).toMatchObject({ breakEvenCall: undefined, pays: false });
  expect(whenItPays({ ...AT_80K, reread: 55_000 }, TENTH)).toMatchObject({ tokensShed: 0, breakEvenCall: undefined });
});

test('without a model and without a cache a compaction pays at once', () => {
  const digest = { ...AT_80K, summary: 0, summarizerInput: 0 };
  expect(whenItPays(digest, UNCACHED)).toMatchObject({ breakEvenCall: 1, pays: true });
});

const tokens = (max: number, min = 0) => fc.integer({ min, max });
const price = fc.record({
  input: fc.constantFrom(0.15, 1, 3, 15),
  output: fc.constantFrom(0.6, 5, 15, 75),
  cachedRead: fc.constantFrom(0.015, 0.1, 0.3, 1.5),
  cacheWrite: fc.constantFrom(0.15, 1.25, 3.75, 18.75),
});

test('break-even is the first call from which on the saving covers the cost', () => {
  const planned = fc.record({
    before: tokens(400_000, 50_000),
    after: tokens(49_000, 20_000),
    unchanged: tokens(20_000),
    callsLeft: tokens(300),
    summary: tokens(8000),
    summarizerInput: tokens(400_000),
  });
  fc.assert(
    fc.property(planned, price, (compaction, prices) => {
      const { breakEvenCall, netCost, pays } = whenItPays(compaction, prices);
      expect(pays).toBe(netCost < 0);
      if (breakEvenCall === undefined) return;
      const net = (callsLeft: number): number => whenItPays({ ...compaction, callsLeft }, prices).netCost;
      expect(net(breakEvenCall)).toBeLessThanOrEqual(1e-9);
      if (breakEvenCall > 1) expect(net(breakEvenCall - 1)).toBeGreaterThan(-1e-9);
    }),
  );
});

test('one compaction costs by formula what two simulated sessions differ by', () => {
  const session: SimulatedSession = { ...AGENT, calls: 1, start: 78_500, reread: 0 };
  const twelve = { ...session, calls: 13 };
  const with1 = simulate({ ...twelve, trigger: 80_000 }, TENTH).cost;
  const without = simulate(twelve, TENTH).cost;
  const { netCost } = whenItPays({ ...AT_80K, callsLeft: 12 }, TENTH);
  expect(with1 - without).toBeCloseTo(netCost, 9);
});

// Sessions of 60 compactions or so, over growths, sizes, summarizers and price lists.
const grid = [600, 1500, 4000].flatMap((growth) =>
  [FLAT, UNCACHED, QUARTER, TENTH].flatMap((prices) =>
    [AGENT, { ...AGENT, reread: 0, tail: 2000 }, { ...AGENT, fixed: 4000, tail: 20_000 }].flatMap((session) =>
      (['fresh', 'cached', 'none'] as const).map((summarizer) => ({ ...session, growth, summarizer, prices })),
    ),
  ),
);

test('the closed form costs within 3% of the best trigger a search finds', () => {
  for (const { prices, ...session } of grid) {
    const { trigger, calls: n, base } = optimalTrigger(session, prices);
    const calls = Math.ceil(n) * 20;
    const costAt = (at: number): number => simulate({ ...session, start: base, calls, trigger: at }, prices).cost;
    let best = { cost: Number.POSITIVE_INFINITY, at: 0 };
    for (let each = 1; each <= 3 * Math.ceil(n) + 3; each += 1) {
      const cost = costAt(base + each * session.growth);
      if (cost < best.cost) best = { cost, at: base + each * session.growth };
    }
    expect(costAt(trigger), JSON.stringify({ ...session, prices })).toBeLessThanOrEqual(1.03 * best.cost);
  }
});

test('over many compactions the searched trigger is the closed form, to the call', () => {
  for (const { prices, ...session } of grid) {
    const { calls: n, base } = optimalTrigger(session, prices);
    const perCall = (each: number): number => {
      const trigger = base + each * session.growth;
      const { cost } = simulate({ ...session, start: base, calls: each * 3, trigger }, prices);
      const { cost: first } = simulate({ ...session, start: base, calls: each, trigger }, prices);
      return (cost - first) / (2 * each);
    };
    const costs = Array.from({ length: 3 * Math.ceil(n) + 3 }, (_, index) => perCall(index + 1));
    const best = 1 + costs.indexOf(Math.min(...costs));
    expect(Math.abs(best - n), JSON.stringify({ ...session, prices, best, n })).toBeLessThanOrEqual(1);
  }
});

test('idle gaps beyond the life of the cache move the trigger down towards that of no cache', () => {
  const aging = { ...TENTH, cacheSeconds: 300 };
  const at = (gapSeconds: number | number[]): number => optimalTrigger({ ...AGENT, gapSeconds }, aging).trigger;
  expect(at(10)).toBe(optimalTrigger(AGENT, TENTH).trigger);
  expect(at([10, 10, 10, 900])).toBeLessThan(at(10));
  expect(at(900)).toBeLessThan(at([10, 10, 10, 900]));
});

test('with idle gaps the closed form still costs within 3% of the best trigger', () => {
  const aging = { ...TENTH, cacheSeconds: 300 };
  const session = { ...AGENT, gapSeconds: [5, 5, 600, 5, 5, 5, 30] };
  const { trigger, base } = optimalTrigger(session, aging);
  const costAt = (at: number): number => simulate({ ...session, start: base, calls: 500, trigger: at }, aging).cost;
  const costs = Array.from({ length: 80 }, (_, index) => costAt(base + (index + 1) * session.growth));
  expect(costAt(trigger)).toBeLessThanOrEqual(1.03 * Math.min(...costs));
});

test('every token of every call is billed once, as read or as written', () => {
  const session = fc.record({
    growth: tokens(5000, 1),
    fixed: tokens(20_000),
    summary: tokens(4000),
    tail: tokens(20_000),
    reread: tokens(10_000),
    calls: tokens(200),
    gapSeconds: fc.array(tokens(600), { maxLength: 5 }),
  });
  fc.assert(
    fc.property(session, price, tokens(200_000, 60_000), (given, prices, trigger) => {
      const { bills, cost, compactions } = simulate({ ...given, trigger }, { ...prices, cacheSeconds: 300 });
      expect(bills).toHaveLength(given.calls);
      for (const { context, read, written } of bills) {
        expect(read + written).toBe(context);
        expect(read).toBeGreaterThanOrEqual(0);
        expect(context).toBeLessThan(trigger + given.growth);
      }
      expect(bills.filter(({ context }) => context >= trigger)).toHaveLength(compactions);
      expect(bills.reduce((sum, bill) => sum + bill.cost, 0)).toBeCloseTo(cost, 9);
    }),
  );
});

test('reading for nothing means never compacting for money', () => {
  expect(optimalTrigger(AGENT, { input: 1, output: 5, cachedRead: 0 })).toMatchObject({
    calls: Number.POSITIVE_INFINITY,
    trigger: Number.POSITIVE_INFINITY,
  });
});

test.each<[string, () => unknown]>([
  ['prices.input', () => optimalTrigger(AGENT, { input: -1, output: 1 })],
  ['prices.cachedRead', () => optimalTrigger(AGENT, { input: 1, output: 1, cachedRead: Number.NaN })],
  ['prices.output', () => optimalTrigger(AGENT, { input: 1, output: Number.POSITIVE_INFINITY })],
  ['prices.cacheSeconds', () => whenItPays(AT_80K, { ...TENTH, cacheSeconds: -1 })],
  ['idleSeconds', () => whenItPays({ ...AT_80K, idleSeconds: -1 }, TENTH)],
  ['gapSeconds', () => simulate({ ...AGENT, calls: 1, gapSeconds: [1, Number.NaN] }, TENTH)],
  ['growth', () => optimalTrigger({ ...AGENT, growth: 0 }, TENTH)],
  ['tail', () => optimalTrigger({ ...AGENT, tail: -1 }, TENTH)],
  ['unchanged', () => whenItPays({ ...AT_80K, unchanged: 26_000 }, TENTH)],
  ['summarizerCached', () => whenItPays({ ...AT_80K, summarizerCached: 80_001 }, TENTH)],
  ['trigger', () => simulate({ ...AGENT, calls: 1, trigger: 10 }, TENTH)],
  ['calls', () => simulate({ ...AGENT, calls: 1e9 }, TENTH)],
  ['summarizer', () => optimalTrigger({ ...AGENT, summarizer: 'cheap' as 'fresh' }, TENTH)],
])('`%s` out of range is said by name', (name, run) => {
  let thrown: unknown;
  try {
    run();
  } catch (error) {
    thrown = error;
  }
  expect(isCompactionError(thrown) && thrown.message).toContain(`\`${name}\``);
});
