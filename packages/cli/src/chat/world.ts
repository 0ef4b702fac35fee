import type { Log } from '@epitome/store';
import type { Asked, ChatCompressionEvent } from 'epitome/goals';
import type { Policies } from '../settings/policies.ts';
import type { Clock } from './clock.ts';
import type { ChatConversation } from './conversation.ts';
import type { Listener } from './events.ts';
import type { ChatModel } from './model/open.ts';
import type { ChatSummarizer } from './summarizer.ts';
import type { Toolbox } from './tools/toolbox.ts';

/** Everything a chat takes from outside. */
export type ChatWorld = {
  readonly log: Log;
  readonly conversation: ChatConversation;
  readonly openModel: (name: string) => Promise<ChatModel>;
  readonly model: ChatModel;
  /** Who writes the summaries of a chat with a model, or of a policy that names its own; without one, the digest serves. */
  readonly summarizer: (model: ChatModel, named?: string) => Promise<ChatSummarizer | undefined>;
  readonly policies: Policies;
  readonly toolbox: Toolbox;
  readonly system: string;
  readonly clock: Clock;
  /** Who is asked what they are working on. */
  readonly asked: Asked;
  /** Whether somebody can answer: else a call that needs an approval runs only where its tool was allowed beforehand. */
  readonly isInteractive: boolean;
  readonly allows?: (tool: string) => boolean;
  readonly tell: Listener;
  /** Takes the event of each attempt at a compaction. */
  readonly telemetry: (event: ChatCompressionEvent) => void;
};
