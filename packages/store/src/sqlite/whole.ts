import type { MessageHead, MessageRow } from '../model/rows.ts';
import { decodeText } from '../text/bytes.ts';
import { wholeText } from '../text/payloads.ts';
import type { Prepare } from './statements.ts';

/** Whose message it is. */
export type Owner = { readonly tenant: string; readonly key: number };

/** A message without its payloads. */
export type Stored = MessageHead & { readonly wide: number; readonly holes: number; readonly native: Uint8Array };

const REMEDY = 'run `epitome doctor`';

/** A stored message with its payloads. */
export function wholeOf(prepare: Prepare, tenant: string, stored: Stored): MessageRow {
  const { seq, segment, depth, id, role, wide, holes, native } = stored;
  const rest = decodeText(native, wide === 1);
  return {
    seq,
    segment,
    depth,
    id,
    role,
    native: holes === 0 ? rest : wholeText({ id, rest, holes, remedy: REMEDY }, payloadsOf(prepare, tenant, seq)),
  };
}

function payloadsOf(prepare: Prepare, tenant: string, seq: number): readonly { at: number; text: string }[] {
  const rows = prepare(
    `select h.at, p.wide, p.body from holes h join payloads p on p.key = h.payload
     where h.tenant = ? and h.seq = ? order by h.at`,
  ).all(tenant, seq) as { at: number; wide: number; body: Uint8Array }[];
  return rows.map(({ at, wide, body }) => ({ at, text: decodeText(body, wide === 1) }));
}
