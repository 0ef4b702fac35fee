import type { Reading } from '../dialects/reading.ts';
import { fieldsOf } from '../json/values.ts';
import { isRefusal, type Refusal } from '../model/call.ts';
import { DIALECTS, type Dialect } from '../model/dialect.ts';
import type { TurnReport } from '../model/report.ts';
import { compactOnce, type Once } from '../turn/once.ts';
import { conclude, type Ended, type Serving } from './context.ts';
import { refuse, reply, reportHeaders } from './reply.ts';
import { tryReading } from './turn-request.ts';

/** `POST /compact`: a request comes back with fewer messages and everything else as it was; no upstream is called. */
export async function serveCompact(serving: Serving): Promise<void> {
  const { context, call, request, response } = serving;
  const named = dialectNamed(call.query);
  const body = context.guard.budget.check(call.caller) ?? (await context.guard.bodyOf(request, call.signal));
  const done = Buffer.isBuffer(body) ? await compacted(serving, body.toString('utf8')) : body;
  const bytesIn = Buffer.isBuffer(body) ? body.length : 0;
  if (isRefusal(done)) {
    const bytesOut = refuse(response, done, named);
    const report: TurnReport = { status: 'refused', reason: done.code };
    return end(serving, { dialect: named, status: done.status, report, bytesIn, bytesOut });
  }
  const { report, dialect, model } = done;
  const headers = { 'content-type': 'application/json; charset=utf-8', ...reportHeaders(report) };
  const bytesOut = reply(response, { status: 200, headers, body: done.body });
  end(serving, { dialect, model, status: 200, report, bytesIn, bytesOut });
}

/** The dialect that a query names, in whose shape errors are told. */
export function dialectNamed(query: string): Dialect | undefined {
  const named = new URLSearchParams(query).get('dialect');
  return DIALECTS.find((known) => known === named);
}

type End = Pick<Ended, 'status' | 'report' | 'model' | 'bytesIn' | 'bytesOut'> & {
  readonly dialect: Dialect | undefined;
};

function end(serving: Serving, { dialect, ...rest }: End): void {
  conclude(serving, { ...rest, dialect: dialect ?? 'none', upstream: '', isStream: false, end: 'complete' });
}

type Compacted = Required<Once> & { readonly dialect: Dialect; readonly model: string };

async function compacted({ context, call, span }: Serving, text: string): Promise<Compacted | Refusal> {
  const query = new URLSearchParams(call.query);
  const read = readRequest(query.get('dialect'), text);
  if (isRefusal(read)) return read;
  const { dialect, reading } = read;
  const when = query.get('when') ?? 'now';
  if (when !== 'now' && when !== 'due') return unknownTime(when);
  const { path, headers, caller, signal } = call;
  const { model } = reading;
  const resolved = context.policies.resolve({ dialect, model, upstream: '', path, caller, headers });
  if (isRefusal(resolved)) return resolved;
  const done = await compactOnce(context.plane, { caller, dialect, reading, resolved, when, span }, signal);
  return { body: text, ...done, dialect, model };
}

const UNREAD: Refusal = {
  status: 400,
  code: 'no-messages',
  message:
    'The body holds no list of messages; send the request as the provider takes it, with ?dialect= where it could be either.',
};

type Read = { readonly dialect: Dialect; readonly reading: Reading };

/** Reads a body in the dialect that is named, or else in the one whose members it has. */
function readRequest(named: string | null, text: string): Read | Refusal {
  if (named !== null) {
    const dialect = DIALECTS.find((known) => known === named);
    return dialect === undefined ? unknownDialect(named) : readIn(dialect, text);
  }
  for (const dialect of ['gemini', 'openai-responses', 'openai-chat'] as const) {
    const read = readIn(dialect, text);
    if (read === UNREAD) continue;
    const isAnthropic = dialect === 'openai-chat' && !isRefusal(read) && looksAnthropic(read.reading);
    return isAnthropic ? readIn('anthropic', text) : read;
  }
  return UNREAD;
}

function readIn(dialect: Dialect, text: string): Read | Refusal {
  const reading = tryReading(text, dialect);
  if (isRefusal(reading)) return reading;
  return isRequest(reading, dialect) ? { dialect, reading } : UNREAD;
}

/** Whether it holds what a provider answers to; Responses takes a text in place of a list, or goes on where it ended. */
function isRequest({ messages, passes, fields }: Reading, dialect: Dialect): boolean {
  if (messages !== undefined || passes === 'server-state') return true;
  return dialect === 'openai-responses' && (fields.get('input') ?? '').startsWith('"');
}

function unknownTime(when: string): Refusal {
  const message = `?when= takes now or due, not ${JSON.stringify(when.slice(0, 40))}.`;
  return { status: 400, code: 'unknown-time', message };
}

function unknownDialect(named: string): Refusal {
  const message = `There is no dialect ${JSON.stringify(named.slice(0, 40))}; there are ${DIALECTS.join(', ')}.`;
  return { status: 400, code: 'unknown-dialect', message };
}

const BLOCKS: ReadonlySet<unknown> = new Set(['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'image']);

function looksAnthropic({ fields, messages = [] }: Reading): boolean {
  if (fields.has('system')) return true;
  return messages.some((text) => {
    const { content } = fieldsOf(JSON.parse(text));
    return Array.isArray(content) && content.some((block) => BLOCKS.has(fieldsOf(block)['type']));
  });
}
