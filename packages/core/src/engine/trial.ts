import { applyPlan, type Change } from '../apply/apply.ts';
import { frameUnread, type Unread, unreadOf } from '../apply/unread.ts';
import { correctedCounter } from '../count/measure.ts';
import type { PackedLedger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Plan } from '../model/plan.ts';
import { BLANK_RECORD, type Method } from '../model/record.ts';
import type { World } from './ports.ts';
import type { Request } from './request.ts';
import type { Rung } from './rungs.ts';
import { clearedAhead, secrecyOf } from './secrecy.ts';
import { type MeasuredView, measuredView, type State } from './state.ts';
import type { Written } from './write.ts';

/** A compaction that was carried out but not yet committed. */
export type Candidate = {
  readonly rung: Rung;
  readonly change: Change;
  readonly method: Method;
  readonly degraded: boolean;
  readonly facts?: PackedLedger;
  /** What was noticed while the change was made. */
  readonly noticed: readonly Finding[];
  /** The view with the change applied. */
  readonly state: MeasuredView;
};

/** What a summary is tried out on. */
export type TrialJob = {
  readonly request: Request;
  readonly state: State;
  readonly world: World;
  /** Whether a request of so many tokens is small enough. */
  readonly isMet: (tokens: number) => boolean;
  /** The session's state, which stands behind a summary. */
  readonly sessionState: string;
};

/** What a rung comes to. Output nobody has read yet stays beside its summary, unless that is too much. */
export async function tryOut(job: TrialJob, rung: Rung, written: Made): Promise<Candidate> {
  const { request, state } = job;
  const unread = rung.writer === 'model' ? unreadOf(state.view.entries, request.ids, rung.plan) : [];
  const count = correctedCounter(request);
  const all = unread.reduce((sum, { result }) => sum + count(result.text), 0);
  for (const share of unread.length === 0 ? [] : SHARES) {
    const tokens = Math.ceil(Math.min(rung.maxTokens, all) * share);
    const candidate = await delivered(job, { rung, written, unread, tokens });
    const size = candidate.state.sizes.request;
    if (job.isMet(size) && size < state.sizes.request) return candidate;
  }
  return delivered(job, { rung, written, unread: [], tokens: 0 });
}

// Of what is unread and within a summary's limit, as much as there is room for.
const SHARES = [1, 1 / 2, 1 / 4, 1 / 8];

/** A summary that was written. */
export type Made = Extract<Written, { readonly kind: 'summary' }>;

type Delivered = {
  readonly rung: Rung;
  readonly written: Made;
  readonly unread: readonly Unread[];
  /** Tokens that may have. */
  readonly tokens: number;
};

async function delivered(
  { request, state, world, sessionState }: TrialJob,
  { rung, written, unread, tokens }: Delivered,
): Promise<Candidate> {
  const { policy, format, records } = request;
  const subject = {
    entries: state.view.entries,
    messages: request.messages,
    ids: request.ids,
    records: new Map(records.flatMap((record) => (record.kind === 'compaction' ? [[record.id, record] as const] : []))),
    format,
  };
  // Only a run between prompts is handed over by the assistant: any other head may be the start of the history.
  const isBetweenPrompts = rung.plan.split === 'earliest-run';
  const handover = policy.handover.role === 'assistant' && !isBetweenPrompts ? USER_HANDOVER : policy.handover;
  const secrecy = secrecyOf(policy.keeps?.redacts ?? true, world.redactor);
  const shown = [...shownParts(state, rung.plan), ...unread.flatMap(({ input, result }) => [input, result.text])];
  const clean = await clearedAhead(shown, secrecy);
  const cleared = unread.map(({ input, result, ...each }) => ({
    ...each,
    input: clean(input),
    result: { ...result, text: clean(result.text) },
  }));
  const room = { tokens, count: correctedCounter(request) };
  const delivery = { text: written.text, handover, state: sessionState, unread: frameUnread(cleared, room), clean };
  const change = applyPlan(subject, rung.plan, delivery);
  // A record that only serves to see what the view would be.
  const after = measuredView(request, [...records, { ...BLANK_RECORD, ...change }]);
  const { method, degraded, facts } = written;
  const noticed = secrecy.findings();
  return { rung, change, method, degraded, noticed, state: after, ...(facts === undefined ? {} : { facts }) };
}

/** Tool results of which a plan shows some. */
function shownParts({ view }: State, { masks }: Plan): readonly string[] {
  return masks.flatMap(({ entry, part: index, keepChars }) => {
    const part = view.entries[entry]?.message.parts[index];
    return keepChars > 0 && part?.kind === 'tool-result' ? [part.text] : [];
  });
}

const USER_HANDOVER = { role: 'user', acknowledge: 'before-user' } as const;
