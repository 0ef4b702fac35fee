import { describe, expect, test } from 'vitest';
import { createCompactor } from '../../src/index.ts';

describe('thinking written behind a summary', () => {
  const words = 'plain words of a message '.repeat(40);
  const asked = (at: number) => ({ role: 'user', content: `Question ${at}: ${words}` });
  const answered = (at: number) => ({
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: `signature ${at}` },
      { type: 'text', text: `Answer ${at}: ${words}` },
    ],
  });
  const step = {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'signature of a step' },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
    ],
  };
  const begun = async () => {
    const compactor = createCompactor({ format: 'anthropic', policy: 'snapshot', window: 10_000 });
    const messages: object[] = [0, 1, 2, 3, 4, 5].flatMap((at) => [asked(at), answered(at)]);
    messages.push(asked(6));
    expect(await compactor.compact(messages)).toMatchObject({ status: 'compressed' });
    return { compactor, messages };
  };

  test('does not stand behind the originals after an undo, and is back after a redo', async () => {
    const { compactor, messages } = await begun();
    messages.push(answered(6), asked(7));
    const compacted = compactor.view(messages);
    const taken = compactor.undo();
    const view = compactor.view(messages);
    expect(view.slice(0, 13)).toEqual(messages.slice(0, 13));
    expect(JSON.stringify(view.slice(13))).not.toContain('signature');
    expect(JSON.stringify(view.slice(13))).toContain('Answer 6');
    messages.push(answered(7), asked(8));
    compactor.redo();
    expect(compactor.view(messages).slice(0, compacted.length)).toEqual(compacted);
    expect(JSON.stringify(compactor.view(messages))).not.toContain('signature 7');
    const records = JSON.parse(JSON.stringify(compactor.records()));
    const again = createCompactor({ format: 'anthropic', policy: 'snapshot', window: 10_000, records });
    expect(again.view(messages)).toEqual(compactor.view(messages));
    expect(taken).toMatchObject({ kind: 'undo', edits: [{ part: 0, text: null }] });
  });

  test('is known from a list that was not given yet', async () => {
    const { compactor, messages } = await begun();
    const now = [...messages, answered(6), asked(7)];
    compactor.undo(undefined, now);
    expect(JSON.stringify(compactor.view(now))).not.toContain('signature 6');
  });

  test('makes an undo wait for the end of the turn it is needed in', async () => {
    const { compactor, messages } = await begun();
    messages.push(step, { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] });
    const before = compactor.view(messages);
    expect(() => compactor.undo()).toThrow(expect.objectContaining({ code: 'bound-reasoning' }));
    expect(compactor.view(messages)).toEqual(before);
    messages.push(answered(6));
    compactor.undo();
    expect(JSON.stringify(compactor.view(messages).slice(13))).not.toContain('signature');
  });

  test('stays as it was where the undo is one of an earlier version', async () => {
    const { compactor, messages } = await begun();
    messages.push(answered(6), asked(7));
    const [made] = compactor.records();
    const undo = { kind: 'undo', id: 'u', at: 0, undoes: made?.id ?? '' } as const;
    const records = [...compactor.records(), undo];
    const later = createCompactor({ format: 'anthropic', policy: 'snapshot', window: 10_000, records });
    expect(later.view(messages)).toBe(messages);
  });
});
