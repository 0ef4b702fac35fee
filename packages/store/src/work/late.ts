import { type CompactionRecord, type FormatName, formatNamed } from 'epitome';
import { withLateMessages } from 'epitome/record';
import type { BranchRef, Log, Snapshot } from '../model/port.ts';

/** A compaction that was computed while the conversation may have gone on. */
export type Computed = {
  readonly format: FormatName;
  readonly snapshot: Snapshot;
  readonly records: readonly CompactionRecord[];
};

/** Records as they may be published behind what came meanwhile; `undefined` where a turn under way forbids that. */
export async function publishable(
  log: Log,
  ref: BranchRef,
  { format, snapshot, records }: Computed,
): Promise<readonly CompactionRecord[] | undefined> {
  const { tip } = await log.snapshot(ref);
  if (tip === snapshot.tip) return records;
  const messages = await log.messages(ref);
  const { decode } = formatNamed(format);
  const from = messages.findLastIndex(({ id }) => id === snapshot.tip) + 1;
  const late = messages.slice(from).map(({ id, native }) => ({ id, message: decode(JSON.parse(native), []) }));
  return withLateMessages(records, late);
}
