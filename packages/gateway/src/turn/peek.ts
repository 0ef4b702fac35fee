import { withMessages } from '../dialects/reading.ts';
import type { Tree } from './cache.ts';
import { commonLength } from './chain.ts';
import { type Turn, untouched } from './plane.ts';
import type { Taking } from './stateless.ts';

/**
 * A question about a request's size is asked about what would be sent: what is in force is applied where this gateway
 * remembers the conversation, and nothing is kept of the question.
 */
export function peek({ ask, chain }: Taking, tree: Tree | undefined): Turn {
  const branch = tree?.branches.findLast(
    ({ ids, recordId }) => recordId !== undefined && commonLength(ids, chain.ids) === ids.length,
  );
  if (branch === undefined) return untouched({ status: 'kept', reason: 'nothing-in-force' });
  const { conversation, name, recordId, ids } = branch;
  const shown = branch.shown.map((entry) =>
    entry.kind === 'original' ? (chain.texts[entry.source] ?? '') : entry.text,
  );
  const report = {
    status: 'reused',
    reason: 'in-force',
    conversation,
    branch: name,
    ...(recordId === undefined ? {} : { recordId }),
  } as const;
  return { ...untouched(report), body: withMessages(ask.reading, [...shown, ...chain.texts.slice(ids.length)]) };
}
