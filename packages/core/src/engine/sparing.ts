import { restoredIn } from '../record/restored.ts';
import type { Outcome } from './outcome.ts';
import { boundsOf, type Due, plansOf } from './plans.ts';
import type { State } from './state.ts';

// A short summary in its frame.
const LEAST_ROOM = 256;

/**
 * A compaction that is due, with what a person brought back before it held where it is; `undefined` where there is none of
 * that, or it leaves no room for what always stays.
 */
export function sparing(due: Due): Due | undefined {
  const { request, state } = due;
  const restored = restoredIn(request.records, () => request.ids.at(-1));
  if (restored.size === 0) return undefined;
  const spared = { ...due, state: holding(state, (source) => restored.has(request.ids[source] ?? '')) };
  return spared.state.atoms.list.some((atom, at) => atom !== state.atoms.list[at]) && hasRoom(spared)
    ? spared
    : undefined;
}

/** Whether what was spared was in the way: it is so no longer where nothing came of it that can be used, or was asked for. */
export function isInTheWay({ request }: Due, { status, reason }: Outcome): boolean {
  return status === 'noop' && (reason === 'invalid-output' || request.cause !== 'automatic');
}

function holding(state: State, isRestored: (source: number) => boolean): State {
  const { atoms, view } = state;
  const held = new Set<number>();
  view.entries.forEach(({ source }, index) => {
    if (source !== undefined && isRestored(source)) held.add(atoms.atomOf[index] ?? -1);
  });
  // A turn that is bound to its front goes whole or forbids a compaction; that is not up to what is in it.
  held.delete(atoms.atomOf[atoms.boundLoop ?? -1] ?? -1);
  const list = atoms.list.map((atom, at) => (held.has(at) ? { ...atom, pending: true } : atom));
  return { ...state, atoms: { ...atoms, list } };
}

function hasRoom({ request, state }: Due): boolean {
  const { limits, floor } = boundsOf({ ...plansOf(request, state), request, state, behind: '' });
  const least = floor().tokens + LEAST_ROOM;
  return limits.every(({ force, tokens }) => force === 'aim' || tokens >= least);
}
