import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gemini } from './index.ts';

const user = (...parts: readonly unknown[]) => ({ role: 'user', parts });
const model = (...parts: readonly unknown[]) => ({ role: 'model', parts });
const text = (value = 'a') => ({ text: value });
const call = (signature?: string) => ({
  functionCall: { name: 'f', args: {} },
  ...(signature ? { thoughtSignature: signature } : {}),
});
const answer = () => ({ functionResponse: { name: 'f', response: { output: 'ok' } } });

const broken = (natives: readonly unknown[]): readonly string[] =>
  gemini.validate(natives).map(({ rule, severity, at }) => `${rule} ${severity} ${at}`);

describe('validate', () => {
  test.each<[string, readonly unknown[]]>([
    ['an empty list', []],
    ['a chat', [user(text()), model(text()), user(text())]],
    ['a missing role', [{ parts: [text()] }]],
    ['a single part without list', [{ role: 'user', parts: text() }]],
    ['a tool loop', [user(text()), model(call()), user(answer()), model(call(), call()), user(answer(), answer())]],
    ['responses of role function', [user(text()), model(call()), { role: 'function', parts: [answer()] }]],
    ['text with a call', [user(text()), model(text(), call()), user(answer(), text())]],
    [
      'snake_case',
      [user(text()), model({ function_call: { name: 'f' } }), user({ function_response: { name: 'f', response: {} } })],
    ],
    ['an empty signed text', [user(text()), model(text(), { text: '', thoughtSignature: 's' }), user(text())]],
    [
      'all media and code',
      [user({ inlineData: {} }, { fileData: {} }, { executableCode: {} }, { codeExecutionResult: {} })],
    ],
    ['unknown keys', [{ ...user({ ...text(), id: 'x' }), stamp: 1 }]],
    [
      'an escaped backslash before a u',
      [user(text()), model(call()), user({ functionResponse: { name: 'f', response: { a: 'C:\\ud800' } } })],
    ],
    [
      'surrogate pairs',
      [user(text('🙂')), model({ functionCall: { name: 'f', args: { '🙂': '🙂' } } }), user(answer())],
    ],
  ])('finds nothing in %s', (_, natives) => {
    expect(gemini.validate(natives)).toEqual([]);
  });

  test.each<[string, readonly unknown[], readonly string[]]>([
    ['fewer responses than calls', [user(text()), model(call(), call()), user(answer())], ['G1 error 1']],
    ['more responses than calls', [user(text()), model(call()), user(answer(), answer())], ['G1 error 1']],
    ['no response before the next prompt', [user(text()), model(call()), user(text())], ['G1 error 1']],
    [
      'responses in two contents',
      [user(text()), model(call(), call()), user(answer()), user(answer())],
      ['G1 error 1', 'G3 error 3', 'G4 portability 3'],
    ],
    [
      'a call behind a model content',
      [user(text()), model(text()), model(call()), user(answer())],
      ['G2 error 2', 'G4 portability 2'],
    ],
    ['a response without call', [user(text()), model(text()), user(answer())], ['G3 error 2']],
    ['a response at the start', [user(answer())], ['G3 error 0']],
    ['a start with model', [model(text()), user(text())], ['G4 error 0']],
    ['two users', [user(text()), user(text())], ['G4 portability 1']],
    ['a last model content', [user(text()), model(text())], ['G4 portability 1']],
    ['a pending call', [user(text()), model(call())], ['G4 portability 1']],
    ['no parts', [user(), model(text()), { role: 'user' }], ['G5 error 0', 'G5 error 2']],
    [
      'a part without data',
      [user(text(), {}, { thoughtSignature: 's' }, null)],
      ['G5 error 0', 'G5 error 0', 'G5 error 0'],
    ],
    ['a part with two data fields', [user({ text: 'a', fileData: {} })], ['G5 error 0']],
    ['empty text', [user(text(''))], ['G5 portability 0']],
    ['a role of another dialect', [{ role: 'assistant', parts: [text()] }], ['G5 error 0']],
    ['no content', [null], ['G5 error 0']],
    [
      'args that are no object',
      [user(text()), model({ functionCall: { name: 'f', args: '{}' } }), user(answer())],
      ['G8 error 1'],
    ],
    [
      'a response that is no object',
      [user(text()), model(call()), user({ functionResponse: { name: 'f', response: [] } })],
      ['G8 error 2'],
    ],
    [
      'a response that is missing',
      [user(text()), model(call()), user({ functionResponse: { name: 'f' } })],
      ['G8 portability 2'],
    ],
    ['a call without name', [user(text()), model({ functionCall: { name: '' } }), user(answer())], ['G8 error 1']],
    [
      'a response without name',
      [user(text()), model(call()), user({ functionResponse: { response: {} } })],
      ['G8 error 2'],
    ],
    ['a lone surrogate in text', [user(text('a\ud83d'))], ['G8 error 0']],
    [
      'a lone surrogate in args',
      [user(text()), model({ functionCall: { name: 'f', args: { a: ['\udc00'] } } }), user(answer())],
      ['G8 error 1'],
    ],
    [
      'a lone surrogate in a key',
      [user(text()), model({ functionCall: { name: 'f', args: { '\ud800': 1 } } }), user(answer())],
      ['G8 error 1'],
    ],
    ['text that is no string', [user({ text: 5 })], ['G8 error 0']],
    ['media that is no object', [user({ inlineData: 'AAAA' })], ['G8 error 0']],
  ])('finds %s', (_, natives, expected) => {
    expect(broken(natives)).toEqual(expected);
  });

  test('describes what it found', () => {
    expect(gemini.validate([user(text()), model(call(), call()), user(answer())])).toEqual([
      { rule: 'G1', severity: 'error', at: 1, detail: '2 calls, 1 responses in the next content' },
    ]);
  });
});

describe('thought signatures (G6)', () => {
  const past = [user(text()), model(call('s')), user(answer()), model(text())];
  test.each<[string, readonly unknown[], readonly string[]]>([
    ['no call is signed anywhere', [user(text()), model(call()), user(answer())], []],
    ['the current turn is signed', [...past, user(text()), model(call('s')), user(answer())], []],
    ['the current turn is not signed', [...past, user(text()), model(call()), user(answer())], ['G6 error 5']],
    [
      'a later step is not signed',
      [user(text()), model(call('s')), user(answer()), model(call()), user(answer())],
      ['G6 error 3'],
    ],
    [
      'only the first of parallel calls is signed',
      [user(text()), model(call('s'), call()), user(answer(), answer())],
      [],
    ],
    [
      'only the second of parallel calls is signed',
      [user(text()), model(call(), call('s')), user(answer(), answer())],
      ['G6 error 1'],
    ],
    [
      'an earlier turn is not signed',
      [user(text()), model(call()), user(answer()), model(text()), user(text()), model(call('s')), user(answer())],
      [],
    ],
    [
      'the sentinel stands in',
      [...past, user(text()), model(call('skip_thought_signature_validator')), user(answer())],
      [],
    ],
    [
      'the signature is spelled in snake_case',
      [...past, user(text()), model({ ...call(), thought_signature: 's' }), user(answer())],
      [],
    ],
    [
      'text in front of the call is signed',
      [...past, user(text()), model({ text: 'a', thoughtSignature: 's' }, call()), user(answer())],
      [],
    ],
    [
      'only a thought is signed',
      [...past, user(text()), model({ text: 'a', thought: true, thoughtSignature: 's' }, call()), user(answer())],
      ['G6 error 5'],
    ],
    [
      'text beside a response starts no turn (G7)',
      [user(text()), model(call()), user(answer(), text()), model(call('s')), user(answer())],
      ['G6 error 1'],
    ],
    [
      'there is no prompt',
      [user(answer()), model(call('s')), user(answer()), model(call()), user(answer())],
      ['G3 error 0', 'G6 error 3'],
    ],
  ])('when %s', (_, natives, expected) => {
    expect(broken(natives)).toEqual(expected);
  });
});

test('validate is total and reports in order of position', () => {
  const part = fc.oneof(fc.anything(), fc.constantFrom<unknown>(call('s'), call(), answer(), text()));
  const content = fc.record({ role: fc.oneof(fc.constantFrom('user', 'model'), fc.anything()), parts: fc.array(part) });
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.anything({ withSparseArray: true }), content)), (natives) => {
      const found = gemini.validate(natives).map(({ at }) => at);
      expect(found).toEqual(found.toSorted((a, b) => a - b));
      expect(found.every((at) => at >= 0 && at < natives.length)).toBe(true);
    }),
  );
});

test('validate finds nothing in generated tool loops that end with a prompt', () => {
  const step = fc
    .integer({ min: 1, max: 4 })
    .map((count) => [
      model(text(), ...Array.from({ length: count }, (_, at) => call(at === 0 ? 's' : undefined))),
      user(...Array.from({ length: count }, answer)),
    ]);
  const turn = fc.array(step).map((steps) => [user(text()), ...steps.flat(), model(text())]);
  fc.assert(
    fc.property(fc.array(turn), (turns) => {
      expect(gemini.validate([...turns.flat(), user(text())])).toEqual([]);
    }),
  );
});
