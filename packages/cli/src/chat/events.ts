import type { QuestionState } from 'epitome/goals';
import type { CompactionEnd } from './compaction-end.ts';
import type { Meter } from './meter.ts';
import type { Fault } from './model/fault.ts';
import type { ApprovalRequest } from './tools/tool.ts';

/** What the chat is doing. */
export type Activity = 'resting' | 'answering' | 'tool' | 'waiting' | 'asking' | 'compacting';

/** What happens in a chat, for whoever shows it. Every start has exactly one end. */
export type ChatEvent =
  /** A message of the user's is in the store. */
  | { readonly kind: 'sent'; readonly text: string }
  /** One has to wait, behind so many. */
  | { readonly kind: 'queued'; readonly text: string; readonly waiting: number }
  /** What waited, or did not have to, is being done. */
  | { readonly kind: 'taken'; readonly text: string }
  | { readonly kind: 'activity'; readonly activity: Activity; readonly since: number }
  | { readonly kind: 'answer-start' }
  | { readonly kind: 'answer-text'; readonly text: string }
  | { readonly kind: 'answer-end'; readonly ended: 'whole' | 'cut-off' | 'unfinished' | 'cancelled' | 'discarded' }
  | { readonly kind: 'tool-start'; readonly id: string; readonly what: string }
  | {
      readonly kind: 'tool-end';
      readonly id: string;
      readonly what: string;
      readonly text: string;
      readonly ok: boolean;
    }
  | { readonly kind: 'approval-start'; readonly request: ApprovalRequest }
  | { readonly kind: 'approval-end' }
  | { readonly kind: 'question'; readonly state: QuestionState }
  | { readonly kind: 'compaction-start' }
  | { readonly kind: 'compaction-end'; readonly end: CompactionEnd }
  /** The newest compaction in force was taken back, or the last one taken back holds again. */
  | { readonly kind: 'undone' | 'redone' }
  /** It is asked again, after so many attempts. */
  | { readonly kind: 'retry'; readonly fault: Fault; readonly waitMs: number; readonly attempt: number }
  | { readonly kind: 'failed'; readonly fault: Fault }
  | { readonly kind: 'said'; readonly lines: readonly string[]; readonly tone: 'plain' | 'warning' }
  | { readonly kind: 'meter'; readonly meter: Meter }
  /** Nothing is under way and nothing waits. */
  | { readonly kind: 'settled' }
  | { readonly kind: 'exit' };

/** Hears what happens. */
export type Listener = (event: ChatEvent) => void;
