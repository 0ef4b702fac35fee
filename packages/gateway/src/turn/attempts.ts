import { attemptsOf, type RecordEntry } from '@epitome/store';
import type { Elsewhere } from 'epitome';
import { pastOf } from 'epitome/record';

/** A view by the places of its entries in the history, and the ids of that. */
type Viewed = {
  readonly shown: readonly { readonly source?: number | undefined }[];
  readonly ids: readonly string[];
};

/** What the records of a branch say of earlier attempts, for a decision on its view; `undefined` before the first. */
export function attemptsIn(entries: readonly RecordEntry[], { shown, ids }: Viewed): Elsewhere | undefined {
  const past = pastOf(attemptsOf(entries));
  const { last } = past;
  if (last === undefined) return undefined;
  const tip = last.tipId === undefined ? -1 : ids.lastIndexOf(last.tipId);
  return { past, seen: shown.findLastIndex(({ source }) => source !== undefined && source <= tip) + 1 };
}
