import { LOCAL_TENANT, openStore } from '@epitome/store';

export const CHAT_ID = 'seeded-chat';

/** A chat of so many prompts and answers, and about so many tokens, in a file of its own. */
export async function seedChat(file: string, { exchanges = 14, words = 3500 } = {}): Promise<void> {
  const store = await openStore({ kind: 'sqlite', path: file });
  const log = store.forTenant(LOCAL_TENANT);
  const settings = {
    app: 'epitome chat',
    folder: '/nowhere',
    title: 'Seeded',
    branch: 'main',
    model: 'openai-compatible/m',
    usedAt: 1,
    spent: { input: 0, output: 0, cached: 0, written: 0, cost: 0, isPriced: true },
  };
  await log.create({ format: 'ai-sdk', id: CHAT_ID, settings: JSON.stringify(settings) });
  const messages = Array.from({ length: exchanges }, (_, index) => [
    {
      role: 'user',
      content: `Question ${index + 1}: how does the login handle step ${index + 1} of src/auth/step${index + 1}.ts?`,
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: `Step ${index + 1}: ${index < exchanges - 1 ? prose(index, words) : 'it is done.'}` },
      ],
    },
  ]).flat();
  await log.append(
    { conversation: CHAT_ID },
    messages.map((message) => JSON.stringify(message)),
  );
  await store.close();
}

const WORDS = 'the guard reads the request and passes it on when the session holds what it needs'.split(' ');

function prose(seed: number, words: number): string {
  return Array.from({ length: words }, (_, index) => WORDS[(seed * 7 + index * 3) % WORDS.length]).join(' ');
}

/** The messages of a chat as they are stored, and what the model would be shown. */
export async function readChat(file: string, id = CHAT_ID) {
  const store = await openStore({ kind: 'sqlite', path: file });
  try {
    const log = store.forTenant(LOCAL_TENANT);
    const [messages, view, records] = [
      await log.messages({ conversation: id }),
      await log.viewOf({ conversation: id }),
      await log.records({ conversation: id }),
    ];
    return {
      messages: messages.map(({ native }): { role: string; content: unknown } => JSON.parse(native)),
      view: view.entries.map(({ native }) => native),
      states: records.map(({ state }) => state),
    };
  } finally {
    await store.close();
  }
}
