import { estimateTokens, type Message } from 'epitome';
import { diffFacts, EMPTY_LEDGER, extractFacts, type FactKind, mergeFacts } from 'epitome/facts';
import { decodeAll } from '../convert/convert.ts';
import type { Compaction, Session } from '../model/session.ts';
import { compactionsOf, entriesOf, messagesAfter } from '../tree/messages.ts';

/** A compaction that happened in a session, and what it lost. */
export type PastCompaction = {
  /** Messages in front of it since the one before. */
  readonly messages: number;
  readonly trigger?: string;
  /** As the program reported it. */
  readonly tokensBefore?: number;
  /** Estimated size of what it left in view. */
  readonly tokensAfter: number;
  /** Facts of the messages in front of it, and how many of them were left in view. */
  readonly facts: Readonly<Partial<Record<FactKind, { readonly total: number; readonly kept: number }>>>;
};

/** What each compaction on a branch lost, by the facts in front of it and in what it left. */
export function lossesOf(session: Session, leaf: number): readonly PastCompaction[] {
  let from = -1;
  return compactionsOf(session, leaf).map((compaction) => {
    const past = lossOf(session, compaction, { leaf, from });
    from = compaction.behind;
    return past;
  });
}

type Stretch = { readonly leaf: number; readonly from: number };

function lossOf(session: Session, compaction: Compaction, { leaf, from }: Stretch): PastCompaction {
  const { behind, trigger, tokensBefore } = compaction;
  const covered = entriesOf(session, leaf).filter((index) => index > from && index <= behind);
  const natives = covered.flatMap((index) => session.entries[index]?.natives ?? []);
  const messages = decodeAll(natives, session.format);
  const ledger = mergeFacts(
    EMPTY_LEDGER,
    messages.flatMap((message, index) => extractFacts(message, index)),
  );
  const after = textOf(decodeAll(messagesAfter(session, compaction), session.format));
  const survival = Object.entries(diffFacts(ledger, after));
  return {
    messages: natives.length,
    ...(trigger === undefined ? {} : { trigger }),
    ...(tokensBefore === undefined ? {} : { tokensBefore }),
    tokensAfter: estimateTokens(after),
    facts: Object.fromEntries(survival.map(([kind, { total, kept }]) => [kind, { total, kept }])),
  };
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
