import { expect, test } from 'vitest';
import type { Subject } from './subject.ts';
import { compactBranch, exchanges, fullView, linesOf, shown } from './world.ts';

const thoughts = (from: number, to: number) =>
  exchanges(from, to).map((native, at) => {
    const { role, content } = JSON.parse(native);
    const thinking = { type: 'thinking', thinking: 'hm', signature: `signature ${from + at}` };
    return JSON.stringify(
      role === 'user' ? { role, content } : { role, content: [thinking, { type: 'text', text: content }] },
    );
  });

const thinkingStep = [
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'signature of a step' },
      { type: 'tool_use', id: 'c1', name: 'read', input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'ok' }] },
];

/** Law 21 for what changes the view of a log. */
export function thinkingLaws({ store, newTenant }: Subject): void {
  test('undo, redo and restore leave out thinking that was written behind another view', async () => {
    const log = store().forTenant(newTenant());
    const { id: conversation } = await log.create({ format: 'anthropic' });
    const { ids } = await log.append({ conversation }, thoughts(0, 8));
    const first = await shown(log, { conversation });
    await compactBranch(log, { conversation });
    await log.append({ conversation }, thoughts(20, 22));
    const compacted = await shown(log, { conversation });
    expect(JSON.stringify(compacted)).toContain('signature 2');
    const step = [{ role: 'user', content: 'look' }, ...thinkingStep].map((native) => JSON.stringify(native));
    await log.fork({ conversation }, { name: 'under-way' });
    await log.append({ conversation, branch: 'under-way' }, step);
    const isBound = { code: 'bound-reasoning' };
    await expect(log.undo({ conversation, branch: 'under-way' })).rejects.toMatchObject(isBound);

    await log.undo({ conversation });
    const undone = await shown(log, { conversation });
    expect(undone.slice(0, first.length)).toEqual(first);
    expect(JSON.stringify(undone.slice(first.length))).not.toContain('signature');
    expect(undone).toEqual(await fullView(log, { conversation }));
    expect((await log.workOf({ conversation })).view.entries.map(({ message }) => message.native)).toEqual(undone);
    await log.redo({ conversation });
    expect(await shown(log, { conversation })).toEqual(compacted);
    await log.restore({ conversation }, [ids[1] ?? '']);
    const restored = await shown(log, { conversation });
    expect(JSON.stringify(restored)).not.toContain('signature');
    expect(restored).toEqual(await fullView(log, { conversation }));
    const copy = store().forTenant(newTenant());
    await copy.import(await linesOf(log));
    expect(await shown(copy, { conversation })).toEqual(restored);
    await log.undo({ conversation });
    expect(await shown(log, { conversation })).toEqual(compacted);
  });

  test('a turn whose answer the log does not hold yet is over for who was told so behind the last message, and under way else', async () => {
    const log = store().forTenant(newTenant());
    const { id: conversation } = await log.create({ format: 'anthropic' });
    await log.append({ conversation }, thoughts(0, 8));
    await compactBranch(log, { conversation });
    const step = [{ role: 'user', content: 'look' }, ...thinkingStep].map((native) => JSON.stringify(native));
    const { ids } = await log.append({ conversation }, step);
    const compacted = await shown(log, { conversation });
    const isBound = { code: 'bound-reasoning' };
    for (const endedBehind of [undefined, ids[0], 'nobody'])
      await expect(log.undo({ conversation, endedBehind })).rejects.toMatchObject(isBound);
    const ended = { conversation, endedBehind: ids.at(-1) };
    await log.undo(ended);
    const undone = await shown(log, { conversation });
    expect(JSON.stringify(undone)).not.toContain('signature of a step');
    expect(JSON.stringify(undone)).toContain('signature 1');
    expect(undone.at(-1)).toEqual(thinkingStep.at(-1));
    expect(undone).toEqual(await fullView(log, { conversation }));
    await log.redo(ended);
    expect(await shown(log, { conversation })).toEqual(compacted);
    await log.restore(ended, [(await log.messages({ conversation }))[1]?.id ?? '']);
    expect(JSON.stringify(await shown(log, { conversation }))).not.toContain('signature of a step');
  });

  test('a record leaves out thinking of messages that came since it was computed, and does not break a turn (laws 29, 30)', async () => {
    const log = store().forTenant(newTenant());
    const { id: conversation } = await log.create({ format: 'anthropic' });
    await log.append({ conversation }, thoughts(0, 8));
    const step = [{ role: 'user', content: 'look' }, ...thinkingStep].map((native) => JSON.stringify(native));
    await log.fork({ conversation }, { name: 'under-way' });
    const onFork = { conversation, branch: 'under-way' };
    const bound = await compactBranch(log, onFork, async () => void (await log.append(onFork, step)));
    expect(bound.publication).toEqual({ kind: 'bound', version: 0 });
    expect(await log.records(onFork)).toEqual([]);
    const { publication } = await compactBranch(log, { conversation }, async () => {
      await log.append({ conversation }, thoughts(20, 22));
    });
    expect(publication).toEqual({ kind: 'published', version: 1 });
    const view = await shown(log, { conversation });
    expect(JSON.stringify(view)).toContain('answer 21');
    expect(JSON.stringify(view)).not.toContain('signature');
    expect(view).toEqual(await fullView(log, { conversation }));
  });

  test('a record does not reach a branch that went on with thinking from before it', async () => {
    const log = store().forTenant(newTenant());
    const { id: conversation } = await log.create({ format: 'anthropic' });
    await log.append({ conversation }, [...thoughts(0, 8), JSON.stringify({ role: 'user', content: 'look' })]);
    await log.fork({ conversation }, { name: 'again' });
    await log.append({ conversation }, thoughts(20, 21).slice(1));
    const before = await shown(log, { conversation });
    const { publication } = await compactBranch(log, { conversation, branch: 'again' });
    expect(publication.kind).toBe('published');
    expect(await shown(log, { conversation })).toEqual(before);
    expect(await shown(log, { conversation, branch: 'again' })).not.toEqual(before.slice(0, -1));
  });
}
