import { expect, test } from 'vitest';
import { compact, type FormatName, formats, PRESET_NAMES } from '../../src/index.ts';
import { builders } from '../../src/testing/index.ts';

const words = 'words of a long talk '.repeat(60);
const talk = (format: FormatName): readonly unknown[] => {
  const { user, assistant } = builders[format];
  return [1, 2, 3, 4, 5, 6].flatMap((day) => [user(`question ${day} ${words}`), assistant(`answer ${day} ${words}`)]);
};

const REQUEST = { type: 'mcp_approval_request', id: 'r1', name: 'rm', arguments: '{}', server_label: 'files' };
const granted = (id: string) => ({ type: 'mcp_approval_response', approval_request_id: id, approve: true });
const RAN = { ...REQUEST, type: 'mcp_call', id: 'm1', approval_request_id: 'r1', output: `REMOVED ${words}` };

const call = (id: string) => ({ type: 'tool-call', toolCallId: id, toolName: 'rm', input: {} });
const asks = (id: string) => ({ type: 'tool-approval-request', approvalId: `p${id}`, toolCallId: id });
const says = (id: string, approved = true) => ({ type: 'tool-approval-response', approvalId: `p${id}`, approved });
const assistant = (...content: readonly unknown[]) => ({ role: 'assistant', content });
const tool = (...content: readonly unknown[]) => ({ role: 'tool', content });
const result = (id: string) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'rm',
  output: { type: 'text', value: `REMOVED ${words}` },
});

const WAITING: readonly (readonly [string, FormatName, readonly unknown[]])[] = [
  ['one', 'openai-responses', [REQUEST, granted('r1')]],
  ['two', 'openai-responses', [REQUEST, { ...REQUEST, id: 'r2' }, granted('r2'), granted('r1')]],
  ['one of two', 'openai-responses', [REQUEST, { ...REQUEST, id: 'r2' }, granted('r2')]],
  ['one', 'ai-sdk', [assistant(call('a'), asks('a')), tool(says('a'))]],
  ['a denied one', 'ai-sdk', [assistant(call('a'), asks('a')), tool(says('a', false))]],
  ['one beside a result', 'ai-sdk', [assistant(call('a'), call('b'), asks('b')), tool(result('a')), tool(says('b'))]],
];

test.each(WAITING)('an answered approval at the end is a pending call: %s in %s', async (_, format, tip) => {
  const messages = [...talk(format), builders[format].user('live'), ...tip];
  for (const policy of PRESET_NAMES) {
    const outcome = await compact({ format, messages, policy, window: 2000, cause: 'manual' });
    expect([policy, outcome.status]).toEqual([policy, 'compressed']);
    expect(outcome.messages.slice(-tip.length)).toEqual(tip);
    expect(outcome.messages.length).toBeLessThan(messages.length);
    expect(formats[format].validate(outcome.messages).filter(({ severity }) => severity === 'error')).toEqual([]);
  }
});

const FINISHED: readonly (readonly [FormatName, readonly unknown[]])[] = [
  ['openai-responses', [REQUEST, granted('r1'), RAN]],
  ['ai-sdk', [assistant(call('a'), asks('a')), tool(says('a')), tool(result('a'))]],
  ['ai-sdk', [assistant(call('a'), asks('a')), tool(says('a'), result('a'))]],
];

test.each(FINISHED)('an approved call that was run is a finished one: %s', async (format, tip) => {
  const messages = [...talk(format), builders[format].user('live'), ...tip];
  const outcome = await compact({ format, messages, policy: 'threshold', window: 2000, cause: 'manual' });
  expect(outcome.status).toBe('compressed');
  expect(outcome.messages.some((message) => tip.includes(message))).toBe(false);
  const shown: string[] = [];
  const summarizer = ({ prompt }: { readonly prompt: string }) => {
    shown.push(prompt);
    return Promise.resolve({ text: 'In short.' });
  };
  await compact({ format, messages, policy: 'threshold', window: 9000, cause: 'manual' }, { summarizer });
  expect(shown.join('')).toContain('REMOVED');
});
