import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Editor, edit, emptyEditor } from './editor.ts';
import type { KeyName } from './keys.ts';

const type = (editor: Editor, text: string): Editor => edit(editor, { kind: 'text', text }).editor;
const press = (editor: Editor, ...keys: readonly KeyName[]): Editor =>
  keys.reduce((now, key) => edit(now, { kind: 'key', key }).editor, editor);

test.each<[string, string, readonly KeyName[], string, number]>([
  ['a character back', 'ab', ['backspace'], 'a', 1],
  ['an emoji of a family is one character', 'a👨‍👩‍👧', ['backspace'], 'a', 1],
  ['a word back', 'one two ', ['delete-word'], 'one ', 4],
  ['to the start of the line', 'one\ntwo', ['home', 'delete-end'], 'one\n', 4],
  ['one line up, same column', 'one\ntwo', ['left', 'up', 'backspace'], 'oe\ntwo', 1],
  ['a line of its own', 'one', ['left', 'newline'], 'on\ne', 3],
])('%s', (_, text, keys, after, at) => {
  const editor = press(type(emptyEditor(), text), ...keys);
  expect([editor.text, editor.at]).toEqual([after, at]);
});

test('what was sent comes back with Up, and what was being written with Down', () => {
  const sent = ['first', 'second'].reduce(
    (editor, text) => edit(type(editor, text), { kind: 'key', key: 'enter' }).editor,
    emptyEditor(),
  );
  const writing = type(sent, 'third');
  expect(press(writing, 'up').text).toBe('second');
  expect(press(writing, 'up', 'up', 'up').text).toBe('first');
  expect(press(writing, 'up', 'up', 'down', 'down').text).toBe('third');
});

test('a long paste stands as a few words and is sent whole, whatever it holds', () => {
  const text = `${'$& and \\ '.repeat(200)}end`;
  const pasted = edit(type(emptyEditor(), 'see '), { kind: 'paste', text }).editor;
  expect(pasted.text).toBe(`see [paste 1: ${text.length} characters, 1 lines]`);
  const { sent, editor } = edit(pasted, { kind: 'key', key: 'enter' });
  expect(sent).toBe(`see ${text}`);
  expect(edit(press(editor, 'up'), { kind: 'key', key: 'enter' }).sent).toBe(sent);
});

const typed = (text: string) => ({ kind: 'text', text }) as const;
const pressed = (key: KeyName) => ({ kind: 'key', key }) as const;

test('the cursor stays inside the text, whatever is pressed', () => {
  const keys: readonly KeyName[] = [
    'left',
    'right',
    'home',
    'end',
    'backspace',
    'delete',
    'up',
    'down',
    'word-left',
    'word-right',
    'delete-word',
    'delete-start',
    'delete-end',
    'newline',
  ];
  const action = fc.oneof(
    fc.constantFrom(...keys).map((name) => ({ kind: 'key', key: name }) as const),
    fc.string({ unit: 'grapheme', maxLength: 5 }).map((text) => ({ kind: 'text', text }) as const),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      let editor = emptyEditor(['before']);
      for (const each of actions) {
        editor = edit(editor, each).editor;
        expect(editor.at >= 0 && editor.at <= editor.text.length).toBe(true);
        expect(editor.text.isWellFormed()).toBe(true);
      }
    }),
    // Up, from behind an emoji into the middle of one.
    { examples: [[[typed(' '), typed(' 𐀀'), pressed('newline'), typed('𐀀 '), pressed('up'), typed(' ')]]] },
  );
});
