import fc from 'fast-check';
import { expect } from 'vitest';
import { isObject } from '../../src/formats/native.ts';
import { type FormatName, formats, type Message, type PartEdit } from '../../src/index.ts';
import { renderScript, type Script, scriptArbitrary, textArbitrary } from '../../src/testing/index.ts';
import { holdLaws } from '../support/harness.ts';

type Given = { readonly format: FormatName; readonly script: Script; readonly words: string };
type Read = Given & { readonly messages: readonly Message[] };

// A field of no dialect, which every message carries.
const UNKNOWN = { x_trace: { id: 'a1', deep: [1, null, { b: 'ü' }] } };

holdLaws({ name: 'formats', given: histories, run: read, runs: 80 }, [
  {
    name: 'law 40: reading a message and writing it unedited gives the very same object',
    check: ({ format, messages }: Read) => {
      for (const message of messages) expect(formats[format].edit(message, [])).toBe(message.native);
    },
  },
  {
    name: 'law 40: a message of ours reads back as it was written',
    check: ({ format, words }) => {
      for (const role of ['user', 'assistant'] as const) {
        const { role: speaker, parts } = formats[format].decode(formats[format].compose({ role, text: words }), []);
        expect({ speaker, parts }).toEqual({ speaker: role, parts: [{ kind: 'text', text: words }] });
      }
    },
  },
  {
    name: 'law 40: fields nobody knows survive every edit',
    check: ({ format, messages, words }) => {
      for (const message of messages) {
        for (const edits of editsOf(message, words)) {
          const edited = formats[format].edit(message, edits);
          if (edited !== undefined) expect(isObject(edited) && edited['x_trace']).toBe(UNKNOWN.x_trace);
        }
      }
    },
  },
  {
    name: 'law 4: an edit changes no call and no id of a result',
    check: ({ format, messages, words }) => {
      for (const [at, message] of messages.entries()) {
        for (const edits of editsOf(message, words)) {
          const edited = formats[format].edit(message, edits);
          if (edited === undefined) continue;
          const after = formats[format].decode(edited, messages.slice(0, at));
          expect(linksOf(after).calls).toEqual(linksOf(message).calls);
          expect(linksOf(message).results).toEqual(expect.arrayContaining([...linksOf(after).results]));
        }
      }
    },
  },
]);

function histories(format: FormatName): fc.Arbitrary<Given> {
  return fc.record({ format: fc.constant(format), script: scriptArbitrary({ maxSteps: 12 }), words: textArbitrary() });
}

async function read(given: Given): Promise<Read> {
  const messages: Message[] = [];
  for (const native of renderScript(given.script, given.format).messages) {
    const marked = isObject(native) ? { ...native, ...UNKNOWN } : native;
    messages.push(formats[given.format].decode(marked, messages));
  }
  return { ...given, messages };
}

// Each part left out, each rewritten, and all thinking left out at once.
function editsOf({ parts }: Message, text: string): readonly (readonly PartEdit[])[] {
  const each = parts.flatMap((_, part) => [[{ part, text: null }], [{ part, text }]]);
  return [...each, parts.flatMap(({ kind }, part) => (kind === 'reasoning' ? [{ part, text: null }] : []))];
}

function linksOf({ parts }: Message): { readonly calls: readonly string[]; readonly results: readonly string[] } {
  return {
    calls: parts.flatMap((part) => (part.kind === 'tool-call' ? [part.callId] : [])),
    results: parts.flatMap((part) => (part.kind === 'tool-result' ? [part.callId] : [])),
  };
}
