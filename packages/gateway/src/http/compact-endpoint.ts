import { compact } from 'epitome';
import { costModel } from 'epitome/economics';
import { type Reading, withMessages } from '../dialects/reading.ts';
import { fieldsOf } from '../dialects/rules.ts';
import { isRefusal, type Refusal, type Reply } from '../model/call.ts';
import { DIALECTS, type Dialect } from '../model/dialect.ts';
import type { Resolved } from '../model/policy.ts';
import { chainOf } from '../turn/chain.ts';
import { fixedOf } from '../turn/fixed.ts';
import type { Serving } from './context.ts';
import { reportHeaders } from './reply.ts';
import { tryReading } from './turn-request.ts';

/** `POST /compact`: a request comes back with fewer messages and everything else as it was; no upstream is called. */
export async function serveCompact(serving: Serving, body: Buffer): Promise<Reply | Refusal> {
  const { call } = serving;
  const text = body.toString('utf8');
  const dialect = dialectIn(new URLSearchParams(call.query), text);
  if (typeof dialect !== 'string') return dialect;
  const reading = tryReading(text, dialect);
  if (isRefusal(reading)) return reading;
  if (reading.messages === undefined) return UNREAD;
  const { path, headers, caller } = call;
  const question = { dialect, model: reading.model, upstream: '', path, caller, headers };
  const resolved = serving.context.policies.resolve(question);
  return isRefusal(resolved) ? resolved : compacted(serving, { dialect, text, reading, resolved });
}

const UNREAD: Refusal = {
  status: 400,
  code: 'no-messages',
  message:
    'The body holds no list of messages; send the request as the provider takes it, with ?dialect= where it could be either.',
};

type Asked = {
  readonly dialect: Dialect;
  readonly text: string;
  readonly reading: Reading;
  readonly resolved: Resolved;
};

async function compacted({ context, call }: Serving, { dialect, text, reading, resolved }: Asked): Promise<Reply> {
  const { texts } = chainOf(reading);
  const messages = texts.map((each): unknown => JSON.parse(each));
  const isDue = new URLSearchParams(call.query).get('when') === 'due';
  const engine = context.plane.engine();
  const { prices } = resolved;
  // Nobody knows how the conversation goes on; as long again is the usual guess.
  const costs = prices === undefined ? undefined : costModel({ prices, callsLeft: Math.ceil(texts.length / 2) });
  const outcome = await compact(
    {
      format: dialect,
      messages,
      ...fixedOf(reading).fixed,
      policy: resolved.policy,
      cause: isDue && !resolved.force ? 'automatic' : 'manual',
      ...(resolved.goal === undefined ? {} : { goal: resolved.goal }),
    },
    costs === undefined ? engine : { ...engine, costs },
    call.signal,
  );
  const isSmaller = outcome.status === 'compressed' || outcome.status === 'truncated';
  const places = new Map(messages.map((native, at) => [native, at]));
  const written = outcome.messages.map((native) => texts[places.get(native) ?? -1] ?? JSON.stringify(native));
  const { tokens, record, payback } = outcome;
  const report = {
    status: isSmaller ? 'compacted' : 'kept',
    reason: outcome.reason,
    tokensBefore: tokens.before,
    tokensAfter: tokens.after,
    ...(record === undefined || !isSmaller ? {} : { recordId: record.id }),
    ...(payback === undefined ? {} : { netCost: payback.netCost }),
  } as const;
  const headers = { 'content-type': 'application/json; charset=utf-8', ...reportHeaders(report) };
  return { status: 200, headers, body: isSmaller ? withMessages(reading, written) : text };
}

/** The dialect that was named, or whose members the body has. */
function dialectIn(query: URLSearchParams, text: string): Dialect | Refusal {
  const named = query.get('dialect');
  if (named !== null) return DIALECTS.find((known) => known === named) ?? unknownDialect(named);
  for (const dialect of ['gemini', 'openai-responses', 'openai-chat'] as const) {
    const reading = tryReading(text, dialect);
    if (isRefusal(reading)) return reading;
    if (reading.messages !== undefined)
      return dialect === 'openai-chat' && looksAnthropic(reading) ? 'anthropic' : dialect;
  }
  return UNREAD;
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
