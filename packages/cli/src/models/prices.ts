import type { Usage } from '@epitome/transcripts';
import type { Prices } from 'epitome/economics';
import { UsageError } from '../errors.ts';

/** Prices by `--prices`, in dollars per million tokens: input,output[,cached read[,cache write]]. */
export function readPrices(text: string): Prices {
  const numbers = text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const [input, output, cachedRead, cacheWrite] = numbers;
  const isGood = numbers.length <= 4 && numbers.every((price) => Number.isFinite(price) && price >= 0);
  if (input === undefined || output === undefined || !isGood) {
    throw new UsageError(
      `--prices takes dollars per million tokens as input,output[,cached,written], such as 3,15,0.3,3.75, not ${JSON.stringify(text)}.`,
    );
  }
  return {
    input,
    output,
    ...(cachedRead === undefined ? {} : { cachedRead }),
    ...(cacheWrite === undefined ? {} : { cacheWrite }),
  };
}

/** What usage costs in dollars at given prices. */
export function costAt(prices: Prices, { prompt, output, cached = 0, written = 0 }: Usage): number {
  const { input, cachedRead = input, cacheWrite = input } = prices;
  const sum = (prompt - cached - written) * input + cached * cachedRead + written * cacheWrite + output * prices.output;
  return sum / 1e6;
}

/** What the dated table of `@pydantic/genai-prices` says of a model. */
export type KnownModel = {
  readonly prices: Prices;
  /** Its context window in tokens, where the table has it. */
  readonly window?: number;
  /** Dollars for one request; some models charge more for long ones. */
  readonly costOf: (usage: Usage) => number;
};

/** A model of the table, by the name a provider or an agent has for it; `undefined` for one it does not know. */
export async function knownModel(name: string): Promise<KnownModel | undefined> {
  if (name === '') return undefined;
  const { calcPrice } = await import('@pydantic/genai-prices');
  // Routers write the provider in front: `anthropic/claude-sonnet-4`.
  const bare = name.slice(name.lastIndexOf('/') + 1);
  const model = [name, bare].find((candidate) => calcPrice({ input_tokens: 1 }, candidate) !== null);
  if (model === undefined) return undefined;
  const price = (usage: Parameters<typeof calcPrice>[0]): number => calcPrice(usage, model)?.total_price ?? 0;
  const window = calcPrice({ input_tokens: 1 }, model)?.model.context_window;
  // By small requests, because some models charge more for long ones.
  const prices: Prices = {
    input: price({ input_tokens: 1000 }) * 1000,
    output: price({ output_tokens: 1000 }) * 1000,
    cachedRead: price({ input_tokens: 1000, cache_read_tokens: 1000 }) * 1000,
    cacheWrite: price({ input_tokens: 1000, cache_write_tokens: 1000 }) * 1000,
  };
  const costOf = ({ prompt, output, cached = 0, written = 0 }: Usage): number =>
    // Parts that are larger than the whole are refused there.
    price({
      input_tokens: Math.max(prompt, cached + written),
      output_tokens: output,
      cache_read_tokens: cached,
      cache_write_tokens: written,
    });
  return { prices, costOf, ...(window === undefined ? {} : { window }) };
}
