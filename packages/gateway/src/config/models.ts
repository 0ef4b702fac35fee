import { calcPrice } from '@pydantic/genai-prices';
import type { Prices } from 'epitome/economics';
import type { ModelFacts } from '../model/config.ts';
import { withoutMaker } from '../model/names.ts';
import { ASSUMED_WINDOW } from './check.ts';
import { matches } from './match.ts';

/** What is known of a model. */
export type KnownModel = { readonly window: number; readonly isWindowAssumed: boolean; readonly prices?: Prices };

// Names of models come from clients; without a bound they would fill the memory.
const MOST_KNOWN = 1000;

/** Looks models up: in the configuration first, then in the dated table of `@pydantic/genai-prices`. */
export function modelTable(models: readonly ModelFacts[]): (name: string) => KnownModel {
  const known = new Map<string, KnownModel>();
  return (name) => {
    const found = known.get(name);
    if (found) return found;
    const model = lookUp(name, models);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, model);
    return model;
  };
}

function lookUp(name: string, models: readonly ModelFacts[]): KnownModel {
  const window = models.find((model) => model.window !== undefined && matches(model.match, name))?.window;
  const prices = models.find((model) => model.prices !== undefined && matches(model.match, name))?.prices;
  const listed = window === undefined || prices === undefined ? listedAs(name) : {};
  const best = window ?? listed.window;
  const cost = prices ?? listed.prices;
  return {
    window: best ?? ASSUMED_WINDOW,
    isWindowAssumed: best === undefined,
    ...(cost === undefined ? {} : { prices: cost }),
  };
}

const LONGEST_NAME = 200;

// What the table of prices, 0.1.8, has no window for. Input limits as Google told them in November 2026: `inputTokenLimit` of its
// models.list, and docs.cloud.google.com/vertex-ai/generative-ai/docs/models/gemini/3-pro.
const WINDOWS: ReadonlyMap<string, number> = new Map([
  ['gemini-2.5-pro', 1_048_576],
  ['gemini-3-pro-preview', 1_048_576],
  ['gemini-3.1-pro-preview', 1_048_576],
]);

function listedAs(name: string): Listed {
  const known = listedExactly(name);
  const own = withoutMaker(name);
  return own === name || known.window !== undefined ? known : { ...listedExactly(own), ...known };
}

type Listed = { readonly window?: number; readonly prices?: Prices };

function listedExactly(name: string): Listed {
  if (name === '' || name.length > LONGEST_NAME) return {};
  // Small requests, because some models charge more for long ones.
  const found = calcPrice({ input_tokens: 1000 }, name);
  if (found === null) return {};
  const per = (usage: Readonly<Record<string, number>>): number => 1000 * (calcPrice(usage, name)?.total_price ?? 0);
  const window = found.model.context_window ?? WINDOWS.get(found.model.id);
  return {
    ...(window === undefined ? {} : { window }),
    prices: {
      input: 1000 * found.total_price,
      output: per({ output_tokens: 1000 }),
      cachedRead: per({ input_tokens: 1000, cache_read_tokens: 1000 }),
      cacheWrite: per({ input_tokens: 1000, cache_write_tokens: 1000 }),
    },
  };
}
