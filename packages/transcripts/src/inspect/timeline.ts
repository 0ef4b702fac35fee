import { type Shares, sharesOf, type Weighed } from './shares.ts';

/** A stretch of messages. */
export type Stretch = {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly shares: Shares;
  /** The program compacted behind a message of it. */
  readonly isCompacted: boolean;
};

/** How a tool was used and what it weighs. */
export type ToolUse = {
  readonly name: string;
  readonly calls: number;
  readonly tokens: number;
  /** Its tokens in each stretch of the timeline. */
  readonly overTime: readonly number[];
};

/** The parts of each message, in order. */
export type Weights = readonly (readonly Weighed[])[];

const STRETCHES = 16;

/** At most sixteen stretches of equally many messages. `compacted` holds the last messages in front of compactions. */
export function timelineOf(weights: Weights, compacted: readonly number[]): readonly Stretch[] {
  const size = sizeFor(weights);
  const stretches: Stretch[] = [];
  for (let first = 0; first < weights.length; first += size) {
    const shares = sharesOf(weights.slice(first, first + size).flat());
    const last = Math.min(first + size, weights.length) - 1;
    const isCompacted = compacted.some((index) => index >= first && index <= last);
    stretches.push({ first, last, total: totalOf(shares), shares, isCompacted });
  }
  return stretches;
}

/** Tools, the heaviest first. */
export function toolsOf(weights: Weights): readonly ToolUse[] {
  const size = sizeFor(weights);
  const count = Math.ceil(weights.length / size);
  const tools = new Map<string, { calls: number; tokens: number; overTime: number[] }>();
  weights.forEach((parts, index) => {
    for (const { tool, share, tokens } of parts) {
      if (tool === undefined) continue;
      const use = tools.get(tool) ?? { calls: 0, tokens: 0, overTime: Array.from({ length: count }, () => 0) };
      const stretch = Math.floor(index / size);
      use.calls += share === 'calls' ? 1 : 0;
      use.tokens += tokens;
      use.overTime[stretch] = (use.overTime[stretch] ?? 0) + tokens;
      tools.set(tool, use);
    }
  });
  return [...tools].map(([name, use]) => ({ name, ...use })).sort((one, other) => other.tokens - one.tokens);
}

/** The sum of shares. */
export function totalOf(shares: Shares): number {
  return Object.values(shares).reduce((sum, tokens) => sum + tokens, 0);
}

function sizeFor(weights: Weights): number {
  return Math.max(1, Math.ceil(weights.length / STRETCHES));
}
