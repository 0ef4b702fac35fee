import type { CompactionEnd } from '../chat/compaction-end.ts';
import type { ChatEvent } from '../chat/events.ts';
import type { Spending } from '../chat/meter.ts';
import type { Fault } from '../chat/model/fault.ts';

/** How a run ended. `stopped`: after so many steps that it would not end by itself. */
export type RunStatus = 'done' | 'failed' | 'stopped' | 'cancelled';

/** What `epitome run --json` prints, one on each line. Every start has exactly one end. */
export type RunEvent =
  | {
      readonly type: 'run-start';
      readonly session: string;
      readonly model: string;
      readonly window: number;
      readonly task: string;
    }
  | { readonly type: 'answer-start' }
  | { readonly type: 'answer-text'; readonly text: string }
  | {
      readonly type: 'answer-end';
      /** `discarded`: it is asked again, or the run fails. */
      readonly ended: Extract<ChatEvent, { kind: 'answer-end' }>['ended'];
    }
  | { readonly type: 'tool-start'; readonly id: string; readonly what: string }
  | { readonly type: 'tool-end'; readonly id: string; readonly ok: boolean; readonly text: string }
  | { readonly type: 'compaction-start' }
  | ({ readonly type: 'compaction-end' } & RunCompaction)
  | { readonly type: 'retry'; readonly fault: Fault; readonly waitMs: number }
  | { readonly type: 'notice'; readonly text: string }
  | {
      readonly type: 'run-end';
      readonly status: RunStatus;
      /** The last answer; empty where there is none. */
      readonly text: string;
      /** Tokens of the last request, and of everything in this session; dollars where prices are known. */
      readonly tokens: number;
      readonly usage: Pick<Spending, 'input' | 'output' | 'cached' | 'written'>;
      readonly cost?: number;
      readonly fault?: Fault;
    };

/** How a compaction ended: its status, or why there is none. */
type RunCompaction =
  | {
      readonly status: Extract<CompactionEnd, { kind: 'ended' }>['result']['status'];
      readonly tokens: { readonly before: number; readonly after: number };
      readonly messages: { readonly compressed: number; readonly preserved: number };
      readonly goal: string;
      readonly method: string;
      readonly seconds: number;
      readonly facts?: { readonly kept: number; readonly total: number };
      readonly cost?: number;
    }
  | { readonly status: 'cancelled' | 'superseded' }
  | { readonly status: 'deferred'; readonly seconds: number }
  | { readonly status: 'failed'; readonly detail: string };

/** What a run tells of what happens in its chat; nothing where it concerns only a screen. */
export function runEvents(event: ChatEvent): readonly RunEvent[] {
  switch (event.kind) {
    case 'answer-start':
    case 'compaction-start':
      return [{ type: event.kind }];
    case 'answer-text':
      return [{ type: event.kind, text: event.text }];
    case 'answer-end':
      return [{ type: event.kind, ended: event.ended }];
    case 'tool-start':
      return [{ type: event.kind, id: event.id, what: event.what }];
    case 'tool-end':
      return [{ type: event.kind, id: event.id, ok: event.ok, text: event.text }];
    case 'compaction-end':
      return [{ type: event.kind, ...compactionOf(event.end) }];
    case 'retry':
      return [{ type: event.kind, fault: event.fault, waitMs: Math.round(event.waitMs) }];
    case 'said':
      return event.lines.map((text) => ({ type: 'notice', text }));
    case 'sent':
    case 'queued':
    case 'taken':
    case 'activity':
    case 'approval-start':
    case 'approval-end':
    case 'question':
    case 'failed':
    case 'undone':
    case 'redone':
    case 'meter':
    case 'settled':
    case 'exit':
      return [];
    default:
      return event satisfies never;
  }
}

function compactionOf(end: CompactionEnd): RunCompaction {
  switch (end.kind) {
    case 'ended': {
      const { result, method, seconds, facts, cost } = end;
      const { status, tokens, messages, goal } = result;
      const known = { ...(facts === undefined ? {} : { facts }), ...(cost === undefined ? {} : { cost }) };
      return { status, tokens, messages, goal, method, seconds, ...known };
    }
    case 'failed':
      return { status: 'failed', detail: end.detail };
    case 'deferred':
      return { status: end.kind, seconds: end.seconds };
    case 'cancelled':
    case 'superseded':
      return { status: end.kind };
    default:
      return end satisfies never;
  }
}
