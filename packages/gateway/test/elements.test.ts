import { expect, test } from 'vitest';
import { holdElements } from '../src/upstream/elements.ts';

const ARRAY = '[{"a":"]} \\" \\\\","b":[1,[2]]}\r\n,\r\n{"c":"é"},{}\n]\n';
const ENDS = [
  '[{"a":"]} \\" \\\\","b":[1,[2]]}',
  '[{"a":"]} \\" \\\\","b":[1,[2]]}\r\n,\r\n{"c":"é"}',
  ARRAY.slice(0, -3),
];

test('whatever the chunks, an array comes out as it is, and ends with an element wherever it stops', () => {
  const bytes = Buffer.from(ARRAY);
  for (let size = 1; size <= bytes.length; size += 1) {
    const hold = holdElements(1000);
    let out = '';
    for (let at = 0; at < bytes.length; at += size) {
      out += hold.push(bytes.subarray(at, at + size)).toString('latin1');
      const soFar = Buffer.from(out, 'latin1').toString('utf8');
      expect(['', ...ENDS]).toContain(soFar);
      expect(hold.mayFollow()).toBe(true);
    }
    expect(Buffer.from(out + hold.rest().toString('latin1'), 'latin1')).toEqual(bytes);
  }
});

test('an element larger than may wait goes through in pieces, and nothing may follow its pieces', () => {
  const hold = holdElements(10);
  expect(hold.push(Buffer.from('[{"a":"')).length).toBe(0);
  expect(hold.push(Buffer.from('bbbbbbbb')).toString()).toBe('[{"a":"bbbbbbbb');
  expect(hold.mayFollow()).toBe(false);
  expect(hold.push(Buffer.from('"},')).toString()).toBe('"}');
  expect(hold.mayFollow()).toBe(true);
});

test('what is no array goes through as it comes', () => {
  const hold = holdElements(1000);
  expect(hold.push(Buffer.from(' {"error":')).toString()).toBe(' {"error":');
  expect([hold.mayFollow(), hold.rest().length]).toEqual([false, 0]);
});
