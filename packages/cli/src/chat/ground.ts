import { LOCAL_TENANT, type Log, locationOf, openStore } from '@epitome/store';
import { UsageError } from '../errors.ts';
import { readPrices } from '../models/prices.ts';
import type { Environment } from '../models/provider.ts';
import { positive } from '../options.ts';
import { existing } from '../store-options.ts';
import { type ChatConversation, newConversation, resumeConversation } from './conversation.ts';
import type { ModelGiven } from './model/open.ts';
import type { ChatOptions } from './options.ts';
import { type Place, type Preferences, readPreferences } from './preferences.ts';

/** What a chat stands on: its store, its model's name and the settings it goes by. */
export type Ground = {
  readonly log: Log;
  readonly conversation: ChatConversation;
  readonly env: Environment;
  readonly model: string;
  readonly given: ModelGiven;
  readonly preferences: Preferences;
  /** Whether what is said outlives the chat. */
  readonly isKept: boolean;
  readonly close: () => Promise<void>;
};

/** The ground that the options name. */
export async function openGround(options: ChatOptions, place: Place): Promise<Ground> {
  const env = withBaseUrl(place.env, options.baseUrl);
  const preferences = await readPreferences(place, options);
  const given = givenOf(options, preferences);
  const named = modelName(options, env) ?? (options.baseUrl === undefined ? preferences.model : undefined);
  const isResumed = options.resume !== undefined || options.continue;
  if (named === undefined && !isResumed) throw new UsageError(NO_MODEL);
  const where = options.store === undefined ? {} : { store: options.store };
  // Looking for a chat makes no store.
  const store = await openStore(isResumed ? existing(where) : locationOf(options.store));
  try {
    const log = store.forTenant(LOCAL_TENANT);
    const conversation = await conversationFor(log, options, { folder: place.folder, model: named ?? '' });
    const model = (isResumed ? modelName(options, env) : named) ?? (conversation.settings().model || named || '');
    if (model === '') throw new UsageError(NO_MODEL);
    return { log, conversation, env, model, given, preferences, isKept: true, close: () => store.close() };
  } catch (cause) {
    await store.close();
    throw cause;
  }
}

const NO_MODEL =
  'Say which model: --model PROVIDER/MODEL, such as anthropic/claude-sonnet-4-5, or EPITOME_MODEL. epitome chat --demo needs none.';

function givenOf({ window: text, prices }: ChatOptions, preferences: Preferences): ModelGiven {
  const window = text === undefined ? preferences.window : positive('--window', text);
  return {
    ...(window === undefined ? {} : { window }),
    ...(prices === undefined ? {} : { prices: readPrices(prices) }),
  };
}

/** A base URL means a server that speaks as OpenAI does. */
function withBaseUrl(env: Environment, url: string | undefined): Environment {
  return url === undefined ? env : { ...env, OPENAI_COMPATIBLE_BASE_URL: url };
}

function modelName({ model, baseUrl }: ChatOptions, env: Environment): string | undefined {
  const name = model ?? (env['EPITOME_MODEL'] || undefined);
  const isWhole = baseUrl === undefined || name === undefined || name.startsWith('openai-compatible/');
  return isWhole ? name : `openai-compatible/${name}`;
}

async function conversationFor(
  log: Log,
  options: ChatOptions,
  begin: { readonly folder: string; readonly model: string },
): Promise<ChatConversation> {
  if (typeof options.resume === 'string') return resumeConversation(log, { kind: 'id', id: options.resume });
  if (options.continue) return resumeConversation(log, { kind: 'newest', folder: begin.folder });
  return newConversation(log, begin);
}
