import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import type { ViewEntry } from '../model/view.ts';
import { findAtoms } from './atoms.ts';

const text: Part = { kind: 'text', text: 'words' };
const call = (callId: string): Part => ({ kind: 'tool-call', callId, name: 'read', input: '{}' });
const result = (callId: string): Part => ({
  kind: 'tool-result',
  callId,
  name: '',
  text: 'ok',
  isError: false,
  media: [],
});
const approval = (approves: string): Part => ({ kind: 'opaque', type: 'x', size: 9, compaction: false, approves });
const thinking = (bound: boolean): Part => ({ kind: 'reasoning', text: 'hm', bound });
const entry = (role: Message['role'], ...parts: Part[]): ViewEntry => ({
  message: { role, parts, native: {} },
  source: 0,
});

const user = entry('user', text);
const answer = entry('assistant', text);

const ranges = (entries: readonly ViewEntry[]): string =>
  findAtoms(entries)
    .list.map(({ first, last, pending }) => `${first}-${last}${pending ? 'p' : ''}`)
    .join(' ');

describe('atoms', () => {
  test.each([
    ['plain messages stand alone', [user, answer, user], '0-0 1-1 2-2'],
    [
      'a call stays with its result',
      [user, entry('assistant', call('a')), entry('tool', result('a')), answer],
      '0-0 1-2 3-3',
    ],
    [
      'parallel calls stay with all results, in any order',
      [user, entry('assistant', call('a'), call('b')), entry('tool', result('b')), entry('tool', result('a')), answer],
      '0-0 1-3 4-4',
    ],
    [
      'results in one user message',
      [user, entry('assistant', call('a'), call('b')), entry('user', result('a'), result('b')), answer],
      '0-0 1-2 3-3',
    ],
    [
      'interleaved calls make one atom',
      [
        entry('assistant', call('a')),
        entry('assistant', call('b')),
        entry('tool', result('a')),
        entry('tool', result('b')),
      ],
      '0-3',
    ],
    ['a server tool answers itself', [user, entry('assistant', call('s'), result('s'), text)], '0-0 1-1'],
    [
      'a server tool answered a message later',
      [entry('assistant', call('s')), entry('assistant', result('s'), text)],
      '0-1',
    ],
    ['a call at the end is pending', [user, entry('assistant', call('a'))], '0-0 1-1p'],
    [
      'a half answered batch is pending as a whole',
      [user, entry('assistant', call('a'), call('b')), entry('tool', result('a'))],
      '0-0 1-2p',
    ],
    [
      'a call that was approved is still pending, with its approval',
      [user, entry('assistant', call('a')), entry('tool', approval('a'))],
      '0-0 1-2p',
    ],
    [
      'an approved call that has its result is finished',
      [user, entry('assistant', call('a')), entry('tool', approval('a')), entry('assistant', result('a')), answer],
      '0-0 1-3 4-4',
    ],
    ['an approval of nothing stands alone', [user, entry('tool', approval('a')), answer], '0-0 1-1 2-2'],
    ['a call left behind by a prompt is an orphan', [user, entry('assistant', call('a')), user], '0-0 1-1 2-2'],
    ['an orphan result stands alone', [user, entry('tool', result('x')), answer], '0-0 1-1 2-2'],
    [
      'an id used again pairs with the nearest call',
      [
        entry('assistant', call('1')),
        entry('tool', result('1')),
        entry('assistant', call('1')),
        entry('tool', result('1')),
      ],
      '0-1 2-3',
    ],
    [
      'a reasoning item stays with the items it led to',
      [
        user,
        entry('assistant', thinking(false)),
        answer,
        entry('assistant', call('a')),
        entry('tool', result('a')),
        answer,
      ],
      '0-0 1-4 5-5',
    ],
    [
      'bound thinking makes the unfinished turn one atom',
      [
        user,
        entry('assistant', thinking(true), call('a')),
        entry('user', result('a')),
        entry('assistant', call('b')),
        entry('user', result('b')),
      ],
      '0-0 1-4',
    ],
    [
      'bound thinking of a finished turn binds nothing',
      [user, entry('assistant', thinking(true), call('a')), entry('user', result('a')), answer],
      '0-0 1-2 3-3',
    ],
  ])('%s', (_, entries, expected) => expect(ranges(entries)).toBe(expected));
});

describe('the live prompt', () => {
  test.each([
    ['is the newest prompt', [user, answer, user], 2],
    ['is none once it is answered', [user, answer], undefined],
    ['stays live through a tool loop', [user, entry('assistant', text, call('a')), entry('tool', result('a'))], 0],
    [
      'is not a message that only carries results',
      [user, entry('assistant', call('a')), entry('user', result('a'))],
      0,
    ],
    ['is not what is said beside results', [user, entry('assistant', call('a')), entry('user', result('a'), text)], 0],
    ['survives an answer that only thinks', [user, entry('assistant', thinking(false))], 0],
    ['is none where nobody asked', [answer], undefined],
  ])('%s', (_, entries, expected) => expect(findAtoms(entries).livePrompt).toBe(expected));
});

describe('words beside results', () => {
  const aside = [entry('assistant', call('a')), entry('user', result('a'), text)];
  test.each([
    ['are the newest of a turn under way', [user, ...aside, ...aside], 4],
    ['are none once the turn is answered', [user, ...aside, answer], undefined],
    ['are none of an earlier turn', [user, ...aside, user], undefined],
    ['need no prompt in front of them', aside, 1],
  ])('%s', (_, entries, expected) => expect(findAtoms(entries).aside).toBe(expected));
});

const anyPart = fc.oneof(
  fc.constant(text),
  fc.boolean().map(thinking),
  fc.constantFrom('a', 'b', 'c').map(call),
  fc.constantFrom('a', 'b', 'c').map(result),
  fc.constantFrom('a', 'b', 'c').map(approval),
);
const anyEntry = fc
  .tuple(fc.constantFrom<Message['role']>('user', 'assistant', 'tool', 'system'), fc.array(anyPart, { maxLength: 4 }))
  .map(([role, parts]) => entry(role, ...parts));

test('atoms cover every entry once, in order, and never part a call from its result', () => {
  fc.assert(
    fc.property(fc.array(anyEntry, { maxLength: 30 }), (entries) => {
      const { list, atomOf } = findAtoms(entries);
      expect(list.flatMap(({ first, last }) => entries.slice(first, last + 1))).toEqual(entries);
      const open = new Map<string, number>();
      entries.forEach(({ message }, index) => {
        for (const part of message.parts) {
          if (part.kind === 'tool-call') open.set(part.callId, index);
          if (part.kind !== 'tool-result') continue;
          const at = open.get(part.callId);
          if (at !== undefined) expect(atomOf[at]).toBe(atomOf[index]);
          open.delete(part.callId);
        }
      });
    }),
  );
});
