import { ACKNOWLEDGEMENT, BRIDGE } from '../model/filler.ts';
import type { Format } from '../model/format.ts';
import { unframeSummary, withoutState } from '../model/frame.ts';
import type { Message, PartEdit } from '../model/message.ts';
import type { Reuse } from '../model/policy.ts';
import type { CompactionRecord, LogRecord, UndoRecord } from '../model/record.ts';
import type { View, ViewEntry } from '../model/view.ts';
import { type ActiveRecord, activeRecords, undosInForce } from './active.ts';

/** The messages of one branch, oldest first, with their ids. */
export type Branch = {
  readonly format: Format;
  readonly messages: readonly Message[];
  readonly ids: readonly string[];
};

/**
 * What the model is shown of a branch: originals, less what active records cover, with each record's hand-over in front of
 * its anchor. The only way a view is made; without an active record every entry is the original.
 */
export function project(branch: Branch, records: readonly LogRecord[], reuse: Reuse = 'strict'): View {
  const active = records.length === 0 ? [] : activeRecords(branch.ids, records, reuse);
  const undos = undosInForce(records);
  const entries: ViewEntry[] = [];
  if (active.length + undos.length === 0) {
    let before: ViewEntry | undefined;
    branch.messages.forEach((message, source) => {
      before = recognise({ message, source }, before);
      entries.push(before);
    });
    return { entries };
  }
  const layout = layOut(active, undos);
  const place: { format: Format; before: Message[] } = { format: branch.format, before: [] };
  branch.messages.forEach((message, source) => {
    const id = branch.ids[source] ?? '';
    for (const record of layout.handovers.get(id) ?? NOTHING)
      for (const entry of insertedBy(record, branch, record === layout.newest)) entries.push(entry);
    const isCovered = layout.covered.has(id);
    const entry = isCovered ? undefined : edited({ message, source }, layout.edits.get(id), place);
    if (entry !== undefined) entries.push(recognise(entry, entries.at(-1)));
    place.before.push(message);
  });
  return { entries };
}

const NOTHING: readonly CompactionRecord[] = [];

/** Edits of one message by part; parts are those of the original, whatever was edited before. */
type Edits = { readonly recordId: string; readonly byPart: ReadonlyMap<number, string | null> };
type Layout = {
  readonly covered: ReadonlySet<string>;
  readonly handovers: ReadonlyMap<string, readonly CompactionRecord[]>;
  readonly edits: ReadonlyMap<string, Edits>;
  /** The last record that hands anything over: only behind its summary is the state of the application as it is now. */
  readonly newest: CompactionRecord | undefined;
};

function layOut(active: readonly ActiveRecord[], undos: readonly UndoRecord[]): Layout {
  const covered = new Set<string>();
  const handovers = new Map<string, CompactionRecord[]>();
  for (const { record, ...inherited } of active) {
    for (const id of inherited.covers) covered.add(id);
    const anchor = record.anchorId ?? '';
    handovers.set(anchor, [...(handovers.get(anchor) ?? []), record]);
  }
  const newest = active.findLast(({ record }) => record.inserts.length > 0)?.record;
  const editors = [...active.map(({ record: { id }, edits }) => ({ id, edits })), ...undos];
  return { covered, handovers, edits: editsBy(editors), newest };
}

function editsBy(editors: readonly Pick<UndoRecord, 'id' | 'edits'>[]): Layout['edits'] {
  const all = new Map<string, { recordId: string; byPart: Map<number, string | null> }>();
  for (const { id: recordId, edits = [] } of editors) {
    for (const { messageId, part, text } of edits) {
      const known = all.get(messageId) ?? { recordId, byPart: new Map() };
      all.set(messageId, known);
      known.byPart.set(part, text);
    }
  }
  return all;
}

function insertedBy(record: CompactionRecord, { format }: Branch, isNewest: boolean): readonly ViewEntry[] {
  return record.inserts.map(({ role, text }, index) => ({
    message: format.decode(format.compose({ role, text: isNewest ? text : withoutState(text) }), []),
    recordId: record.id,
    ...(index === 0 ? { summary: record.text } : { filler: true as const }),
  }));
}

/** Where an edited message stands: behind the originals before it. */
type Place = { readonly format: Format; readonly before: readonly Message[] };

function edited(entry: ViewEntry, change: Edits | undefined, { format, before }: Place): ViewEntry | undefined {
  if (change === undefined) return entry;
  const edits = [...change.byPart].map(([part, text]): PartEdit => ({ part, text }));
  const native = format.edit(entry.message, edits);
  if (native === undefined) return undefined;
  // Dialects without call ids number calls by position: the edited message keeps the place of its original.
  const message = format.decode(native, before);
  const hasLost = message.role === 'user' && holdsResult(entry.message) && !holdsResult(message);
  return { ...entry, message, recordId: change.recordId, edits, ...(hasLost ? { aside: true } : {}) };
}

function holdsResult({ parts }: Message): boolean {
  return parts.some(({ kind }) => kind === 'tool-result');
}

/** A history that was replaced by an earlier result carries our summaries as plain messages: know them again. */
export function recognise(entry: ViewEntry, before: ViewEntry | undefined): ViewEntry {
  const { role, parts } = entry.message;
  const part = parts[0];
  if (part?.kind !== 'text' || parts.length !== 1 || (role !== 'user' && role !== 'assistant')) return entry;
  const summary = unframeSummary(part.text) ?? (before === undefined ? foreignSnapshot(part.text) : undefined);
  if (summary !== undefined) return { ...entry, summary };
  if (before?.summary === undefined) return entry;
  const isFiller = part.text === BRIDGE || part.text === ACKNOWLEDGEMENT;
  return isFiller ? { ...entry, filler: true } : entry;
}

// A history begun by Gemini CLI's own compression opens with a bare snapshot.
function foreignSnapshot(text: string): string | undefined {
  const trimmed = text.trim();
  const isSnapshot = trimmed.startsWith('<state_snapshot>') && trimmed.endsWith('</state_snapshot>');
  return isSnapshot ? trimmed : undefined;
}
