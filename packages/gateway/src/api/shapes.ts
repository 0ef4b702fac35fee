import type { BranchInfo, ConversationInfo, RecordEntry, StoredMessage, StoredView } from '@epitome/store';
import type { CompactionRecord } from 'epitome';
import { diffFacts, unpackLedger } from 'epitome/facts';
import { fieldsOf, parsed } from '../json/values.ts';
import { notesOf } from '../turn/notes.ts';
import { RawJson } from './raw.ts';
import type {
  Branch,
  BranchView,
  Conversation,
  RecordDetail,
  RecordSummary,
  StoredMessageView,
  Tree,
} from './schemas.ts';

/** A conversation as the API tells it. */
export function conversationOf({ id, format, createdAt, settings }: ConversationInfo): Conversation {
  return {
    id,
    format,
    createdAt: dateOf(createdAt),
    ...(settings === undefined ? {} : { settings: new RawJson(withoutIncomplete(settings)) }),
  };
}

// Pieces of answers are told in the tree: a list of conversations is no place for them.
function withoutIncomplete(settings: string): string {
  if (!settings.includes('"incomplete"')) return settings;
  const { incomplete: _, ...rest } = fieldsOf(parsed(settings));
  return JSON.stringify(rest);
}

/** The answers of a conversation that did not come to their end, by its settings. */
export function incompleteIn(settings: string | undefined): Pick<Tree, 'incomplete'> {
  const { incomplete } = notesOf(settings);
  if (incomplete.length === 0) return {};
  return {
    incomplete: incomplete.map(({ after, at, ...rest }) => ({
      parentId: after,
      at: dateOf(at),
      incomplete: true,
      ...rest,
    })),
  };
}

/** A branch as the API tells it. */
export function branchOf({ name, tip, length, version }: BranchInfo): Branch {
  return { name, length, version, ...(tip === undefined ? {} : { tip }) };
}

/** A message as the API tells it. */
export function messageOf({ id, parentId, role, seq, native }: StoredMessage): StoredMessageView {
  return { id, role, seq, native: new RawJson(native), ...(parentId === undefined ? {} : { parentId }) };
}

/** A view as the API tells it. */
export function viewOf({ entries, snapshot }: StoredView): BranchView {
  const { branch, version, tip } = snapshot;
  return {
    branch,
    version,
    ...(tip === undefined ? {} : { tip }),
    entries: entries.map(({ native, edits: _, ...rest }) => ({ native: new RawJson(native), ...rest })),
  };
}

/** A record in short. */
export function recordOf({ record, state, branch, seq, details }: RecordEntry): RecordSummary {
  const base = {
    id: record.id,
    at: dateOf(record.at),
    state,
    branch,
    seq,
    ...(details.error === undefined ? {} : { error: details.error }),
  };
  if (record.kind === 'undo') return { ...base, kind: 'undo', undoes: record.undoes };
  const { status, preset, cause, reason, method, degraded, tokens, covers, calls, payback, findings } = record;
  return {
    ...base,
    kind: 'compaction',
    ...{ status, preset, cause, reason, method, degraded, tokens, calls },
    covers: covers.length,
    findings: [...new Set(findings.map(({ code }) => code))],
    ...(payback === undefined ? {} : { netCost: payback.netCost }),
  };
}

/** A record in full: what it stands for, and what of it survived. */
export function detailOf(history: readonly RecordEntry[], covered: readonly StoredMessage[]): RecordDetail | undefined {
  const entry = history.at(-1);
  if (entry === undefined) return undefined;
  const { record } = entry;
  const summary = recordOf(entry);
  const rest = { covered: covered.map(messageOf), history: history.map(recordOf) };
  if (record.kind === 'undo')
    return { ...summary, ...rest, facts: [], survival: {}, inserts: [], edits: [], evidence: [] };
  const { text, inserts, edits, findings } = record;
  return {
    ...summary,
    ...rest,
    ...factsOf(record),
    text,
    inserts: [...inserts],
    edits: [...edits],
    evidence: [...findings],
  };
}

function factsOf({ facts: kept, text, inserts }: CompactionRecord): Pick<RecordDetail, 'facts' | 'survival'> {
  if (kept === undefined) return { facts: [], survival: {} };
  const facts = unpackLedger(kept);
  // What the model is shown is the hand-over, of which the summary is a part and the block of facts another.
  const kinds = diffFacts(facts, [text, JSON.stringify(inserts)].join('\n'));
  const lost = new Set(Object.values(kinds).flatMap((kind) => kind?.lost ?? []));
  const all = Object.values(facts.entries).map((entry) => {
    const { kind, value, context, status, messages, firstId, lastId } = entry;
    return {
      ...{ kind, value, context, messages },
      ...(status === undefined ? {} : { status }),
      ...(firstId === undefined ? {} : { firstId }),
      ...(lastId === undefined ? {} : { lastId }),
      kept: !lost.has(entry),
    };
  });
  const survival = Object.fromEntries(
    Object.entries(kinds).map(([kind, { total, kept, left }]) => [kind, { total, kept, left }]),
  );
  return { facts: all, survival };
}

function dateOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
