import type { Message, ToolCallPart, ToolResultPart } from '../../model/message.ts';
import { type Native, stringOf } from '../native.ts';

/** Hands out the ids of one content's calls and responses, in native order. */
export type Links = {
  readonly call: (call: Native) => string;
  readonly result: (response: Native) => Pick<ToolResultPart, 'callId' | 'name'>;
};

// Bounds the work per message. Only responses far behind their call turn (rule G3 forbids it) are out of reach.
const LOOK_BACK = 128;

// The API pairs by position; clients that invent ids often put them on the response alone.
const PASSES: readonly Pass[] = [
  { ofResponse: (response) => stringOf(response['id']), ofCall: (call) => call.callId },
  { ofResponse: (response) => stringOf(response['name']), ofCall: (call) => call.name },
  { ofResponse: () => '', ofCall: () => '' },
];

type Pass = {
  readonly ofResponse: (response: Native) => string;
  readonly ofCall: (call: ToolCallPart) => string;
};

/**
 * Links of the content behind `before`. A call without id is named by its position. A response belongs to an open call of
 * the nearest call content: by id, else by name in order, else by order.
 */
export function linksOf(responses: readonly Native[], before: readonly Message[]): Links {
  const answered = responses.length === 0 ? [] : pair(responses, openCalls(before));
  let calls = 0;
  let results = 0;
  return {
    call: (call) => {
      const ordinal = calls++;
      return stringOf(call['id']) || `@${before.length}.${ordinal}`;
    },
    result: (response) => {
      const ordinal = results++;
      const call = answered[ordinal];
      return {
        callId: call?.callId ?? (stringOf(response['id']) || `@${before.length}.r${ordinal}`),
        name: stringOf(response['name']) || (call?.name ?? ''),
      };
    },
  };
}

function openCalls(before: readonly Message[]): Set<ToolCallPart> {
  const recent = before.slice(-LOOK_BACK);
  const last = recent.findLastIndex((message) => message.parts.some((part) => part.kind === 'tool-call'));
  // Model contents in a row are one turn to the API, so their calls are open together.
  const first = recent.findLastIndex((message, at) => at < last && message.role !== 'assistant') + 1;
  const closed = new Set<string>();
  for (const part of recent.slice(last + 1).flatMap((message) => message.parts)) {
    if (part.kind === 'tool-result') closed.add(part.callId);
  }
  const turn = recent.slice(first, last + 1).flatMap((message) => message.parts);
  return new Set(turn.filter((part) => part.kind === 'tool-call').filter((call) => !closed.has(call.callId)));
}

function pair(responses: readonly Native[], open: Set<ToolCallPart>): readonly (ToolCallPart | undefined)[] {
  const calls: (ToolCallPart | undefined)[] = responses.map(() => undefined);
  for (const pass of PASSES) {
    const queues = queue(open, pass);
    for (const [at, response] of responses.entries()) {
      const call = calls[at] ? undefined : queues.get(pass.ofResponse(response))?.pop();
      if (!call) continue;
      calls[at] = call;
      open.delete(call);
    }
  }
  return calls;
}

// Newest first, so that `pop` takes calls in their order.
function queue(open: ReadonlySet<ToolCallPart>, pass: Pass): ReadonlyMap<string, ToolCallPart[]> {
  const queues = new Map<string, ToolCallPart[]>();
  for (const call of [...open].reverse()) {
    const key = pass.ofCall(call);
    const waiting = queues.get(key);
    if (waiting) waiting.push(call);
    else queues.set(key, [call]);
  }
  return queues;
}
