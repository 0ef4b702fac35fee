import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anthropic } from './index.ts';

type Case = readonly [string, readonly unknown[], readonly string[]];

const user = (...content: unknown[]): object => ({ role: 'user', content });
const assistant = (...content: unknown[]): object => ({ role: 'assistant', content });
const text = (words: string, more: object = {}): object => ({ type: 'text', text: words, ...more });
const use = (id: string, more: object = {}): object => ({ type: 'tool_use', id, name: 'read', input: {}, ...more });
const result = (id: string, more: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...more,
});
const server = (id: string): object => ({ type: 'server_tool_use', id, name: 'web_search', input: {} });
const found = (id: string): object => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] });
const image = (media_type: string): object => ({ type: 'image', source: { type: 'base64', media_type, data: 'AAAA' } });
const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
const ask = { role: 'user', content: 'do it' };
const done = { role: 'assistant', content: 'done' };
const mark = { cache_control: { type: 'ephemeral' } };

/** `rule!at` for an error, `rule?at` for portability. */
const check = (natives: readonly unknown[]): string[] =>
  anthropic.validate(natives).map(({ rule, severity, at }) => `${rule}${severity === 'error' ? '!' : '?'}${at}`);

const valid: readonly Case[] = [
  ['nothing at all', [], []],
  ['a conversation', [ask, done, ask], []],
  ['a tool loop', [ask, assistant(text('ok'), use('a')), user(result('a')), done, ask], []],
  [
    'parallel calls, results in any order, words last',
    [ask, assistant(use('a'), use('b')), user(result('b'), result('a'), text('go'))],
    [],
  ],
  ['a result without content', [ask, assistant(use('a')), user({ type: 'tool_result', tool_use_id: 'a' })], []],
  ['a server tool', [ask, assistant(server('s'), found('s'), text('found')), ask], []],
  ['a server tool beside a client tool', [ask, assistant(use('a'), server('s'), found('s')), user(result('a'))], []],
  [
    'a server tool that goes on after client results',
    [ask, assistant(server('s'), use('a')), user(result('a')), assistant(found('s'), text('x')), ask],
    [],
  ],
  [
    'thinking first in a loop',
    [ask, assistant(thinking, use('a')), user(result('a')), assistant(use('b')), user(result('b'))],
    [],
  ],
  [
    'a loop without any thinking',
    [ask, assistant(thinking, text('a')), ask, assistant(use('a')), user(result('a'))],
    [],
  ],
  ['a finished loop', [ask, assistant(use('a')), user(result('a')), assistant(thinking, text('x')), ask], []],
  [
    'images of a user and of a tool',
    [user(image('image/png'), text('?')), assistant(use('a')), user(result('a', { content: [image('image/webp')] }))],
    [],
  ],
  ['four cache marks', [user(text('a', mark), text('b', mark), text('c', mark), text('d', mark))], []],
  [
    'a failed result of text',
    [ask, assistant(use('a')), user(result('a', { is_error: true, content: [text('no')] }))],
    [],
  ],
  ['emoji', [user(text('😀 '))], []],
];

const brokenOnes: readonly Case[] = [
  ['A1: assistant first', [done, ask], ['A1?0']],
  ['A1: a compaction block may be first', [assistant({ type: 'compaction', content: 'x' }), ask], []],
  ['A2: users in a row', [ask, ask], ['A2?1']],
  [
    'A2: split turns are merged before pairing',
    [ask, assistant(text('a')), assistant(use('a')), user(result('a')), ask],
    ['A2?2', 'A2?4'],
  ],
  ['A3: no result', [ask, assistant(use('a'), use('b')), user(result('a'))], ['A3!1']],
  ['A3: result too late', [ask, assistant(use('a')), ask, done, user(result('a'))], ['A3!1', 'A6!4']],
  ['A3: call at the end', [ask, assistant(use('a'))], ['A3!1', 'A14?1']],
  ['A3: call of a user', [user(use('a')), done, ask], ['A3!0']],
  ['A4: text behind a call', [ask, assistant(use('a'), text('so')), user(result('a'))], ['A4!1']],
  [
    'A4: text behind a call in a merged turn',
    [ask, assistant(use('a')), assistant(text('so')), user(result('a'))],
    ['A2?2', 'A4!2'],
  ],
  ['A5: words before a result', [ask, assistant(use('a')), user(text('so'), result('a'))], ['A5!2']],
  [
    'A5: words between results',
    [ask, assistant(use('a'), use('b')), user(result('a'), text('so'), result('b'))],
    ['A5!2'],
  ],
  ['A6: orphan result', [user(result('a')), done, ask], ['A6!0']],
  ['A6: result of the assistant', [ask, assistant(result('a')), ask], ['A6!1']],
  ['A7: two results', [ask, assistant(use('a')), user(result('a'), result('a'))], ['A7!2']],
  [
    'A7: id used twice',
    [ask, assistant(use('a')), user(result('a')), assistant(use('a')), user(result('a'))],
    ['A7!3'],
  ],
  ['A7: id with other characters', [ask, assistant(use('a|b')), user(result('a|b'))], ['A7!1']],
  ['A7: input as text', [ask, assistant(use('a', { input: '{}' })), user(result('a'))], ['A7!1']],
  ['A8: empty text', [user(text(''), text('a'))], ['A8!0']],
  ['A8: nothing but white space', [user(text(' \n'))], ['A8!0']],
  ['A8: white space as string', [{ role: 'user', content: ' ' }], ['A8!0']],
  ['A8: white space beside words', [ask, assistant(text('\n\n'), text('a')), ask], ['A8?1']],
  ['A8: empty string', [{ role: 'user', content: '' }], ['A8!0']],
  ['A8: no blocks', [user(), done, ask], ['A8!0']],
  ['A8: an empty last assistant is allowed', [ask, assistant()], ['A14?1']],
  ['A8: empty text in a result', [ask, assistant(use('a')), user(result('a', { content: [text('')] }))], ['A8!2']],
  [
    'A9: five marks, one of them inside a result',
    [
      ask,
      assistant(use('a', mark)),
      user(result('a', { content: [text('x', mark)], ...mark }), text('y', mark), text('z', mark)),
    ],
    ['A9!2'],
  ],
  ['A9: mark on thinking', [ask, assistant({ ...thinking, ...mark }, text('a')), ask], ['A9!1']],
  ['A9: mark on white space', [user(text(' ', mark), text('a'))], ['A9!0', 'A8?0']],
  [
    'A10: thinking only later in the loop',
    [ask, assistant(use('a')), user(result('a')), assistant(thinking, use('b')), user(result('b'))],
    ['A10?1'],
  ],
  [
    'A10: words beside a result end no loop',
    [ask, assistant(use('a')), user(result('a')), assistant(thinking, use('b')), user(result('b'), text('hurry'))],
    ['A10?1'],
  ],
  ['A10: words before thinking', [ask, assistant(text('so'), thinking, use('a')), user(result('a'))], ['A10?1']],
  [
    'A10: white space before thinking does not count',
    [ask, assistant(text('\n'), thinking, text('x'), use('a')), user(result('a'))],
    ['A8?1'],
  ],
  ['A13: server result without call', [ask, assistant(found('s'), text('a')), ask], ['A13!1']],
  [
    'A13: server call of an earlier turn',
    [ask, assistant(server('s'), found('s')), ask, assistant(found('s')), ask],
    ['A13!3'],
  ],
  ['A13: server call without result', [ask, assistant(server('s'), text('a')), ask], ['A13!1']],
  ['A13: a paused turn may end with the call', [ask, assistant(server('s'))], ['A14?1']],
  ['A14: assistant last', [ask, done], ['A14?1']],
  ['A14: white space at the end', [ask, assistant(text('done\n'))], ['A14?1', 'A14!1']],
  ['A15: system inside the list', [ask, { role: 'system', content: 'be brief' }, done, ask], ['A15?1']],
  [
    'A15: a system message parts no pair',
    [ask, assistant(use('a')), { role: 'system', content: 'x' }, user(result('a'))],
    ['A15?2'],
  ],
  ['A20: image of the assistant', [ask, assistant(image('image/png'), text('x')), ask], ['A20!1']],
  ['A20: image type', [user(image('image/tiff'))], ['A20!0']],
  [
    'A20: image type in a result',
    [ask, assistant(use('a')), user(result('a', { content: [image('image/bmp')] }))],
    ['A20!2'],
  ],
  [
    'A20: image in a failed result',
    [ask, assistant(use('a')), user(result('a', { is_error: true, content: [image('image/png')] }))],
    ['A20!2'],
  ],
  ['A21: lone surrogate in text', [user(text('a\ud83d'))], ['A21!0']],
  [
    'A21: lone surrogate in an input',
    [ask, assistant(use('a', { input: { deep: [{ '\udc00': 1 }] } })), user(result('a'))],
    ['A21!1'],
  ],
];

describe('validate', () => {
  test.each(valid)('accepts %s', (_, natives, expected) => {
    expect(check(natives).filter((mark) => !mark.startsWith('A14?'))).toEqual(expected);
  });

  test.each(brokenOnes)('%s', (_, natives, expected) => {
    expect(check(natives)).toEqual(expected);
  });

  test('passes over what is no message', () => {
    expect(check([null, ask, 7, { role: 'tool' }, done, [], ask])).toEqual([]);
  });

  test('a cycle ends', () => {
    const input: Record<string, unknown> = {};
    input['self'] = input;
    expect(check([ask, assistant(use('a', { input })), user(result('a'))])).toEqual([]);
  });

  test('never throws, and goes by position', () => {
    const type = fc.constantFrom(
      'text',
      'tool_use',
      'tool_result',
      'image',
      'thinking',
      'server_tool_use',
      'x_tool_result',
    );
    const block = fc.record(
      {
        type,
        id: fc.anything(),
        tool_use_id: fc.anything(),
        source: fc.anything(),
        content: fc.anything(),
        text: fc.anything(),
      },
      { requiredKeys: ['type'] },
    );
    const content = fc.oneof(fc.anything(), fc.array(fc.oneof(block, fc.anything())));
    const role = fc.constantFrom('user', 'assistant', 'system', 'other');
    const native = fc.oneof(fc.record({ role, content }), fc.anything());
    fc.assert(
      fc.property(fc.array(native), (natives) => {
        const positions = anthropic.validate(natives).map(({ at }) => at);
        expect(positions).toEqual(positions.toSorted((a, b) => a - b));
      }),
    );
  });

  test('JSON of any kind is checked', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (natives) => check(natives).length >= 0));
  });

  test('a long loop takes time in proportion', () => {
    const loop = (count: number): unknown[] =>
      Array.from({ length: count }, (_, index) => [assistant(use(`t${index}`)), user(result(`t${index}`))]).flat();
    expect(check([ask, ...loop(20_000)])).toEqual([]);
    const ids = Array.from({ length: 20_000 }, (_, index) => `t${index}`);
    expect(check([ask, assistant(...ids.map((id) => use(id))), ...ids.map((id) => user(result(id)))]).length).toBe(
      ids.length - 1,
    );
  });
});
