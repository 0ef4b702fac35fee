import type { LanguageModel } from 'ai';
import { UsageError } from '../errors.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where a model is: who serves it and what it is called there. */
export type ModelName = { readonly provider: ProviderName; readonly model: string };

/** Who can serve a model. */
export const PROVIDER_NAMES = ['openai', 'anthropic', 'google', 'openai-compatible'] as const;
type ProviderName = (typeof PROVIDER_NAMES)[number];

/** What a model is wanted for, in the words of messages. */
export type ModelUse = 'summarizer' | 'model';

/** Reads `provider/model`; a model's own name may hold slashes. */
export function readModelName(text: string, use: ModelUse = 'summarizer'): ModelName {
  const at = text.indexOf('/');
  const provider = PROVIDER_NAMES.find((name) => name === text.slice(0, at));
  const model = text.slice(at + 1).trim();
  if (provider !== undefined && model !== '') return { provider, model };
  const known = PROVIDER_NAMES.map((name) => `${name}/MODEL`).join(', ');
  const others = use === 'summarizer' ? 'mechanical, ' : '';
  throw new UsageError(`There is no ${use} ${JSON.stringify(text)}; there are ${others}${known}.`);
}

/**
 * Loads the provider's SDK and opens the model, with key and address from the environment. A later one serves where the
 * server does not know the earlier.
 */
export async function openModels(
  { provider, model }: ModelName,
  env: Environment,
  use: ModelUse = 'summarizer',
): Promise<readonly LanguageModel[]> {
  switch (provider) {
    case 'openai': {
      const apiKey = keyOf(env, ['OPENAI_API_KEY'], { provider, use });
      const address = addressOf(env['OPENAI_BASE_URL']);
      const { createOpenAI } = await import('@ai-sdk/openai');
      const open = createOpenAI({ apiKey, ...address });
      // Many servers that speak for OpenAI know Chat Completions only.
      return 'baseURL' in address ? [open.responses(model), open.chat(model)] : [open.responses(model)];
    }
    case 'anthropic': {
      const apiKey = keyOf(env, ['ANTHROPIC_API_KEY'], { provider, use });
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return [createAnthropic({ apiKey, ...addressOf(env['ANTHROPIC_BASE_URL'], '/v1') })(model)];
    }
    case 'google': {
      const apiKey = keyOf(env, ['GOOGLE_GENERATIVE_AI_API_KEY', 'GEMINI_API_KEY', 'GOOGLE_API_KEY'], {
        provider,
        use,
      });
      const address = env['GOOGLE_GENERATIVE_AI_BASE_URL'] || env['GOOGLE_GEMINI_BASE_URL'];
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google');
      return [createGoogleGenerativeAI({ apiKey, ...addressOf(address, '/v1beta') })(model)];
    }
    case 'openai-compatible': {
      const access = compatibleAccess(env, use);
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      return [createOpenAICompatible({ name: provider, includeUsage: true, ...access })(model)];
    }
    default:
      return provider satisfies never;
  }
}

type Wanted = { readonly provider: string; readonly use: ModelUse };

function keyOf(env: Environment, names: readonly string[], { provider, use }: Wanted): string {
  const name = names.find((candidate) => env[candidate]?.trim());
  const key = name === undefined ? undefined : env[name]?.trim();
  if (key !== undefined) return key;
  const other = use === 'summarizer' ? ', or use --summarizer mechanical' : '; epitome chat --demo needs none';
  throw new UsageError(`The ${use} ${provider} needs a key: set ${names[0]}${other}.`);
}

/** An address for the SDK. Vendors' own SDKs take it without the version the AI SDK wants: that is added. */
function addressOf(text: string | undefined, version = ''): { readonly baseURL?: string } {
  if (!text?.trim()) return {};
  if (!URL.canParse(text)) throw new UsageError(`The base URL ${JSON.stringify(text)} is no address.`);
  const isBare = new URL(text).pathname === '/';
  return { baseURL: `${text.trim().replace(/\/$/, '')}${isBare ? version : ''}` };
}

// OpenAI's key goes only to the address that was set together with it.
function compatibleAccess(env: Environment, use: ModelUse): { readonly baseURL: string; readonly apiKey?: string } {
  const own = addressOf(env['OPENAI_COMPATIBLE_BASE_URL']).baseURL;
  const baseURL = own ?? addressOf(env['OPENAI_BASE_URL']).baseURL;
  if (baseURL === undefined) {
    throw new UsageError(`The ${use} openai-compatible needs an address: set OPENAI_COMPATIBLE_BASE_URL.`);
  }
  const apiKey = env['OPENAI_COMPATIBLE_API_KEY'] || (own === undefined ? env['OPENAI_API_KEY'] : undefined);
  return { baseURL, ...(apiKey ? { apiKey } : {}) };
}
