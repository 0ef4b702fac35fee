import { expect, test } from 'vitest';
import { createBodies } from '../src/dialects/bodies.ts';
import { RULES } from '../src/dialects/index.ts';
import { readBody } from '../src/dialects/reading.ts';
import type { Branch } from '../src/turn/branch.ts';
import { createTrees, inOrder } from '../src/turn/cache.ts';

test('a queue holds nothing of the request that went through it last', async () => {
  const owner = { queue: Promise.resolve() as Promise<unknown> };
  expect(await inOrder(owner, async () => ({ body: 'long' }))).toEqual({ body: 'long' });
  expect(await owner.queue).toBeUndefined();
  await expect(inOrder(owner, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await owner.queue).toBeUndefined();
});

const branchOf = (name: string, characters: number): Branch => ({
  ...{ conversation: 'c', name, ids: ['a', 'b', 'c'], shown: [], natives: [], characters },
  ...{ snapshot: { branch: name, version: 0 }, recordId: undefined, saved: 0, queue: Promise.resolve() },
  ...{ preparation: undefined, out: new Set(), steppedAt: undefined, endedBehind: undefined, attempts: undefined },
});

/** Conversations that are still remembered of so many. */
function remembered(conversations: number, shape: { branches: number; characters: number; isWide?: true }): number {
  const trees = createTrees({ branches: 64, bytes: 4 * 1024 * 1024 });
  const branches = Array.from({ length: shape.branches }, (_, at) => branchOf(`b${at}`, shape.characters));
  for (let at = 0; at < conversations; at += 1) {
    const tree = trees.of('tenant', `c${at}`);
    tree.branches.push(...branches);
    tree.wide = shape.isWide ? shape.branches * shape.characters : 0;
  }
  return [...trees.all()].length;
}

test('many small branches count with what is around their texts, and wide characters count twice', () => {
  expect(remembered(2000, { branches: 48, characters: 10 })).toBeLessThan(120);
  const [latin, wide] = [{}, { isWide: true } as const].map((more) =>
    remembered(2000, { branches: 1, characters: 100_000, ...more }),
  );
  expect(latin).toBeGreaterThan(1.5 * (wide ?? 0));
});

test('a smaller limit holds at once for conversations, and from the next body on for bodies', () => {
  const trees = createTrees();
  for (let at = 0; at < 100; at += 1) trees.of('tenant', `c${at}`).branches.push(branchOf('main', 10_000));
  trees.resize(200_000);
  expect([...trees.all()].length).toBeLessThan(20);
  const bodies = createBodies();
  const send = (at: number): boolean => {
    const text = JSON.stringify({ messages: [{ role: 'user', content: `${at} ${'word '.repeat(2000)}` }] });
    const body = bodies.join('tenant', [Buffer.from(text)]);
    bodies.keep('tenant', { reading: readBody(text, RULES['openai-chat']), ids: ['id'], body });
    body.done();
    return body.earlier !== undefined;
  };
  for (let at = 0; at < 50; at += 1) send(at);
  expect(send(0)).toBe(true);
  bodies.resize(200_000);
  send(51);
  expect([send(1), send(51)]).toEqual([false, true]);
});
