import { CompactionError } from '../model/errors.ts';

/** Throws `CompactionError` unless the value is a number of the range; `min` is excluded where `above` is set. */
export function checkNumber(name: string, value: unknown, range: Range): void {
  const { min, max, above } = range;
  const isFit = typeof value === 'number' && value <= max && (above ? value > min : value >= min);
  if (isFit) return;
  const limits = `${above ? 'above' : 'from'} ${min}${Number.isFinite(max) ? ` to ${max}` : ''}`;
  throw new CompactionError('option-out-of-range', `\`${name}\` is ${String(value)}; it takes a number ${limits}.`);
}

type Range = { readonly min: number; readonly max: number; readonly above?: true };
