import type { Usage } from '../model/item.ts';
import { defined } from '../model/json.ts';
import type { Session, Total } from '../model/session.ts';
import { addUsage } from '../tree/usage.ts';

/** What the program noted of its requests, over all branches and subagents. */
export type Reported = {
  /** Zero where it kept a sum of tokens alone. */
  readonly requests: number;
  readonly usage: Usage;
  readonly mostPrompt: number;
  readonly byModel: readonly ModelUsage[];
};

/** Requests to one model. */
export type ModelUsage = { readonly model?: string; readonly requests: number; readonly usage: Usage };

/** Sums what was reported; `undefined` where nothing was. */
export function reportedOf({ requests, totals }: Session): Reported | undefined {
  const all: readonly Total[] = totals.length > 0 ? totals : requests.map((request) => ({ ...request, requests: 1 }));
  const models = new Map<string, ModelUsage>();
  for (const { model, usage, requests: count = 0 } of all) {
    const known = models.get(model ?? '');
    models.set(model ?? '', {
      ...defined({ model }),
      requests: (known?.requests ?? 0) + count,
      usage: known === undefined ? usage : addUsage(known.usage, usage),
    });
  }
  const byModel = [...models.values()].sort((one, other) => other.usage.prompt - one.usage.prompt);
  const [first, ...rest] = byModel;
  if (first === undefined) return undefined;
  return {
    requests: byModel.reduce((sum, { requests: count }) => sum + count, 0),
    usage: rest.reduce((sum, { usage }) => addUsage(sum, usage), first.usage),
    mostPrompt: requests.reduce((most, { usage }) => Math.max(most, usage.prompt), 0),
    byModel,
  };
}

/** What reported prompts say of estimates: tokens in front of the messages, and tokens for each estimated one. */
export type Calibration = { readonly fixed: number; readonly ratio: number };

// A line through fewer points, or a steeper one, says more of chance than of the tokenizer.
const LEAST_POINTS = 3;
const RATIOS = { least: 0.5, most: 4 };

/** A line through reported prompts over what was estimated in front of them; `undefined` where they tell too little. */
export function calibrate(
  points: readonly { readonly estimated: number; readonly reported: number }[],
): Calibration | undefined {
  if (points.length < LEAST_POINTS) return undefined;
  const mean = (of: (point: (typeof points)[number]) => number): number =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [x, y] = [mean(({ estimated }) => estimated), mean(({ reported }) => reported)];
  const spread = mean(({ estimated }) => (estimated - x) ** 2);
  const ratio = spread === 0 ? 0 : mean(({ estimated, reported }) => (estimated - x) * (reported - y)) / spread;
  if (ratio < RATIOS.least || ratio > RATIOS.most) return undefined;
  return { fixed: Math.max(0, Math.round(y - ratio * x)), ratio };
}
