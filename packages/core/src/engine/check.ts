import { CompactionError } from '../model/errors.ts';
import { CAUSES, type Policy } from '../model/policy.ts';

/** What stays the same over a conversation, as it may come from untyped code. */
export type CheckedInput = {
  readonly policy?: unknown;
  readonly records?: unknown;
  readonly calibration?: unknown;
};

/** What one call brings. */
export type CheckedTurn = { readonly messages?: unknown; readonly cause?: unknown; readonly ids?: unknown };

/** Throws for the first thing that is not as the types say: misuse, found before anything runs. */
export function checkInput({ policy, records, calibration }: CheckedInput): void {
  if (!isPolicy(policy)) misuse("`policy` must be a preset's name or what a preset returned.");
  if (records !== undefined) expectArray('records', records);
  if (calibration !== undefined && !isCalibration(calibration)) {
    misuse('`calibration` must be { real, heuristic }, both numbers of tokens above 0.');
  }
}

/** As `checkInput`, for what one call brings. */
export function checkTurn({ messages, cause, ids }: CheckedTurn): void {
  expectArray('messages', messages);
  if (cause !== undefined && !CAUSES.some((known) => known === cause)) {
    misuse(`\`cause\` is ${JSON.stringify(cause)}; it takes ${CAUSES.join(', ')}.`);
  }
  if (ids === undefined) return;
  expectArray('ids', ids);
  if (ids.length !== messages.length) misuse(`There are ${ids.length} \`ids\` for ${messages.length} messages.`);
  if (new Set(ids).size !== ids.length) misuse('`ids` must differ from each other; a record names messages by them.');
}

function expectArray(name: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) misuse(`\`${name}\` must be an array, not ${value === null ? 'null' : typeof value}.`);
}

function isPolicy(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && 'triggers' in (value as Partial<Policy>);
}

function isCalibration(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { real, heuristic } = value as { readonly real?: unknown; readonly heuristic?: unknown };
  return [real, heuristic].every((figure) => typeof figure === 'number' && Number.isFinite(figure) && figure > 0);
}

function misuse(message: string): never {
  throw new CompactionError('bad-input', message);
}
