import type { LogRecord } from '../model/record.ts';
import { isCommitted, undoneIds } from './active.ts';

/**
 * Messages that a person brought back and no compaction of an earlier request than this one, whose newest message is `tip`,
 * has gone by since: what is restored outlives the next compaction, and no more.
 */
export function restoredIn(records: readonly LogRecord[], tip: () => string | undefined): ReadonlySet<string> {
  const undone = undoneIds(records);
  const restored = new Set<string>();
  for (const record of records.toReversed()) {
    if (record.kind === 'undo' || undone.has(record.id)) continue;
    for (const id of record.restored ?? []) restored.add(id);
    if (record.restored === undefined && isCommitted(record) && record.tipId !== tip()) break;
  }
  return restored;
}
