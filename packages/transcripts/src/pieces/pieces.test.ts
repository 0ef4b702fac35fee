import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Piece } from '../model/item.ts';
import { Capture } from './capture.ts';
import { DocumentSplitter } from './document.ts';
import { layoutOf } from './pieces.ts';

/** What a document's pieces must be, by reading it whole. */
function expected(value: unknown, path: readonly string[] = []): readonly Piece[] {
  if (Array.isArray(value)) return value.map((entry) => ({ path, value: entry }));
  const isOpened = typeof value === 'object' && value !== null && path.length < 2;
  if (!isOpened) return [{ path, value }];
  return Object.entries(value).flatMap(([key, inner]) => expected(inner, [...path, key]));
}

const json = fc.jsonValue({ maxDepth: 4 }).filter((value) => typeof value === 'object' && value !== null);

test('a JSON text in chunks of any size gives what JSON.parse gives', () => {
  fc.assert(
    fc.property(json, fc.integer({ min: 1, max: 40 }), fc.constantFrom(0, 2), (value, size, indent) => {
      const text = JSON.stringify(value, null, indent);
      const bytes = Buffer.from(text);
      const splitter = new DocumentSplitter();
      const found: unknown[] = [];
      for (let at = 0; at < bytes.length; at += size) found.push(...splitter.push(bytes.subarray(at, at + size)));
      expect([...found, ...splitter.end()]).toEqual(expected(JSON.parse(text)));
    }),
    { numRuns: 500 },
  );
});

test('a JSON text that is damaged anywhere never throws, and says so or reads on', () => {
  fc.assert(
    fc.property(json, fc.nat(), fc.nat(255), (value, where, byte) => {
      const bytes = Buffer.from(JSON.stringify(value));
      bytes[where % bytes.length] = byte;
      const splitter = new DocumentSplitter();
      Array.from(splitter.push(bytes));
      splitter.end();
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['one object in a line', '{"a":1}', 'document'],
  ['one object over lines', '{\n  "a": 1\n}', 'document'],
  ['a list with a message a line', '[\n{"role":"user"},\n{"role":"assistant"}\n]', 'document'],
  ['a record a line', '{"a":1}\n{"b":2}\n', 'lines'],
  ['a broken record first', '{"a":\n{"b":2}\n', 'lines'],
  ['a remark first', 'recording started\n{"b":2}\n', 'lines'],
  ['prose', '# Title\n\nwords\n', 'text'],
])('%s is %j', (_name, text, layout) => {
  expect(layoutOf(Buffer.from(text))).toBe(layout);
});

test('a value longer than what is read is told, not held, and the next one is read', () => {
  const capture = new Capture(100);
  const chunks = [`"${'a'.repeat(60)}`, 'b'.repeat(60), 'c" '].map((text) => Buffer.from(text));
  capture.start();
  const ends = chunks.map((chunk) => capture.scan(chunk, 0));
  expect([ends, capture.isOpen]).toEqual([[61, 60, 2], false]);
  expect(capture.take()).toEqual({ value: undefined, fault: '0 MB in one value, more than is read' });
  capture.start();
  capture.scan(Buffer.from('"d"'), 0);
  expect(capture.take()).toEqual({ value: 'd' });
});
