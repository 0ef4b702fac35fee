import fc from 'fast-check';
import { expect } from 'vitest';
import { compact, type FormatName, formats, type Outcome, PRESET_NAMES, policyNamed } from '../../src/index.ts';
import { garbageArbitrary, renderScript, scriptArbitrary } from '../../src/testing/index.ts';
import { holdLaws } from '../support/harness.ts';
import { isCommitted, viewOf } from '../support/records.ts';
import { deepFreeze } from '../support/run.ts';

type Garbage = { readonly format: FormatName; readonly preset: string; readonly messages: readonly unknown[] };
type Result = Garbage & { readonly outcome: Outcome };

const WINDOW = 600;

holdLaws({ name: 'garbage', given: garbage, run: runGarbage, runs: 250 }, [
  {
    name: 'what is no message never makes it throw, and a list always comes back',
    check: ({ outcome }: Result) => expect(Array.isArray(outcome.messages)).toBe(true),
  },
  {
    name: 'law 1: no provider rule is broken that was not broken before',
    check: ({ format, messages, outcome }) => {
      const errors = (list: readonly unknown[]): readonly string[] =>
        formats[format].validate(list).flatMap(({ rule, severity }) => (severity === 'error' ? [rule] : []));
      const known = new Set(errors(messages));
      expect(errors(outcome.messages).filter((rule) => !known.has(rule))).toEqual([]);
    },
  },
  {
    name: 'what no decoder knows is carried on as it is, in order',
    check: ({ format, messages, outcome }) => {
      const unknown = (list: readonly unknown[]): readonly unknown[] =>
        list.filter((native) => formats[format].decode(native, []).role === 'other');
      expect(unknown(outcome.messages)).toEqual(unknown(messages));
    },
  },
  {
    name: 'whatever fails, the very list that was given comes back',
    check: ({ messages, outcome }) => {
      if (!isCommitted(outcome)) expect(outcome.messages).toBe(messages);
      else expect(outcome.tokens.after).toBeLessThan(outcome.tokens.before);
    },
  },
  {
    name: 'a record survives JSON, and projecting it gives the very same view',
    check: async ({ format, preset, messages, outcome }) => {
      if (!isCommitted(outcome)) return;
      const policy = policyNamed(preset, { window: WINDOW });
      const input = { format, messages, policy };
      expect(await viewOf({ input, policy }, JSON.parse(JSON.stringify(outcome.records)))).toEqual(outcome.messages);
    },
  },
]);

// Garbage alone, a conversation of another dialect, or a real conversation with garbage strewn in.
function garbage(format: FormatName): fc.Arbitrary<Garbage> {
  const foreign = fc
    .tuple(scriptArbitrary({ maxSteps: 8 }), fc.constantFrom<FormatName>('openai-chat', 'anthropic', 'gemini'))
    .map(([script, other]) => renderScript(script, other).messages);
  const mixed = fc
    .tuple(scriptArbitrary({ maxSteps: 8 }), garbageArbitrary(), fc.array(fc.nat({ max: 20 }), { maxLength: 20 }))
    .map(([script, junk, places]) => {
      const { messages } = renderScript(script, format);
      return junk.reduce<readonly unknown[]>((list, one, at) => list.toSpliced(places[at] ?? 0, 0, one), messages);
    });
  return fc.record({
    format: fc.constant(format),
    preset: fc.constantFrom(...PRESET_NAMES),
    messages: fc.oneof(garbageArbitrary(), foreign, mixed).map(deepFreeze),
  });
}

async function runGarbage(given: Garbage): Promise<Result> {
  const { format, preset, messages } = given;
  const outcome = await compact({
    format,
    messages,
    policy: policyNamed(preset, { window: WINDOW }),
    cause: 'manual',
  });
  return { ...given, outcome };
}
