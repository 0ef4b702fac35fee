import { formats, type Message, type Part } from 'epitome';
import { decodeAll } from '../convert/convert.ts';
import type { Fault, SourceName } from '../model/item.ts';
import { defined } from '../model/json.ts';
import type { Branch, Session } from '../model/session.ts';
import { entriesOf, type Placed, placedOf } from '../tree/messages.ts';
import { type BranchUse, branchesOf } from './branches.ts';
import { type BigMessage, biggestOf, type Duplicate, duplicatesOf } from './heavy.ts';
import { lossesOf, type PastCompaction } from './losses.ts';
import { type Turns, turnsOf } from './prompts.ts';
import { type Calibration, calibrate, type Reported, reportedOf } from './reported.ts';
import { type Shares, sharesOf, weigh } from './shares.ts';
import { type Stretch, type ToolUse, timelineOf, toolsOf, totalOf, type Weights } from './timeline.ts';

/** What a session is made of. Tokens are estimates unless they stand under `reported`. */
export type Inspection = {
  readonly source: SourceName;
  readonly id?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly models: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly branch: string;
  readonly messages: number;
  readonly turns: number;
  readonly prompts: Turns['prompts'];
  /** Answers of the model; messages of one that stand in a row count once. */
  readonly answers: number;
  readonly calls: number;
  readonly failedResults: number;
  /** `fixed`: system prompt and tools beside the messages; they are part of `total` and of the share `system`. */
  readonly tokens: { readonly total: number; readonly fixed: number; readonly shares: Shares };
  readonly tools: readonly ToolUse[];
  readonly timeline: readonly Stretch[];
  readonly biggest: readonly BigMessage[];
  readonly duplicates: readonly Duplicate[];
  readonly branches: readonly BranchUse[];
  readonly compactions: readonly PastCompaction[];
  readonly reported?: Reported;
  /** Requests of this branch, and what they say of the estimate. */
  readonly requests: number;
  readonly calibration?: Calibration;
  /** The first of them; `faultCount` counts all. */
  readonly faults: readonly Fault[];
  readonly faultCount: number;
  readonly unknown: Readonly<Record<string, number>>;
};

/** Looks through one branch of a session. */
export function inspectSession(session: Session, branch: Branch | undefined = session.branches[0]): Inspection {
  const placed = placedOf(session, branch === undefined ? {} : { branch });
  const natives = placed.map(({ native }) => native);
  const messages = decodeAll(natives, session.format);
  const weights = messages.map(weigh);
  const path = entriesOf(session, branch?.leaf ?? -1);
  const compactions = lossesOf(session, path, placed);
  const { source, id, title, cwd, models, faults, faultCount, unknown } = session;
  return {
    source,
    ...defined({ id, title, cwd, reported: reportedOf(session) }),
    ...timesOf(session, path),
    models: models.filter((name) => !name.startsWith('<')),
    branch: branch?.name ?? 'main',
    messages: messages.length,
    ...turnsOf(session, path),
    ...countsOf(session, messages, weights),
    tools: toolsOf(weights),
    timeline: timelineOf(
      weights,
      compactions.map(({ at }) => at),
    ),
    biggest: biggestOf(messages, weights),
    duplicates: duplicatesOf(messages),
    branches: branchesOf(session),
    compactions,
    ...requestsOn(session, path, { placed, weights }),
    faults,
    faultCount,
    unknown,
  };
}

function timesOf(session: Session, path: readonly number[]): Pick<Inspection, 'startedAt' | 'endedAt'> {
  const times = path.flatMap((index) => session.entries[index]?.time ?? []);
  return defined({ startedAt: session.startedAt, endedAt: times.at(-1) });
}

type Counts = Pick<Inspection, 'answers' | 'calls' | 'failedResults' | 'tokens'>;

function countsOf({ format, system, tools }: Session, messages: readonly Message[], weights: Weights): Counts {
  const fixed = weigh({
    role: 'system',
    parts: formats[format].decodeFixed(defined({ system, tools })),
    native: undefined,
  });
  const all = weights.flat();
  const shares = sharesOf([...fixed, ...all]);
  const failed = messages.flatMap(({ parts }) => parts.filter(hasFailed));
  return {
    answers: messages.filter(({ role }, at) => role === 'assistant' && messages[at - 1]?.role !== 'assistant').length,
    calls: all.filter(({ share }) => share === 'calls').length,
    failedResults: failed.length,
    tokens: { total: totalOf(shares), fixed: totalOf(sharesOf(fixed)), shares },
  };
}

// Formats without a mark for errors tell them in front of the output, as a line or as a field of JSON.
const FAILED = /^(?:Exit code: [1-9]|\w+ verification failed\b|\{"output":[\s\S]*"exit_code":[1-9]\d*)/;

function hasFailed(part: Part): boolean {
  return part.kind === 'tool-result' && (part.isError || FAILED.test(part.text));
}

type Sized = { readonly placed: readonly Placed[]; readonly weights: Weights };

/** Requests of a branch. Prompts behind a compaction hold something else than the messages, and tell nothing of them. */
function requestsOn(
  { requests, totals, compactions }: Session,
  path: readonly number[],
  { placed, weights }: Sized,
): Pick<Inspection, 'requests' | 'calibration'> {
  const on = new Set(path);
  const own = requests.filter(({ entry }) => on.has(entry));
  const end = compactions.reduce(
    (first, { behind }) => (on.has(behind) ? Math.min(first, behind) : first),
    Number.POSITIVE_INFINITY,
  );
  let estimated = 0;
  let next = 0;
  const points = own.flatMap(({ entry, usage }) => {
    if (entry > end) return [];
    for (; (placed[next]?.entry ?? entry) < entry; next += 1) {
      estimated += (weights[next] ?? []).reduce((sum, { tokens }) => sum + tokens, 0);
    }
    return [{ estimated, reported: usage.prompt }];
  });
  const summed = totals.reduce((sum, { requests: count = 0 }) => sum + count, 0);
  return { requests: own.length || summed, ...defined({ calibration: calibrate(points) }) };
}
