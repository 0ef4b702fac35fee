import { CompactionError } from '../model/errors.ts';
import { CAUSES, type Policy } from '../model/policy.ts';

/** What can be wrong with an input whatever its data: misuse, thrown before anything runs. */
export type Checked = {
  readonly messages?: unknown;
  readonly cause?: unknown;
  readonly records?: unknown;
  readonly ids?: unknown;
  readonly policy?: unknown;
};

/** Throws for the first thing that is not as the types say. */
export function checkInput({ messages, cause, records, ids, policy }: Checked): void {
  if (messages !== undefined) expectArray('messages', messages);
  if (records !== undefined) expectArray('records', records);
  if (cause !== undefined && !CAUSES.some((known) => known === cause)) {
    misuse(`\`cause\` is ${JSON.stringify(cause)}; it takes ${CAUSES.join(', ')}.`);
  }
  if (policy !== undefined && !isPolicy(policy)) misuse("`policy` must be a preset's name or what a preset returned.");
  if (ids === undefined) return;
  expectArray('ids', ids);
  const count = Array.isArray(messages) ? messages.length : 0;
  if (ids.length !== count) misuse(`There are ${ids.length} \`ids\` for ${count} messages.`);
  if (new Set(ids).size !== ids.length) misuse('`ids` must differ from each other; a record names messages by them.');
}

function expectArray(name: string, value: unknown): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) misuse(`\`${name}\` must be an array, not ${value === null ? 'null' : typeof value}.`);
}

function isPolicy(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return typeof value === 'object' && value !== null && 'triggers' in (value as Partial<Policy>);
}

function misuse(message: string): never {
  throw new CompactionError('bad-input', message);
}
