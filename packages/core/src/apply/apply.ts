import { ACKNOWLEDGEMENT, BRIDGE, CONTINUATION } from '../model/filler.ts';
import type { Format } from '../model/format.ts';
import { frameSummary, withoutState } from '../model/frame.ts';
import type { InsertedMessage, Message } from '../model/message.ts';
import type { Mask, Plan } from '../model/plan.ts';
import type { Handover } from '../model/policy.ts';
import type { CompactionRecord, RecordedEdit } from '../model/record.ts';
import { isFixed, isPrompt, type ViewEntry } from '../model/view.ts';
import { placeholderFor } from './placeholder.ts';

/** What a plan is applied to. */
export type Subject = {
  readonly entries: readonly ViewEntry[];
  /** Original messages and their ids. */
  readonly messages: readonly Message[];
  readonly ids: readonly string[];
  /** Records in force, by id. */
  readonly records: ReadonlyMap<string, CompactionRecord>;
  readonly format: Pick<Format, 'assistantsMustAlternate' | 'mustEndWithUser'>;
};

/** The part of a record that changes the view. */
export type Change = Pick<
  CompactionRecord,
  'anchorId' | 'covers' | 'replaces' | 'inserts' | 'edits' | 'parentId' | 'lastSummarizedId' | 'tipId' | 'text'
>;

/** A summary, who gives it to the model, and what else of the record is written anew. */
export type Delivery = {
  readonly text: string;
  readonly handover: Handover;
  /** The session's state, which stands behind the summary. */
  readonly state?: string;
  /** What of the head nobody has read yet, as it stands behind the summary. */
  readonly unread?: string;
  /** What is done to a tool result before some of it goes into its placeholder: a record holds no secrets. */
  readonly clean?: (text: string) => string;
};

/** Turns a plan and its summary into the change a record holds. An empty text inserts nothing: the head is left out. */
export function applyPlan(subject: Subject, plan: Plan, delivery: Delivery): Change {
  const { text } = delivery;
  const { entries, ids } = subject;
  const covers: string[] = [];
  const replaced = new Set<string>();
  let lastSource = -1;
  for (const index of plan.head) {
    const { source, recordId } = entries[index] ?? {};
    if (source === undefined) {
      if (recordId !== undefined) replaced.add(recordId);
      continue;
    }
    covers.push(ids[source] ?? '');
    lastSource = source;
  }
  for (const id of replaced) lastSource = Math.max(lastSource, cutoffOf(subject, id));
  const parent = Math.max(entries.findLast(isPrompt)?.source ?? -1, lastSource);
  return {
    ...named('anchorId', anchorIdOf(subject, plan)),
    ...named('parentId', ids[parent]),
    ...named('lastSummarizedId', ids[lastSource]),
    ...named('tipId', ids.at(-1)),
    covers,
    replaces: [...replaced],
    inserts: text === '' ? [] : insertsOf(subject, plan, delivery),
    edits: editsOf(subject, plan, delivery),
    text,
  };
}

function named<K extends string>(key: K, value: string | undefined): { readonly [P in K]?: string } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: string });
}

function anchorIdOf({ entries, ids, records }: Subject, plan: Plan): string | undefined {
  const entry = entries[plan.anchor];
  if (entry?.source !== undefined) return ids[entry.source];
  return entry?.recordId === undefined ? undefined : records.get(entry.recordId)?.anchorId;
}

// A record that replaces an earlier one covers at least as far as that one did.
function cutoffOf({ ids, records }: Subject, recordId: string): number {
  return ids.indexOf(records.get(recordId)?.lastSummarizedId ?? '');
}

function insertsOf(
  subject: Subject,
  plan: Plan,
  { text, handover, unread = '', state = '' }: Delivery,
): readonly InsertedMessage[] {
  const { entries } = subject;
  const last = entries.findLast((entry) => !isFixed(entry));
  const following = plan.tail.find((index) => {
    const entry = index < plan.anchor ? undefined : entries[index];
    return entry !== undefined && !isFixed(entry);
  });
  const next = following === undefined ? undefined : entries[following];
  const behind = [state, unread, noteFor(entries, plan)].filter((note) => note !== '').join('\n\n');
  const summary = { role: handover.role, text: frameSummary(text, behind) };
  if (handover.role === 'user') {
    const needsAnswer = next === undefined ? last?.message.role === 'assistant' : next.message.role === 'user';
    const isWanted = handover.acknowledge === 'before-user' || next === undefined;
    return needsAnswer && isWanted ? [summary, { role: 'assistant', text: ACKNOWLEDGEMENT }] : [summary];
  }
  const needsBridge =
    next === undefined
      ? last?.message.role !== 'assistant' && subject.format.mustEndWithUser
      : next.message.role === 'assistant' && subject.format.assistantsMustAlternate;
  return needsBridge ? [summary, { role: 'user', text: BRIDGE }] : [summary];
}

/** Where the turn of a kept prompt was compacted too, the model is told that it is under way. */
function noteFor(entries: readonly ViewEntry[], plan: Plan): string {
  const prompt = entries.findLastIndex(isPrompt);
  if (prompt < plan.anchor || !plan.tail.includes(prompt)) return '';
  const isUnderWay = (plan.head.at(-1) ?? -1) > prompt;
  return isUnderWay || plan.split === 'everything' ? CONTINUATION : '';
}

function editsOf(subject: Subject, plan: Plan, { text, clean = asIs }: Delivery): readonly RecordedEdit[] {
  const reasoning = plan.dropsReasoning.flatMap((index) => reasoningEdits(subject, subject.entries[index]));
  const orphans = plan.dropsOrphans.flatMap(({ entry, part }) => {
    const { source, recordId } = subject.entries[entry] ?? {};
    const messageId = source === undefined ? undefined : subject.ids[source];
    // Parts of an entry that was edited before are no longer those of its original.
    return messageId === undefined || recordId !== undefined ? [] : [{ messageId, part, text: null }];
  });
  const masks = plan.masks.flatMap((at) => maskEdit(subject, at, clean));
  const states = (text === '' ? [] : plan.tail).flatMap((index) => stateEdit(subject, subject.entries[index]));
  return [...reasoning, ...orphans, ...masks, ...states];
}

/** Where a caller keeps our views as the history, an earlier summary that stays no longer tells the state of things. */
function stateEdit({ messages, ids }: Subject, entry: ViewEntry | undefined): readonly RecordedEdit[] {
  const { source, summary } = entry ?? {};
  const messageId = source === undefined ? undefined : ids[source];
  const part = source === undefined ? undefined : messages[source]?.parts[0];
  if (summary === undefined || messageId === undefined || part?.kind !== 'text') return [];
  const text = withoutState(part.text);
  return text === part.text ? [] : [{ messageId, part: 0, text }];
}

function asIs(text: string): string {
  return text;
}

function maskEdit({ entries, ids }: Subject, at: Mask, clean: (text: string) => string): readonly RecordedEdit[] {
  const { entry, part: index, keepChars } = at;
  const { source, message } = entries[entry] ?? {};
  const part = message?.parts[index];
  const messageId = source === undefined ? undefined : ids[source];
  if (messageId === undefined || part?.kind !== 'tool-result') return [];
  // Cleaned before it is cut: half a secret is known by nothing.
  const shown = keepChars === 0 ? part : { ...part, text: clean(part.text) };
  return [{ messageId, part: index, text: placeholderFor(shown, { messageId, keepChars }) }];
}

function reasoningEdits({ messages, ids }: Subject, entry: ViewEntry | undefined): readonly RecordedEdit[] {
  const source = entry?.source;
  const messageId = source === undefined ? undefined : ids[source];
  if (source === undefined || messageId === undefined) return [];
  return (messages[source]?.parts ?? []).flatMap((part, index) =>
    part.kind === 'reasoning' && part.bound ? [{ messageId, part: index, text: null }] : [],
  );
}
