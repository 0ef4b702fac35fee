import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formats } from '../formats/index.ts';
import { FORMAT_NAMES, type FormatName } from '../model/format.ts';
import type { Message } from '../model/message.ts';
import { renderScript } from './dialects.ts';
import { scriptArbitrary, soundScriptArbitrary } from './generators.ts';
import { IMAGE_MARK } from './payload.ts';
import type { Script, Step } from './script.ts';

const prompt = (text: string): Step => ({ kind: 'prompt', text, images: [] });
const answer = (text: string): Step => ({ kind: 'answer', text });
const scriptOf = (...steps: readonly Step[]): Script => ({ steps, thinking: 'signed', tools: ['read_file'] });

function decodeAll(natives: readonly unknown[], format: FormatName): readonly Message[] {
  const messages: Message[] = [];
  for (const native of natives) messages.push(formats[format].decode(native, messages));
  return messages;
}

describe.each(FORMAT_NAMES)('%s', (format) => {
  test('a sound script is a list the provider accepts', () => {
    fc.assert(
      fc.property(soundScriptArbitrary(), (script) => {
        const { messages } = renderScript(script, format);
        expect(formats[format].validate(messages).filter(({ severity }) => severity === 'error')).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  test('a decoder finds the calls and results that were written, and knows every message', () => {
    fc.assert(
      fc.property(scriptArbitrary(), (script) => {
        const { messages, notes } = renderScript(script, format);
        const decoded = decodeAll(messages, format);
        expect(decoded.map(({ parts }) => own(parts, 'tool-call'))).toEqual(notes.map(({ calls }) => calls.length));
        decoded.forEach(({ role, parts }, at) => {
          if (role === 'other') expect.fail(`message ${at} is unknown to its decoder`);
          // Server tools and orphans carry results that no note lists.
          expect(own(parts, 'tool-result')).toBeGreaterThanOrEqual(notes[at]?.results.length ?? 0);
        });
      }),
      { numRuns: 200 },
    );
  });

  test('pending and orphan steps are what the provider refuses', () => {
    const call = { name: 'read_file', input: { path: 'a' } };
    const pending: Step = { kind: 'calls', text: '', calls: [call], results: 'in-order' };
    const orphan: Step = { kind: 'orphan-result', text: 'x' };
    for (const steps of [
      [prompt('a'), pending, prompt('b')],
      [prompt('a'), orphan, prompt('b')],
    ]) {
      const { messages } = renderScript(scriptOf(...steps), format);
      expect(formats[format].validate(messages).some(({ severity }) => severity === 'error')).toBe(true);
    }
  });

  test('images stand where the dialect has them, system and tools beside the list', () => {
    const script = {
      ...scriptOf({ kind: 'prompt', text: 'look', images: [2000] }, answer('a cat')),
      system: 'Be kind.',
    };
    const { messages, system, tools } = renderScript(script, format);
    expect(JSON.stringify(messages)).toContain(IMAGE_MARK);
    expect(decodeAll(messages, format)[0]?.parts.some(({ kind }) => kind === 'media')).toBe(true);
    expect(JSON.stringify(formats[format].decodeFixed({ system, tools }))).toContain('Be kind.');
    expect(JSON.stringify(formats[format].decodeFixed({ system, tools }))).toContain('read_file');
  });
});

function own(parts: Message['parts'], kind: 'tool-call' | 'tool-result'): number {
  return parts.filter((part) => part.kind === kind && !/^srv/.test(part.callId)).length;
}
