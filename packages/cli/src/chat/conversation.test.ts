import { type Log, memoryStore, StoreError } from '@epitome/store';
import { expect, test } from 'vitest';
import { listChats, newConversation } from './conversation.ts';

test('a full store stops nothing: what is said stays in memory, in order, and is saved when there is room', async () => {
  const log = memoryStore().forTenant('t');
  let isFull = true;
  const write = <Call extends (...given: never[]) => Promise<unknown>>(call: Call): Call =>
    ((...given: never[]) =>
      isFull ? Promise.reject(new StoreError('full', 'no room')) : call(...given)) as unknown as Call;
  const limited: Log = {
    ...log,
    create: write(log.create),
    append: write(log.append),
    setSettings: write(log.setSettings),
  };
  const chat = newConversation(limited, { folder: '/x', model: 'm' });
  const [one, two, three] = ['one', 'two', 'three'].map((content) => ({ role: 'user', content }));
  await chat.append([one ?? {}]);
  expect([chat.isSaved(), chat.isStored(), await chat.view()]).toEqual([false, false, [one]]);
  isFull = false;
  await chat.append([two ?? {}]);
  expect([chat.isSaved(), (await log.messages(chat.ref())).length]).toEqual([true, 2]);
  isFull = true;
  await chat.append([three ?? {}]);
  await chat.note({ title: 'kept for later' });
  expect([chat.isSaved(), await chat.view()]).toEqual([false, [one, two, three]]);
});

test('conversations of other programs do not hide the chats, whatever they keep', async () => {
  const log = memoryStore().forTenant('t');
  const others = ['null', '[]', '7', '{"app":"another"}', 'no JSON'];
  for (const settings of others) await log.create({ format: 'ai-sdk', settings });
  await log.create({ format: 'ai-sdk', id: 'mine', settings: '{"app":"epitome chat","title":7,"usedAt":"soon"}' });
  const chats = await listChats(log);
  expect(chats).toMatchObject([{ id: 'mine', settings: { title: '', branch: 'main', usedAt: 0 } }]);
});
