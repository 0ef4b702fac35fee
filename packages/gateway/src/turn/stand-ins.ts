import { bodyOf, type Writing } from './body.ts';
import type { Shown } from './branch.ts';
import { textOf } from './bytes.ts';
import { withStandIn } from './foreign.ts';

/** The body to send, with stand-ins for seals that are left out where one is wanted; `undefined` where it is the client's own. */
export function writtenBody(writing: Writing): string | undefined {
  return bodyOf({ ...writing, shown: withStandIns(writing) });
}

function withStandIns({ ask, shown, left }: Writing): readonly Shown[] {
  const { standIns, foreign } = left;
  if (standIns === undefined) return shown;
  return shown.map((entry): Shown => {
    const { source = -1 } = entry;
    if (source < standIns || source >= foreign) return entry;
    const text = withStandIn(textOf(entry, ask));
    return text === undefined ? entry : { kind: 'ours', text };
  });
}
