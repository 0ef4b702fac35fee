import fc from 'fast-check';
import { type CallsStep, isSound, type Script, type ScriptCall, type Step } from './script.ts';
import { sampleText, TEXT_KINDS } from './texts.ts';

/** Text of any language and temper, from one word to 20 kB; never blank, always well formed. */
export function textArbitrary(): fc.Arbitrary<string> {
  const length = fc.oneof(
    { withCrossShrink: true },
    { weight: 60, arbitrary: fc.integer({ min: 1, max: 60 }) },
    { weight: 24, arbitrary: fc.integer({ min: 60, max: 600 }) },
    { weight: 4, arbitrary: fc.integer({ min: 600, max: 4000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 4000, max: 20_000 }) },
  );
  return fc.record({ kind: fc.constantFrom(...TEXT_KINDS), length, salt: fc.nat({ max: 9999 }) }).map(sampleText);
}

/** What a conversation may hold beside what is sound. */
export type ScriptOptions = {
  /**
   * Most steps; a step becomes one to six messages.
   * @default 24
   */
  readonly maxSteps?: number;
  /**
   * Whether results without calls, and calls without results, may occur.
   * @default true
   */
  readonly faults?: boolean;
};

/** Conversations: turns of prompts, calls, server tools and answers, ended anywhere. */
export function scriptArbitrary({ maxSteps = 24, faults = true }: ScriptOptions = {}): fc.Arbitrary<Script> {
  const turns = fc.array(turn(faults), { maxLength: Math.ceil(maxSteps / 2), size: 'max' });
  return fc
    .record({
      headless: maybe(faultless(), 1, 8),
      turns,
      end: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 2, arbitrary: openEnd(faults) }),
      thinking: fc.constantFrom('plain' as const, 'signed' as const),
      system: maybe(text(), 1, 1),
      tools: fc.uniqueArray(toolName(), { maxLength: 4 }),
    })
    .map(({ headless, turns: list, end, thinking, system, tools }) => {
      const opening = headless === undefined ? [] : [headless];
      const steps = [...opening, ...list.flat().slice(0, maxSteps), ...end];
      return { steps, thinking, tools, ...(system === undefined ? {} : { system }) };
    });
}

/** Conversations that every provider accepts. */
export function soundScriptArbitrary(options: Omit<ScriptOptions, 'faults'> = {}): fc.Arbitrary<Script> {
  return scriptArbitrary({ ...options, faults: false }).filter(isSound);
}

/** Values that are no messages, or nearly: what a decoder meets when somebody hands it the wrong thing. */
export function garbageArbitrary(): fc.Arbitrary<readonly unknown[]> {
  const content = fc.oneof(fc.string(), fc.anything({ maxDepth: 1 }), fc.array(nearlyBlock(), { maxLength: 3 }));
  const nearly = fc.record(
    {
      role: fc.constantFrom<unknown>('user', 'assistant', 'model', 'tool', 'system', 'function', 7, null),
      content,
      parts: fc.oneof(fc.array(nearlyBlock(), { maxLength: 3 }), fc.anything({ maxDepth: 1 })),
      type: fc.constantFrom<unknown>('message', 'reasoning', 'function_call', 'function_call_output', 'compaction', 5),
      tool_calls: fc.anything({ maxDepth: 2 }),
      tool_call_id: callId(),
      call_id: callId(),
      output: content,
    },
    { requiredKeys: [] },
  );
  return fc.array(fc.oneof({ weight: 4, arbitrary: nearly }, { weight: 1, arbitrary: fc.anything({ maxDepth: 2 }) }), {
    maxLength: 20,
  });
}

const text = textArbitrary;

function maybe<T>(arbitrary: fc.Arbitrary<T>, weight: number, none: number): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: none, arbitrary: fc.constant(undefined) }, { weight, arbitrary });
}

function turn(faults: boolean): fc.Arbitrary<readonly Step[]> {
  const inner = fc.oneof(
    { weight: 10, arbitrary: calls(faults) },
    { weight: 2, arbitrary: serverTool() },
    { weight: 1, arbitrary: record('system') },
    { weight: 1, arbitrary: answer() },
    ...(faults ? [{ weight: 1, arbitrary: record('orphan-result') }] : []),
  );
  return fc
    .record({
      prompt: prompt(),
      second: maybe(prompt(), 1, 12),
      steps: fc.array(inner, { maxLength: 4, size: 'max' }),
      answer: maybe(answer(), 4, 1),
      compaction: maybe(record('compaction'), 1, 30),
    })
    .map(({ prompt: first, second, steps, answer: last, compaction }) =>
      [first, second, ...steps, compaction, last].filter((step) => step !== undefined),
    );
}

function openEnd(faults: boolean): fc.Arbitrary<readonly Step[]> {
  // Harnesses put reminders beside results, and people interrupt.
  const working = fc.array(callsOf(answeredCall(), maybe(text(), 1, 3)), { maxLength: 6, size: 'max' });
  const pending = faults ? maybe(pendingCalls(), 1, 1) : fc.constant(undefined);
  return fc
    .record({ prompt: prompt(), working, pending })
    .map(({ prompt: first, working: steps, pending: last }) => [
      first,
      ...steps,
      ...(last === undefined ? [] : [last]),
    ]);
}

function faultless(): fc.Arbitrary<Step> {
  return fc.oneof(calls(false), answer());
}

function prompt(): fc.Arbitrary<Step> {
  const images = fc.oneof(
    { weight: 8, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.array(fc.integer({ min: 88, max: 9000 }), { minLength: 1, maxLength: 2 }) },
  );
  return fc.record({ kind: fc.constant('prompt' as const), text: text(), images });
}

function record(kind: 'system' | 'orphan-result' | 'compaction'): fc.Arbitrary<Step> {
  return text().map((words) => ({ kind, text: words }));
}

function answer(): fc.Arbitrary<Step> {
  return fc.record({ text: text(), reasoning: maybe(text(), 1, 2) }).map(({ text: words, reasoning }) => ({
    kind: 'answer',
    text: words,
    ...(reasoning === undefined ? {} : { reasoning }),
  }));
}

function serverTool(): fc.Arbitrary<Step> {
  return fc.record({ kind: fc.constant('server-tool' as const), text: text(), query: text(), found: text() });
}

function calls(faults: boolean): fc.Arbitrary<CallsStep> {
  const call = faults
    ? fc.oneof({ weight: 20, arbitrary: answeredCall() }, { weight: 1, arbitrary: openCall() })
    : answeredCall();
  return callsOf(call, maybe(text(), 1, 12));
}

function pendingCalls(): fc.Arbitrary<CallsStep> {
  return callsOf(fc.oneof(openCall(), answeredCall()), fc.constant(undefined)).map((step) => ({
    ...step,
    calls: step.calls.map((call, index) => (index === 0 ? withoutResult(call) : call)),
  }));
}

function withoutResult({ result: _, ...call }: ScriptCall): ScriptCall {
  return call;
}

function callsOf(call: fc.Arbitrary<ScriptCall>, aside: fc.Arbitrary<string | undefined>): fc.Arbitrary<CallsStep> {
  return fc
    .record({
      text: fc.oneof(fc.constant(''), text()),
      reasoning: maybe(text(), 1, 2),
      calls: fc.array(call, { minLength: 1, maxLength: 4 }),
      results: fc.constantFrom('in-order' as const, 'reversed' as const),
      aside,
    })
    .map(({ reasoning, aside: beside, ...step }) => ({
      kind: 'calls',
      ...step,
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(beside === undefined ? {} : { aside: beside }),
    }));
}

function answeredCall(): fc.Arbitrary<ScriptCall> {
  const result = fc
    .record({
      text: text(),
      isError: fc.constantFrom(false, false, false, true),
      image: maybe(fc.constant(400), 1, 12),
    })
    .map(({ image, ...rest }) => ({ ...rest, ...(image === undefined ? {} : { image }) }));
  return asked(fc.record({ name: toolName(), input: toolInput(), result }), 8);
}

function openCall(): fc.Arbitrary<ScriptCall> {
  return asked(fc.record({ name: toolName(), input: toolInput() }), 2);
}

/** One call in so many was put to a person first. */
function asked(call: fc.Arbitrary<ScriptCall>, unasked: number): fc.Arbitrary<ScriptCall> {
  const approval = maybe(fc.constantFrom('granted' as const, 'granted' as const, 'denied' as const), 1, unasked);
  return fc
    .tuple(call, approval)
    .map(([made, said]) => ({ ...made, ...(said === undefined ? {} : { approval: said }) }));
}

function toolName(): fc.Arbitrary<string> {
  return fc.constantFrom('read_file', 'run', 'search', 'write_file', 'list-dir');
}

function toolInput(): fc.Arbitrary<Readonly<Record<string, string | number>>> {
  return fc.oneof(
    fc.constant({}),
    fc.record({ path: text() }),
    fc.record({ path: fc.constant('src/parser.ts'), limit: fc.nat() }),
  );
}

function callId(): fc.Arbitrary<unknown> {
  return fc.constantFrom<unknown>('a', 'b', '', 3, null);
}

function nearlyBlock(): fc.Arbitrary<unknown> {
  return fc.record(
    {
      type: fc.constantFrom<unknown>(
        'text',
        'tool_use',
        'tool_result',
        'thinking',
        'tool-call',
        'tool-result',
        'image',
        1,
      ),
      text: fc.oneof(fc.string({ unit: 'binary' }), fc.anything({ maxDepth: 1 })),
      id: callId(),
      tool_use_id: callId(),
      toolCallId: callId(),
      functionCall: fc.anything({ maxDepth: 1 }),
      functionResponse: fc.anything({ maxDepth: 1 }),
      content: fc.anything({ maxDepth: 1 }),
      signature: fc.string(),
    },
    { requiredKeys: [] },
  );
}
