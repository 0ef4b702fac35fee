import { expect, test } from 'vitest';
import { matches } from '../../src/config/match.ts';
import { createPolicies } from '../../src/config/policies.ts';
import { isRefusal } from '../../src/model/call.ts';
import type { PolicyRule } from '../../src/model/config.ts';
import type { Resolved } from '../../src/model/policy.ts';

const QUESTION = {
  dialect: 'openai-chat',
  model: 'gpt-4o',
  upstream: 'openai',
  path: '/v1/chat/completions',
  caller: { tenant: 't', keyId: 'ci', scopes: ['proxy'] },
} as const;

const resolve = (
  policies: readonly PolicyRule[],
  headers: Record<string, string> = {},
  more: Partial<typeof QUESTION> | { model?: string } = {},
) =>
  createPolicies({ policies, models: [{ match: 'own-*', window: 9000 }] }).resolve({ ...QUESTION, ...more, headers });

const resolved = (...given: Parameters<typeof resolve>): Resolved => {
  const found = resolve(...given);
  if (isRefusal(found)) throw new Error(found.message);
  return found;
};

test('a model of the table has its window and prices, one of the configuration its own, an unknown one 128k and a warning', () => {
  const known = resolved([]);
  expect(known.isWindowAssumed).toBe(false);
  expect(known.policy.window).toBe(128_000);
  expect(known.prices?.input).toBeCloseTo(2.5);
  expect(resolved([], {}, { model: 'own-7b' }).policy.window).toBe(9000);
  const unknown = resolved([], {}, { model: 'nobody-knows-this' });
  expect(unknown).toMatchObject({ isWindowAssumed: true, policy: { window: 128_000, preset: 'epitome' } });
  expect(unknown.prices).toBeUndefined();
});

test.each([
  ['gemini-2.5-pro', 1_048_576],
  ['gemini-3-pro-preview', 1_048_576],
  ['gemini-3.1-pro-preview', 1_048_576],
  ['models/gemini-2.5-pro', 1_048_576],
  ['openai/gpt-5', 400_000],
  ['anthropic/claude-sonnet-4-5', 200_000],
])('%s has its own window and price, whatever stands in front of its name', (model, window) => {
  const { isWindowAssumed, policy, prices } = resolved([], {}, { model });
  expect([isWindowAssumed, policy.window]).toEqual([false, window]);
  expect(prices?.input).toBeGreaterThan(0);
});

test('whose window had to be assumed is told once, and not where a rule or a header says it', () => {
  const told: string[] = [];
  const policies = createPolicies({ policies: [{ when: { model: 'ruled' }, window: 9000 }] }, (model) =>
    told.push(model),
  );
  const ask = (model: string, headers: Record<string, string> = {}): void => {
    policies.resolve({ ...QUESTION, model, headers });
  };
  ask('ruled');
  ask('nobody-knows-this', { 'x-epitome-window': '32k' });
  expect(told).toEqual([]);
  ask('nobody-knows-this');
  ask('nobody-knows-this');
  expect(told).toEqual(['nobody-knows-this']);
});

test('later rules add to earlier ones, and only those for the request', () => {
  const rules: PolicyRule[] = [
    { preset: 'threshold', options: { buffer: 5000 }, window: 40_000 },
    { when: { model: 'gpt-*' }, target: 7000 },
    { when: { key: 'ci' }, goal: 'ship it' },
    { when: { dialect: 'gemini' }, mode: 'off' },
    { when: { path: '/v1/other*' }, mode: 'off' },
    { when: { upstream: 'azure' }, mode: 'off' },
  ];
  expect(resolved(rules)).toMatchObject({
    mode: 'on',
    goal: 'ship it',
    policy: { preset: 'threshold', window: 40_000, target: 7000 },
  });
});

test.each([
  ['/a/*', true],
  ['/a/v1/chat/completions', true],
  ['/v1/*', true],
  ['*completions', true],
  ['/b/*', false],
])('a rule for %s holds for a path that names the upstream: %s', (path, isFor) => {
  const asked = { ...QUESTION, asked: '/a/v1/chat/completions' };
  expect(resolved([{ when: { path }, mode: 'off' }], {}, asked).mode).toBe(isFor ? 'off' : 'on');
});

test('another preset starts without the options of the one before', () => {
  const rules: PolicyRule[] = [{ preset: 'threshold', options: { buffer: 5000 } }, { preset: 'snapshot' }];
  expect(resolved(rules).policy.preset).toBe('snapshot');
  expect(resolved(rules.slice(0, 1), { 'x-epitome-preset': 'branch' }).policy.preset).toBe('branch');
});

test.each<[string, string, Partial<Resolved> | object]>([
  ['x-epitome-off', 'true', { mode: 'off' }],
  ['x-epitome-off', 'false', { mode: 'on' }],
  ['x-epitome-dry-run', '1', { mode: 'dry-run' }],
  ['x-epitome-force', 'yes', { force: true }],
  ['x-epitome-preset', 'snapshot', { policy: { preset: 'snapshot' } }],
  ['x-epitome-window', '32k', { policy: { window: 32_000 } }],
  ['x-epitome-target', '16000', { policy: { target: 16_000 } }],
  ['x-epitome-goal', 'ship the parser', { goal: 'ship the parser' }],
  ['x-epitome-goal', 'Gr%C3%BC%C3%9Fe', { goal: 'Grüße' }],
  ['x-epitome-goal', Buffer.from('Grüße').toString('latin1'), { goal: 'Grüße' }],
  ['x-epitome-conversation', 'run:7.a_b-c', { conversation: 'run:7.a_b-c' }],
])('%s: %s wins over every rule', (name, value, expected) => {
  expect(
    resolved([{ mode: 'on', preset: 'threshold', window: 50_000, goal: 'another' }], { [name]: value }),
  ).toMatchObject(expected);
});

test.each<[string, string, string, Resolved['mode']]>([
  ['true', 'true', 'true', 'off'],
  ['true', 'false', 'true', 'off'],
  ['false', 'true', 'true', 'dry-run'],
  ['false', 'false', 'true', 'on'],
])('off %s, dry-run %s, force %s: %s holds, whichever header stands first', (off, dryRun, force, mode) => {
  const headers = [
    ['x-epitome-off', off],
    ['x-epitome-dry-run', dryRun],
    ['x-epitome-force', force],
  ] as const;
  for (const order of [headers, headers.toReversed(), [headers[1], headers[2], headers[0]]] as const) {
    expect(resolved([], Object.fromEntries(order)).mode).toBe(mode);
  }
});

test('a dry run that is switched off leaves the mode to the rules', () => {
  expect(resolved([{ mode: 'off' }], { 'x-epitome-dry-run': 'false' }).mode).toBe('off');
});

test.each([
  ['x-epitome-off', 'perhaps', /true or false/],
  ['x-epitome-window', '12', /from 256/],
  ['x-epitome-window', '1e9', /whole number/],
  ['x-epitome-target', '-4', /whole number/],
  ['x-epitome-preset', 'best', /There is no preset "best"/],
  ['x-epitome-preset', 'a b', /the name of a preset/],
  ['x-epitome-goal', 'x'.repeat(2001), /2000 characters/],
  ['x-epitome-goal', '%ff', /percent-encoded/],
  ['x-epitome-conversation', '../../etc', /1 to 200 letters/],
  ['x-epitome-upstream', 'http://evil', /no header of the gateway/],
])('%s: %s is refused in words', (name, value, said) => {
  expect(resolve([], { [name]: value })).toMatchObject({ status: 400, message: expect.stringMatching(said) });
});

test.each<[string, PolicyRule[], Record<string, string>]>([
  ['both in headers', [], { 'x-epitome-target': '16k', 'x-epitome-window': '8k' }],
  ['the target in a header', [{ window: 8000 }], { 'x-epitome-target': '16k' }],
  ['the window in a header', [{ target: 16_000 }], { 'x-epitome-window': '8000' }],
])('a target that is larger than the window is refused with both figures: %s', (_what, rules, headers) => {
  expect(resolve(rules, headers)).toMatchObject({
    status: 400,
    message: expect.stringMatching(/target of 16000 tokens is larger than the window of 8000 tokens/),
  });
});

test("a rule's target is none for a model with a smaller window", () => {
  const { target } = resolved([{ target: 50_000_000 }]).policy;
  expect(target).toBe(resolved([]).policy.target);
});

test.each([
  ['gpt-*', 'gpt-4o', true],
  ['gpt-*', 'own', false],
  ['*', '', true],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'acb', false],
  ['a*a', 'a', false],
  ['x', 'x', true],
  ['x', 'xx', false],
])('%s against %s: %s', (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

test('a pattern of many stars takes no time', () => {
  expect(matches(`${'*a'.repeat(2000)}b`, 'a'.repeat(100_000))).toBe(false);
});
