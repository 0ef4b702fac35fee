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

/** Prices of a model as the dated table of `@pydantic/genai-prices` has them; `undefined` for one it does not know. */
export async function pricesOf(model: string): Promise<Prices | undefined> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  // Small requests, because some models charge more for long ones.
  const per = (usage: Parameters<typeof calcPrice>[0]): number | undefined => {
    const price = calcPrice(usage, model)?.total_price;
    return price === undefined ? undefined : price * 1000;
  };
  const input = per({ input_tokens: 1000 });
  const output = per({ output_tokens: 1000 });
  if (input === undefined || output === undefined) return undefined;
  const cachedRead = per({ input_tokens: 1000, cache_read_tokens: 1000 }) ?? input;
  const cacheWrite = per({ input_tokens: 1000, cache_write_tokens: 1000 }) ?? input;
  return { input, output, cachedRead, cacheWrite };
}
