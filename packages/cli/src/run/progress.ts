import type { ChatEvent } from '../chat/events.ts';
import type { Fault } from '../chat/model/fault.ts';
import type { RunStatus } from './events.ts';

/** What a run has come to so far. */
export type Progress = {
  readonly take: (event: ChatEvent) => void;
  readonly end: (wasCancelled: boolean) => {
    readonly status: RunStatus;
    readonly text: string;
    readonly tokens: number;
    readonly fault?: Fault;
  };
};

/** Follows the events of a chat to how its one turn ends. */
export function followProgress(): Progress {
  let heard = '';
  let text = '';
  let tokens = 0;
  let fault: Fault | undefined;
  // Where the last thing that happened is a tool's end, nobody answered it.
  let rests: 'nowhere' | 'on-answer' | 'on-tool' = 'nowhere';
  return {
    take: (event) => {
      if (event.kind === 'answer-start') heard = '';
      if (event.kind === 'answer-text') heard += event.text;
      if (event.kind === 'answer-end' && event.ended !== 'discarded') {
        text = heard;
        rests = event.ended === 'cancelled' ? 'nowhere' : 'on-answer';
      }
      if (event.kind === 'tool-end') rests = 'on-tool';
      if (event.kind === 'failed') fault = event.fault;
      if (event.kind === 'meter') tokens = event.meter.tokens;
    },
    end: (wasCancelled) => {
      const failed = fault === undefined && rests === 'on-answer' ? 'done' : 'failed';
      const status = wasCancelled ? 'cancelled' : fault === undefined && rests === 'on-tool' ? 'stopped' : failed;
      return { status, text, tokens, ...(fault === undefined ? {} : { fault }) };
    },
  };
}
