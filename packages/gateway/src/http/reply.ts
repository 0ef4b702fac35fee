import type { ServerResponse } from 'node:http';
import { RULES } from '../dialects/index.ts';
import { type Refusal, type Reply, refusalStatus } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import type { TurnReport } from '../model/report.ts';

/** Refuses a request in the words of its dialect; nothing of ours shows but what the refusal says. */
export function refuse(response: ServerResponse, refusal: Refusal, dialect: Dialect | undefined): number {
  const headers = {
    // Where something was done with the request, that was said already.
    ...(response.hasHeader('x-epitome-status') ? {} : { 'x-epitome-status': refusalStatus(refusal) }),
    ...(refusal.retryAfterSeconds === undefined ? {} : { 'retry-after': String(refusal.retryAfterSeconds) }),
    // SDKs of several providers would send the same again.
    ...(refusal.status === 409 ? { 'x-should-retry': 'false' } : {}),
    // The rest of the body may come yet.
    ...(refusal.status === 408 ? { connection: 'close' } : {}),
  };
  const { code, message } = refusal;
  const body = dialect === undefined ? { error: { code, message } } : RULES[dialect].errorBody(refusal);
  return reply(response, { status: refusal.status, headers, body });
}

/** Sends an answer of our own; gives its length. */
export function reply(response: ServerResponse, { status, headers = {}, body }: Reply): number {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return 0;
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text);
  response.writeHead(status, {
    ...(typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' }),
    'content-length': bytes.length,
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(bytes);
  return bytes.length;
}

/** What was done with a request, as headers of its answer. */
export function reportHeaders(report: TurnReport): Record<string, string> {
  const { status, reason, tokensBefore, tokensAfter, recordId, netCost, conversation, branch, retried } = report;
  const notices = [
    ...(report.isReasoningLeftOut ? [LEFT_OUT] : []),
    ...(report.isReasoningKept ? [KEPT] : []),
    ...(report.notice ? [report.notice] : []),
  ];
  return {
    'x-epitome-status': `${status}; reason=${reason}${retried ? '; retried' : ''}`,
    ...(tokensBefore === undefined ? {} : { 'x-epitome-tokens-before': String(tokensBefore) }),
    ...(tokensAfter === undefined ? {} : { 'x-epitome-tokens-after': String(tokensAfter) }),
    ...(recordId === undefined ? {} : { 'x-epitome-record': recordId }),
    ...(netCost === undefined ? {} : { 'x-epitome-net-cost': netCost.toFixed(6) }),
    ...(conversation === undefined ? {} : { 'x-epitome-conversation': encodeURIComponent(conversation) }),
    ...(branch === undefined ? {} : { 'x-epitome-branch': encodeURIComponent(branch) }),
    ...(notices.length > 0 ? { 'x-epitome-notice': notices.join('; ') } : {}),
  };
}

const LEFT_OUT = 'reasoning blocks that this model cannot read here were left out';
const KEPT = 'reasoning of another model was left in, because the turn under way needs it';
