import type { Decision, Finding, Policy } from 'epitome';
import type { Ended, Reason } from './passed.ts';
import { counted, plain } from './text.ts';

/** A finding in words. */
export function findingSentence({ code, detail }: Finding): string {
  return `${FINDINGS[code]}${detail === '' ? '' : `: ${plain(detail)}`}`;
}

const FINDINGS: Readonly<Record<Finding['code'], string>> = {
  'counter-failed': 'tokens could not be counted',
  'summary-empty': 'the summary was empty',
  'summary-refused': 'the model refused to summarize',
  'summary-error': 'the summary is an error text',
  'summary-echo': 'the summary repeats the conversation',
  'summary-cut-off': 'the summary was cut off',
  'summary-huge': 'the summary was too long, the mechanical one serves',
  'summarizer-failed': 'the summarizer failed, the mechanical summary serves',
  'summarizer-timeout': 'the summarizer took too long, the mechanical summary serves',
  'claim-unsupported': 'the summary names what the conversation does not',
  'claim-unconfirmed': 'the summary says the user said what no prompt says',
  'claim-undone': 'the summary says done what no result bears out',
  'instruction-quoted': 'instructions found in tool output are quoted, not followed',
  'wrong-language': 'the summary is not in the language of the conversation',
  'secrets-redacted': 'secrets were taken out of what was read, sent or kept',
  'state-failed': 'a state provider failed',
  'redactor-failed': 'the redactor failed',
  inflated: 'the result was not smaller',
  chunked: 'the conversation did not go into one call',
  'left-out': 'not everything is in the summary',
  unshrinkable: 'a limit cannot be met',
  'invalid-output': 'the result would break a rule of the provider',
  'reasoning-dropped': 'thinking was dropped',
  'orphan-dropped': 'a result that answers nothing was left out',
  'deprecated-option': 'an option is deprecated',
};

/** Why nothing was done, in words. */
export function reasonSentence(reason: Reason, decision: Decision, policy: Pick<Policy, 'window'>): string {
  const share = `${Math.ceil(decision.tokens)} tokens, ${percent(decision.tokens / policy.window)} of the window`;
  if (reason === 'below-threshold') {
    const limit = decision.limit === undefined ? 'the limit' : `the limit of ${Math.ceil(decision.limit)}`;
    const what = decision.measure === 'history' ? 'its history is' : 'it is';
    return `The request has ${share}; ${what} below ${limit}. --force compacts anyway.`;
  }
  return REASONS.get(reason) ?? `Reason: ${reason}.`;
}

const REASONS: ReadonlyMap<Reason, string> = new Map<Reason, string>([
  ['empty-history', 'There are no messages.'],
  ['message-guard', 'Too few messages since the start or the last compaction; --force compacts anyway.'],
  ['time-guard', 'Too little time since the last compaction; --force compacts anyway.'],
  ['pending-tool-call', 'A tool call has no result yet; --force compacts anyway.'],
  ['disabled', 'The options turn every trigger off; --force compacts anyway.'],
  ['latched', 'An earlier compaction failed and little was added since; --force compacts anyway.'],
  ['does-not-pay', 'It would cost more than it saves; --force compacts anyway.'],
  ['no-growth', 'Little was added since the last compaction; --force compacts anyway.'],
  ['nothing-to-cut', 'Nothing may be cut: what there is must stay.'],
  ['no-prompt', 'Nothing may be cut: no prompt of a user is old enough to cut at.'],
  ['bound-reasoning', 'Nothing may be cut: the thinking of an unfinished turn is bound to what stands before it.'],
  ['unshrinkable', 'No way of compacting makes it smaller.'],
  [
    'server-state',
    'The provider holds a part of it (`previous_response_id`, `conversation` or an `item_reference`): it goes out as it came.',
  ],
  ['invalid-output', 'The result would have broken a rule of the provider, so it was refused.'],
]);

/** A share as a percentage. */
export function percent(share: number): string {
  return `${share > 0 && share < 0.095 ? (share * 100).toFixed(1) : Math.round(share * 100)}%`;
}

/** Who wrote the summary, in words. */
export function methodSentence({ method, degraded, record }: Ended): string {
  switch (method) {
    case 'model':
      return `summary by the model (${counted(record?.calls ?? 1, 'call')})`;
    case 'digest':
      return degraded ? 'digest in place of the model’s summary' : 'digest of the conversation, no model';
    case 'mask':
      return 'old tool results became placeholders, nothing is summarized';
    case 'mechanical':
      return degraded ? 'mechanical summary in place of the model’s' : 'mechanical summary, no model';
    case 'none':
      return 'no summary fits: older messages are left out';
    default:
      return method satisfies never;
  }
}
