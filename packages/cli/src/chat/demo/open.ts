import { memoryStore } from '@epitome/store';
import { conversationIn } from '../conversation.ts';
import type { Ground } from '../ground.ts';
import { passingPreferences } from '../preferences.ts';
import { startDemoServer } from './server.ts';
import { demoMessages } from './session.ts';

/** The ground of a demo: a scripted model on this machine, a store in memory with a long conversation, settings that nobody keeps. */
export async function openDemo(folder: string): Promise<Ground> {
  const server = await startDemoServer();
  const store = memoryStore();
  const log = store.forTenant('demo');
  const model = 'openai-compatible/demo';
  const conversation = await conversationIn(log, { folder, model, title: 'demo' }, demoMessages());
  return {
    log,
    conversation,
    env: { OPENAI_COMPATIBLE_BASE_URL: server.url },
    model,
    given: { window: 200_000, prices: { input: 3, output: 15, cachedRead: 0.3, cacheWrite: 3.75 } },
    preferences: passingPreferences(),
    isKept: false,
    close: async () => {
      await store.close();
      await server.close();
    },
  };
}
