import type { Cause, CompactInput } from 'epitome';
import { fixedOf } from './fixed.ts';
import type { TurnAsk } from './plane.ts';

/** Messages of a request as the engine takes them, with what goes out beside them. */
export function inputOf(
  { dialect, reading, resolved }: Pick<TurnAsk, 'dialect' | 'reading' | 'resolved'>,
  texts: readonly string[],
  cause: Cause,
): CompactInput {
  return {
    format: dialect,
    messages: texts.map((text): unknown => JSON.parse(text)),
    ...fixedOf(reading),
    ...(resolved.goal === undefined ? {} : { goal: resolved.goal }),
    policy: resolved.policy,
    cause,
  };
}
