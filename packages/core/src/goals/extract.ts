import type { DraftUsage, Summarizer } from '../model/brief.ts';
import { newest, type Spoken } from './conversation.ts';
import { deriveGoals } from './derive.ts';
import { parseGoals } from './parse.ts';
import { goalBrief } from './request.ts';

/** What goals are looked for in. */
export type GoalSource = Spoken & {
  /** Open todos the session knows of beside those in its messages. */
  readonly todos?: readonly string[];
};

/** Who names goals, and how long that may take. */
export type GoalPorts = {
  /** Without one, goals come from prompts and todos. */
  readonly model?: Summarizer;
  /**
   * Milliseconds the model has.
   * @default 5000
   */
  readonly timeoutMs?: number;
  /** Milliseconds of any clock. */
  readonly now?: () => number;
  /** Calls back after so many milliseconds unless it is stopped. */
  readonly after?: (milliseconds: number, call: () => void) => () => void;
};

/** Why a model's goals are not there. */
export type GoalFault = 'no-model' | 'timeout' | 'failed' | 'nothing-valid' | 'aborted';

/** Goals to offer, where they come from, and what that took. */
export type Extraction = {
  readonly goals: readonly string[];
  readonly source: 'model' | 'derived' | 'none';
  readonly fault?: GoalFault;
  readonly durationMs: number;
  readonly usage?: DraftUsage;
};

/** Milliseconds a model has to name goals. */
const LIMIT_MS = 5000;
// Enough to tell what somebody is at; todos may have been noted earlier.
const RECENT = 24;
const RECENT_TODOS = 200;

/** Looks for up to three goals. Never throws, and never takes longer than its limit, whatever the model does. */
export async function extractGoals(
  source: GoalSource,
  ports: GoalPorts = {},
  signal?: AbortSignal,
): Promise<Extraction> {
  const { now = () => performance.now() } = ports;
  const from = now();
  const asked = await askModel(source, ports, signal);
  const isNamed = asked.goals.length > 0;
  const goals = isNamed ? asked.goals : derived(source);
  return {
    goals,
    source: isNamed ? 'model' : goals.length > 0 ? 'derived' : 'none',
    durationMs: Math.max(0, Math.round(now() - from)),
    ...(asked.fault === undefined ? {} : { fault: asked.fault }),
    ...(asked.usage === undefined ? {} : { usage: asked.usage }),
  };
}

type Asked = Pick<Extraction, 'goals' | 'fault' | 'usage'>;

const without = (fault: GoalFault): Asked => ({ goals: [], fault });

async function askModel(source: GoalSource, ports: GoalPorts, signal: AbortSignal | undefined): Promise<Asked> {
  const { model, timeoutMs = LIMIT_MS, after = afterTimeout } = ports;
  if (model === undefined) return without('no-model');
  if (signal?.aborted) return without('aborted');
  const stop = new AbortController();
  let end: (asked: Asked) => void = () => {};
  const ended = new Promise<Asked>((resolve) => {
    end = resolve;
  });
  const cancel = after(timeoutMs, () => end(without('timeout')));
  const onAbort = (): void => end(without('aborted'));
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([answerOf(model, source, stop.signal), ended]);
  } catch {
    return without('failed');
  } finally {
    cancel();
    signal?.removeEventListener('abort', onAbort);
    // A model that is late or no longer wanted is told to stop.
    stop.abort();
  }
}

async function answerOf(model: Summarizer, source: GoalSource, signal: AbortSignal): Promise<Asked> {
  const { text, usage } = await model(goalBrief(newest(source, RECENT)), signal);
  const goals = parseGoals(text);
  const spent = usage === undefined ? {} : { usage };
  return goals.length > 0 ? { goals, ...spent } : { ...without('nothing-valid'), ...spent };
}

function derived(source: GoalSource): readonly string[] {
  try {
    return deriveGoals(newest(source, RECENT_TODOS), source.todos);
  } catch {
    // No question is better than none at all to compact.
    return [];
  }
}

function afterTimeout(milliseconds: number, call: () => void): () => void {
  const timer = setTimeout(call, milliseconds);
  return () => clearTimeout(timer);
}
