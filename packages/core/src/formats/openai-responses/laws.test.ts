import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PartEdit } from '../../model/message.ts';
import { openaiResponses } from './index.ts';

const { decode, decodeFixed, edit, validate } = openaiResponses;

const type = fc.constantFrom(
  'message',
  'reasoning',
  'function_call',
  'function_call_output',
  'shell_call_output',
  'computer_call_output',
  'mcp_approval_response',
  'web_search_call',
  'compaction',
  'item_reference',
  'hologram',
);
const block = fc.record(
  {
    type: fc.constantFrom('input_text', 'output_text', 'refusal', 'input_image', 'input_file', 'input_audio', 'x'),
    text: fc.anything(),
    refusal: fc.string(),
    image_url: fc.anything(),
    file_data: fc.anything(),
    input_audio: fc.anything(),
    stdout: fc.anything(),
    outcome: fc.anything(),
  },
  { requiredKeys: [] },
);
const content = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.oneof(block, fc.anything())), fc.anything());
const nearlyItem = fc.record(
  {
    type: fc.oneof(type, fc.anything()),
    role: fc.oneof(fc.constantFrom('user', 'assistant', 'developer', 'tool'), fc.anything()),
    call_id: fc.oneof(fc.constantFrom('a', 'b'), fc.anything()),
    id: fc.oneof(fc.constantFrom('a', 'b'), fc.anything()),
    content,
    output: content,
    summary: fc.oneof(fc.array(block), fc.anything()),
    ['__proto__']: fc.anything(),
  },
  { requiredKeys: [] },
);
const native = fc.oneof(nearlyItem, fc.anything(), fc.jsonValue());
const edits: fc.Arbitrary<PartEdit[]> = fc.array(
  fc.record({ part: fc.nat({ max: 3 }), text: fc.option(fc.string({ unit: 'binary' })) }),
);
const loneSurrogate = /\p{Surrogate}/u;
const isSpoilt = (value: unknown): boolean => validate([value]).some(({ rule }) => rule === 'U1');

describe('laws', () => {
  test('every value is read and the native one kept', () => {
    fc.assert(
      fc.property(native, (value) => {
        const message = decode(value, []);
        expect(message.native).toBe(value);
        if (message.role === 'other') expect(message.parts).toHaveLength(1);
        expect(message.parts.every((part) => typeof part.kind === 'string')).toBe(true);
      }),
    );
  });

  test('each content block has its part, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(block, fc.anything())), (blocks) => {
        const { parts } = decode({ role: 'user', content: blocks }, []);
        expect(parts).toEqual(blocks.flatMap((one) => decode({ role: 'user', content: [one] }, []).parts));
      }),
    );
  });

  test('no list makes the validator throw, and faults come in order inside the list', () => {
    fc.assert(
      fc.property(fc.array(native), (natives) => {
        const places = validate(natives).map(({ at }) => at);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        expect(places.every((at) => at >= 0 && at < natives.length)).toBe(true);
      }),
    );
  });

  test('nesting beyond the stack is carried, not followed', () => {
    let deep: unknown = 'x';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    const natives = [{ type: 'hologram', deep }, { type: 'function_call', call_id: 'a', arguments: deep }, deep];
    expect(natives.map((value) => decode(value, []).native)).toEqual(natives.map(() => expect.anything()));
    expect(validate(natives).length).toBeGreaterThan(0);
  });

  test('any fixed part is read', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (system, tools) => {
        expect(Array.isArray(decodeFixed({ system, tools }))).toBe(true);
      }),
    );
  });

  test('an edit never throws, and without edits the very same value comes back', () => {
    fc.assert(
      fc.property(native, edits, (value, changes) => {
        const message = decode(value, []);
        expect(edit(message, [])).toBe(value);
        edit(message, changes);
      }),
    );
  });

  test('an edited text reads back as it was given', () => {
    fc.assert(
      fc.property(fc.constantFrom('user', 'assistant'), fc.string({ minLength: 1 }), (role, text) => {
        const message = decode({ role, content: [{ type: 'output_text', text: 'long', annotations: [] }] }, []);
        expect(decode(edit(message, [{ part: 0, text }]), []).parts).toEqual([{ kind: 'text', text }]);
      }),
    );
  });

  test('no lone surrogate comes from us', () => {
    fc.assert(
      fc.property(native, edits, (value, changes) => {
        fc.pre(!isSpoilt(value) && !changes.some(({ text }) => text !== null && loneSurrogate.test(text)));
        expect(isSpoilt(edit(decode(value, []), changes))).toBe(false);
      }),
    );
  });
});
