import { estimateTokens, type Message } from 'epitome';
import {
  diffFacts,
  EMPTY_LEDGER,
  extractFacts,
  type FactKind,
  type Ledger,
  mergeFacts,
  rankFacts,
  type Survival,
} from 'epitome/facts';
import { decodeAll } from '../convert/convert.ts';
import type { Compaction, Session } from '../model/session.ts';
import { messagesAfter, type Placed } from '../tree/messages.ts';

/** A compaction that happened in a session, and what it lost. */
export type PastCompaction = {
  /** The last message in front of it; -1 for none. */
  readonly at: number;
  /** Messages in front of it since the one before. */
  readonly messages: number;
  readonly trigger?: string;
  /** As the program reported it. */
  readonly tokensBefore?: number;
  /** Estimated size of what it left in view. */
  readonly tokensAfter: number;
  /** Facts of the messages in front of it, and how many of them were left in view. */
  readonly facts: Readonly<Partial<Record<FactKind, { readonly total: number; readonly kept: number }>>>;
  /** Of each kind that is asked for, the lost one most likely to be needed. */
  readonly lost: readonly { readonly kind: FactKind; readonly value: string }[];
};

/** What each compaction on a branch lost, by the facts in front of it and in what it left. */
export function lossesOf(
  session: Session,
  path: readonly number[],
  placed: readonly Placed[],
): readonly PastCompaction[] {
  const on = new Set(path);
  let from = -1;
  return session.compactions
    .filter(({ behind }) => behind < 0 || on.has(behind))
    .map((compaction) => {
      const covered = placed.filter(({ entry }) => entry > from && entry <= compaction.behind);
      from = compaction.behind;
      const at = placed.findLastIndex(({ entry }) => entry <= compaction.behind);
      return { at, ...lossOf(session, compaction, covered) };
    });
}

function lossOf(session: Session, compaction: Compaction, covered: readonly Placed[]): Omit<PastCompaction, 'at'> {
  const { trigger, tokensBefore } = compaction;
  const natives = covered.map(({ native }) => native);
  const messages = decodeAll(natives, session.format);
  const ledger = mergeFacts(
    EMPTY_LEDGER,
    messages.flatMap((message, index) => extractFacts(message, index)),
  );
  const after = textOf(decodeAll(messagesAfter(session, compaction), session.format));
  const survival = diffFacts(ledger, after);
  return {
    messages: natives.length,
    ...(trigger === undefined ? {} : { trigger }),
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    tokensAfter: estimateTokens(after),
    facts: Object.fromEntries(Object.entries(survival).map(([kind, { total, kept }]) => [kind, { total, kept }])),
    lost: mostUseful(ledger, survival),
  };
}

// What somebody who goes on would ask for; flags and symbols are many, and each of them matters little.
const ASKED_FOR: readonly FactKind[] = ['demand', 'decision', 'error', 'file', 'command', 'path', 'id', 'url'];
const MOST_LOST = 6;

/** One lost fact of each kind that is asked for, the one most likely to be needed. */
function mostUseful(ledger: Ledger, survival: Readonly<Partial<Record<FactKind, Survival>>>): PastCompaction['lost'] {
  const gone = new Set(Object.values(survival).flatMap(({ lost }) => lost));
  const ranked = rankFacts(ledger).filter(({ entry }) => gone.has(entry));
  const best = ASKED_FOR.flatMap((kind) => ranked.find(({ entry }) => entry.kind === kind) ?? []);
  return best.slice(0, MOST_LOST).map(({ entry: { kind, value } }) => ({ kind, value }));
}

/** All the text of messages that a model reads. */
export function textOf(messages: readonly Message[]): string {
  const texts = messages.flatMap(({ parts }) =>
    parts.map((part) => {
      if (part.kind === 'text' || part.kind === 'tool-result') return part.text;
      return part.kind === 'tool-call' ? `${part.name} ${part.input}` : '';
    }),
  );
  return texts.join('\n');
}
