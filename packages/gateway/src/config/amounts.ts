import { z } from 'zod';

const TOKENS: Readonly<Record<string, number>> = { '': 1, k: 1000, m: 1_000_000 };
const BYTES: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
const MILLISECONDS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** What a field takes, in words and in figures. */
type Range = { readonly min: number; readonly max: number };

/** Tokens: a whole number, or a text such as `128k`. */
export function tokens(range: Range): Amount {
  return amount(TOKENS, range, 'tokens, such as 128000 or "128k"');
}

/** Bytes: a whole number, or a text such as `64MB`. */
export function bytes(range: Range): Amount {
  return amount(BYTES, range, 'bytes, such as 67108864 or "64MB"');
}

/** Milliseconds: a whole number, or a text such as `10s`. */
export function duration(range: Range): Amount {
  return amount({ '': 1, ...MILLISECONDS }, range, 'milliseconds, or a text such as "10s" or "2m"');
}

type Amount = z.ZodPipe<z.ZodUnion<readonly [z.ZodNumber, z.ZodString]>, z.ZodTransform<number, number | string>>;

function amount(units: Readonly<Record<string, number>>, { min, max }: Range, what: string): Amount {
  return z.union([z.number(), z.string()]).transform((given, context) => {
    const value = typeof given === 'number' ? given : read(given, units);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    context.issues.push({ code: 'custom', input: given, message: `it takes ${min} to ${max} ${what}` });
    return z.NEVER;
  });
}

function read(text: string, units: Readonly<Record<string, number>>): number {
  const [, number = '', unit = ''] = /^\s*(\d+(?:\.\d+)?)\s*([a-z]*)\s*$/i.exec(text.replaceAll('_', '')) ?? [];
  return number === '' ? Number.NaN : Math.round(Number(number) * (units[unit.toLowerCase()] ?? Number.NaN));
}
