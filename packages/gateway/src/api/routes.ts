import type { ChangeRef, Log } from '@epitome/store';
import type { z } from 'zod';
import type { Refusal, Scope } from '../model/call.ts';
import type { LastTurn } from '../turn/answers.ts';
import * as s from './schemas.ts';
import { branchOf, conversationOf, detailOf, incompleteIn, messageOf, recordOf, viewOf } from './shapes.ts';

/** What a handler is given, checked. */
type Asked<Query, Body> = {
  readonly log: Log;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly last: LastTurn;
};

type Params = Readonly<Record<string, string>>;

/** What a request brings, not checked yet. */
type Brought = { readonly query: unknown; readonly body: unknown };

/** A request that was checked, ready to be run. */
type Ready = {
  readonly body: unknown;
  /** `undefined`: there is no such thing. */
  readonly run: (log: Log, params: Params, last: LastTurn) => Promise<unknown>;
};

/** One path of the API: what it takes, what it answers, who may. */
export type Route = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With parameters in braces. */
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly scope: Scope;
  readonly query: z.ZodObject;
  readonly body: z.ZodObject;
  readonly answer: z.ZodType;
  /** Whether it puts another view in front of what is being said. */
  readonly changesView?: true;
  readonly check: (brought: Brought) => Ready | Refusal;
};

function route<Query extends z.ZodObject, Body extends z.ZodObject, Answer extends z.ZodType>({
  run,
  ...made
}: Omit<Route, 'query' | 'body' | 'answer' | 'check'> & {
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
  readonly run: (asked: Asked<z.output<Query>, z.output<Body>>) => Promise<z.input<Answer> | undefined>;
}): Route {
  return {
    ...made,
    check: (brought) => {
      const query = made.query.safeParse(brought.query);
      if (!query.success) return badInput('query', query.error.issues);
      const body = made.body.safeParse(brought.body);
      if (!body.success) return badInput('body', body.error.issues);
      const asked = { query: query.data, body: body.data };
      return { body: body.data, run: (log, params, last) => run({ log, params, last, ...asked }) };
    },
  };
}

function badInput(where: string, issues: readonly z.core.$ZodIssue[]): Refusal {
  const said = issues.map(({ path, message }) => `${[where, ...path].join('.')}: ${message}`).join('; ');
  return { status: 400, code: 'bad-input', message: `${said}.` };
}

const ONE = '/v1/conversations/{id}';
const idOf = ({ params }: Asked<unknown, unknown>): string => params['id'] ?? '';

/** All paths of the API. */
export const ROUTES: readonly Route[] = [
  route({
    ...{ method: 'GET', path: '/v1/conversations', name: 'listConversations', scope: 'read' },
    summary: 'Conversations, newest first, a page at a time.',
    query: s.pageQuery,
    body: s.nothing,
    answer: s.conversationPage,
    run: async ({ log, query: { limit, before } }) => {
      const found = await log.conversations({ limit: limit + 1, ...(before === undefined ? {} : { before }) });
      return { conversations: found.slice(0, limit).map(conversationOf), ...nextOf(found, limit) };
    },
  }),
  route({
    ...{ method: 'POST', path: '/v1/conversations/recall', name: 'recallEverywhere', scope: 'read' },
    summary: 'Finds messages by their words, in all conversations.',
    body: s.recallBody,
    query: s.nothing,
    answer: s.hits,
    run: async ({ log, body: { query, limit } }) => ({ hits: [...(await log.recall(query, { limit }))] }),
  }),
  route({
    ...{ method: 'GET', path: ONE, name: 'getConversation', scope: 'read' },
    summary: 'One conversation and its branches.',
    query: s.nothing,
    body: s.nothing,
    answer: s.conversationDetail,
    run: async (asked) => {
      const info = await asked.log.conversation(idOf(asked));
      if (info === undefined) return undefined;
      return { ...conversationOf(info), branches: (await asked.log.branches(info.id)).map(branchOf) };
    },
  }),
  route({
    ...{ method: 'DELETE', path: ONE, name: 'forgetConversation', scope: 'admin' },
    summary: 'Deletes a conversation and everything made from it. This cannot be undone.',
    query: s.nothing,
    body: s.nothing,
    answer: s.forgotten,
    run: async (asked) => ((await asked.log.forget(idOf(asked))) ? { forgotten: true as const } : undefined),
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/tree`, name: 'getTree', scope: 'read' },
    summary: 'The tree of a conversation: every message without its text, parents in front of their children.',
    query: s.treeQuery,
    body: s.nothing,
    answer: s.tree,
    run: async (asked) => {
      const { limit, after } = asked.query;
      const page = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
      const [branches, messages, info] = await Promise.all([
        asked.log.branches(idOf(asked)),
        asked.log.tree(idOf(asked), page),
        asked.log.conversation(idOf(asked)),
      ]);
      const listed = { branches: branches.map(branchOf), messages: messages.slice(0, limit) };
      return { ...listed, ...incompleteIn(info?.settings), ...nextOf(messages, limit) };
    },
  }),
  route({
    ...{ method: 'POST', path: `${ONE}/branches`, name: 'forkBranch', scope: 'admin' },
    summary: 'Makes a branch that ends with a message of another one.',
    body: s.forkBody,
    query: s.nothing,
    answer: s.branch,
    run: async (asked) => {
      const { name, from, at } = asked.body;
      const ref = { conversation: idOf(asked), branch: from };
      return branchOf(await asked.log.fork(ref, { name, ...(at === undefined ? {} : { at }) }));
    },
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/view`, name: 'getView', scope: 'read' },
    summary: 'What the model is shown of a branch.',
    query: s.branchQuery,
    body: s.nothing,
    answer: s.view,
    run: async (asked) => viewOf(await asked.log.viewOf({ conversation: idOf(asked), branch: asked.query.branch })),
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/messages`, name: 'listMessages', scope: 'read' },
    summary: 'The originals of a branch, oldest first, a page at a time.',
    query: s.messagesQuery,
    body: s.nothing,
    answer: s.messagePage,
    run: async (asked) => {
      const { branch, limit, after } = asked.query;
      const all = await asked.log.messages({ conversation: idOf(asked), branch });
      const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
      if (after !== undefined && from === 0) return undefined;
      const found = all.slice(from, from + limit + 1);
      return { messages: found.slice(0, limit).map(messageOf), ...nextOf(found, limit) };
    },
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/messages/{messageId}`, name: 'getMessage', scope: 'read' },
    summary: 'One original by its id.',
    query: s.nothing,
    body: s.nothing,
    answer: s.message,
    run: async (asked) => {
      const found = await asked.log.expand(idOf(asked), asked.params['messageId'] ?? '');
      const own = found.find(({ id }) => id === asked.params['messageId']);
      return own && messageOf(own);
    },
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/records`, name: 'listRecords', scope: 'read' },
    summary: 'The records of a branch in order, undone and failed ones included.',
    query: s.branchQuery,
    body: s.nothing,
    answer: s.recordList,
    run: async (asked) => {
      const { branch } = asked.query;
      return { branch, records: (await asked.log.records({ conversation: idOf(asked), branch })).map(recordOf) };
    },
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/records/{recordId}`, name: 'getRecord', scope: 'read' },
    summary: 'One compaction in full: its summary, the messages it stands for, its facts and which of them survived.',
    query: s.nothing,
    body: s.nothing,
    answer: s.recordDetail,
    run: async (asked) => {
      const recordId = asked.params['recordId'] ?? '';
      const history = await asked.log.history(idOf(asked), recordId);
      return detailOf(history, await asked.log.expand(idOf(asked), recordId));
    },
  }),
  route({
    ...{ method: 'POST', path: `${ONE}/undo`, name: 'undo', scope: 'admin', changesView: true },
    summary: 'Takes back the newest compaction of a branch, or the one named.',
    body: s.undoBody,
    query: s.nothing,
    answer: s.changed,
    run: async (asked) => {
      const ref = refOf(asked);
      return changeOf(asked.log, ref, await asked.log.undo(ref, asked.body.recordId));
    },
  }),
  route({
    ...{ method: 'POST', path: `${ONE}/redo`, name: 'redo', scope: 'admin', changesView: true },
    summary: 'Takes back the last undo of a branch.',
    body: s.redoBody,
    query: s.nothing,
    answer: s.changed,
    run: async (asked) => {
      const ref = refOf(asked);
      return changeOf(asked.log, ref, await asked.log.redo(ref));
    },
  }),
  route({
    ...{ method: 'POST', path: `${ONE}/restore`, name: 'restore', scope: 'admin', changesView: true },
    summary: 'Brings messages back into view, with the calls and results that belong to them.',
    body: s.restoreBody,
    query: s.nothing,
    answer: s.changed,
    run: async (asked) => {
      const ref = refOf(asked);
      return changeOf(asked.log, ref, await asked.log.restore(ref, asked.body.messageIds));
    },
  }),
  route({
    ...{ method: 'GET', path: `${ONE}/recall`, name: 'recall', scope: 'read' },
    summary: 'Finds messages of a conversation by their words.',
    query: s.recallQuery,
    body: s.nothing,
    answer: s.hits,
    run: async (asked) => {
      const conversation = idOf(asked);
      if ((await asked.log.conversation(conversation)) === undefined) return undefined;
      const { q, limit } = asked.query;
      return { hits: [...(await asked.log.recall(q, { conversation, limit }))] };
    },
  }),
];

/** The one path whose answer is lines of JSON and no document. */
export const EXPORT_PATH = `${ONE}/export`;

function nextOf(found: readonly { readonly id: string }[], limit: number): { next?: string } {
  const last = found.length > limit ? found[limit - 1] : undefined;
  return last === undefined ? {} : { next: last.id };
}

type Ref = Pick<ChangeRef, 'endedBehind'> & { readonly conversation: string; readonly branch: string };

function refOf(asked: Asked<unknown, { readonly branch: string }>): Ref {
  const { body, last } = asked;
  const ended = last.kind === 'ended' ? { endedBehind: last.behind } : {};
  return { conversation: idOf(asked), branch: body.branch, ...ended };
}

async function changeOf(
  log: Log,
  ref: Ref,
  records: readonly { readonly id: string }[],
): Promise<z.input<typeof s.changed>> {
  const { version } = await log.snapshot(ref);
  return { branch: ref.branch, version, records: records.map(({ id }) => id) };
}
