import { FORMAT_NAMES } from 'epitome';
import { z } from 'zod';
import { DIALECTS } from '../model/dialect.ts';

// Every answer of the API has its shape here: handlers, types, tests and the OpenAPI document are made from it.

const id = z.string().min(1).max(200);
const count = z.int().min(0);
const role = z.string().describe('user, assistant, tool, system or other.');
const native = z
  .unknown()
  .describe("The message in its provider's own form, character for character as it was stored.");

/** What a path takes that takes nothing. */
export const nothing = z.object({});

export const branch = z
  .object({
    name: z.string(),
    tip: id.optional().describe('Its newest message; absent where it is empty.'),
    length: count,
    version: count.describe('How often records changed its view.'),
  })
  .meta({ id: 'Branch' });

const conversation = z
  .object({
    id,
    format: z.enum(FORMAT_NAMES),
    createdAt: z.iso.datetime(),
    settings: z.unknown().optional().describe('Whatever its owner keeps with it.'),
  })
  .meta({ id: 'Conversation' });

export const conversationPage = z
  .object({ conversations: z.array(conversation), next: id.optional().describe('Pass it as `before` for older ones.') })
  .meta({ id: 'ConversationPage' });

export const conversationDetail = conversation.extend({ branches: z.array(branch) }).meta({ id: 'ConversationDetail' });

const treeMessage = z
  .object({
    id,
    parentId: id.optional(),
    role,
    seq: count,
    depth: count.describe('How many messages stand in front of it.'),
  })
  .meta({ id: 'TreeMessage' });

const incompleteAnswer = z
  .object({
    parentId: id.describe('The message it was an answer to.'),
    branch: z.string(),
    at: z.iso.datetime(),
    incomplete: z.literal(true),
    end: z.enum(['incomplete', 'gone']).describe('`incomplete`: the upstream broke off. `gone`: the client went.'),
    bytes: count,
    text: z.string().describe('The words that came, the first of them where they are many.'),
  })
  .meta({ id: 'IncompleteAnswer' });

export const tree = z
  .object({
    branches: z.array(branch),
    messages: z.array(treeMessage),
    incomplete: z
      .array(incompleteAnswer)
      .optional()
      .describe('The latest answers that did not come to their end. No view holds them.'),
    next: id.optional().describe('Pass it as `after`.'),
  })
  .meta({ id: 'Tree' });

export const message = z.object({ id, parentId: id.optional(), role, seq: count, native }).meta({ id: 'Message' });

export const messagePage = z
  .object({ messages: z.array(message), next: id.optional().describe('Pass it as `after`.') })
  .meta({ id: 'MessagePage' });

export const view = z
  .object({
    branch: z.string(),
    version: count,
    tip: id.optional(),
    entries: z.array(
      z.object({
        native,
        messageId: id.optional().describe('The message it is, or is made from; absent for one of ours.'),
        recordId: id.optional().describe('The compaction that put it here, or changed it.'),
        summary: z.string().optional(),
      }),
    ),
  })
  .meta({ id: 'View' });

const tokens = z.object({
  before: z.number(),
  after: z.number(),
  fixed: z.number(),
  basis: z.enum(['reported', 'estimated']),
});

const recordSummary = z
  .object({
    id,
    kind: z.enum(['compaction', 'undo']),
    at: z.iso.datetime(),
    state: z.enum(['started', 'completed', 'failed', 'superseded', 'undone']),
    branch: z.string(),
    seq: count,
    undoes: id.optional().describe('Of an undo: the record it takes back.'),
    status: z.string().optional(),
    preset: z.string().optional(),
    cause: z.string().optional(),
    reason: z.string().optional(),
    method: z.string().optional().describe('Who wrote the summary: model, digest, mechanical, mask or none.'),
    degraded: z.boolean().optional(),
    tokens: tokens.optional(),
    covers: count.optional().describe('How many messages it stands for that no earlier record did.'),
    calls: count.optional(),
    netCost: z.number().optional(),
    findings: z.array(z.string()).optional().describe('Codes of what was noticed.'),
    error: z.string().optional(),
  })
  .meta({ id: 'RecordSummary' });

export const recordList = z.object({ branch: z.string(), records: z.array(recordSummary) }).meta({ id: 'RecordList' });

const fact = z.object({
  kind: z.string(),
  value: z.string(),
  context: z.string(),
  status: z.string().optional(),
  messages: count,
  firstId: id.optional().describe('The first message that has it.'),
  lastId: id.optional(),
  kept: z.boolean().describe('Whether the summary still holds it.'),
});

export const recordDetail = recordSummary
  .extend({
    text: z.string().optional().describe('The summary, without its frame.'),
    facts: z.array(fact).describe('Exact things of what it stands for that the record has room for.'),
    survival: z
      .record(z.string(), z.object({ total: count, kept: count, left: count }))
      .describe('Facts by kind: how many there were, the summary holds, and the record had no room for.'),
    covered: z.array(message).describe('The messages it stands for, oldest first.'),
    history: z.array(recordSummary).describe('The records whose summaries went into it, oldest first, itself last.'),
    inserts: z.array(z.unknown()),
    edits: z.array(z.unknown()),
    evidence: z.array(z.unknown()).describe('What was noticed, with what it rests on.'),
  })
  .meta({ id: 'RecordDetail' });

export const changed = z
  .object({ branch: z.string(), version: count, records: z.array(id).describe('Ids of the records that were added.') })
  .meta({ id: 'Changed' });

export const hits = z
  .object({
    hits: z.array(
      z.object({ conversation: id, messageId: id, role, seq: count, snippet: z.string(), score: z.number() }),
    ),
  })
  .meta({ id: 'Hits' });

export const forgotten = z.object({ forgotten: z.literal(true) }).meta({ id: 'Forgotten' });

export const health = z
  .object({ status: z.enum(['ok', 'unavailable']), reason: z.string().optional() })
  .meta({ id: 'Health' });

export const failure = z.object({ error: z.object({ code: z.string(), message: z.string() }) }).meta({ id: 'Failure' });

/** Queries and bodies. */
const limit = (most: number, standard: number): z.ZodDefault<z.ZodCoercedNumber<unknown>> =>
  z.coerce.number().int().min(1).max(most).default(standard);
const branchName = z.string().min(1).max(200).default('main');

export const pageQuery = z.strictObject({ limit: limit(200, 50), before: id.optional() });
export const treeQuery = z.strictObject({ limit: limit(5000, 1000), after: id.optional() });
export const messagesQuery = z.strictObject({ branch: branchName, limit: limit(1000, 100), after: id.optional() });
export const branchQuery = z.strictObject({ branch: branchName });
export const recallQuery = z.strictObject({ q: z.string().min(1).max(1000), limit: limit(100, 20) });

export const undoBody = z.strictObject({ branch: branchName, recordId: id.optional() });
export const redoBody = z.strictObject({ branch: branchName });
export const restoreBody = z.strictObject({ branch: branchName, messageIds: z.array(id).min(1).max(1000) });
export const forkBody = z.strictObject({ name: z.string().min(1).max(200), from: branchName, at: id.optional() });
export const recallBody = z.strictObject({ query: z.string().min(1).max(1000), limit: limit(100, 20) });

export type Branch = z.infer<typeof branch>;
export type Conversation = z.infer<typeof conversation>;
export type ConversationPage = z.infer<typeof conversationPage>;
export type ConversationDetail = z.infer<typeof conversationDetail>;
export type Tree = z.infer<typeof tree>;
export type StoredMessageView = z.infer<typeof message>;
export type MessagePage = z.infer<typeof messagePage>;
export type BranchView = z.infer<typeof view>;
export type RecordSummary = z.infer<typeof recordSummary>;
export type RecordList = z.infer<typeof recordList>;
export type RecordDetail = z.infer<typeof recordDetail>;
export type Changed = z.infer<typeof changed>;
export type Hits = z.infer<typeof hits>;

export const compactQuery = z.object({
  dialect: z.enum(DIALECTS).describe('Told by the body where absent.').optional(),
  when: z.enum(['now', 'due']).describe('`due`: only where a policy would compact.').optional(),
});
