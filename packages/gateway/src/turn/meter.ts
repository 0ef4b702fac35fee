import {
  type Compactor,
  type CostFigures,
  type CostModel,
  createCompactor,
  type Fixed,
  type FormatName,
  type Policy,
} from 'epitome';

/** A meter with what it was made for. */
export type Metered = {
  readonly compactor: Compactor;
  readonly policy: Policy;
  readonly written: string;
  fixed: string;
  /** What compactions cost as of the last turn. */
  readonly latest: { costs: CostModel | undefined };
  /** Counts turns, so that reported usage is held against the request it is about. */
  turn: number;
};

/** Who keeps meters: a conversation, for all its branches. */
export type MeterKeeper = { meters: Metered[] };

/** What decides how a branch is measured. */
export type Measuring = {
  readonly format: FormatName;
  readonly policy: Policy;
  /** System prompt and tools as the client wrote them, to see whether they changed; read only where they did. */
  readonly fixedText: string;
  readonly readFixed: () => Fixed;
  readonly costs?: CostModel | undefined;
};

const MOST_METERS = 4;

/**
 * The meter of a conversation under a policy: it counts what is new and remembers the rest; a branch costs what it does not
 * share with the one measured before. It is given views as if they were whole histories, which they are for the provider.
 */
export function meterOf(keeper: MeterKeeper, measuring: Measuring): Metered {
  const { policy, fixedText, readFixed, costs } = measuring;
  const known = keeper.meters.find((each) => each.policy === policy) ?? alike(keeper, policy);
  if (known === undefined) {
    const made = newMeter(measuring);
    keeper.meters = [...keeper.meters.slice(1 - MOST_METERS), made];
    return made;
  }
  if (known.fixed !== fixedText) known.compactor.setFixed(readFixed());
  known.fixed = fixedText;
  known.latest.costs = costs;
  return known;
}

function newMeter({ format, policy, fixedText, readFixed, costs }: Measuring): Metered {
  const latest = { costs };
  // The longer a conversation, the more calls are expected to follow: each decision asks anew.
  const ports = costs === undefined ? {} : { costs: (figures: CostFigures) => (latest.costs ?? costs)(figures) };
  const compactor = createCompactor({ format, policy, ...readFixed() }, ports);
  return { compactor, policy, latest, written: writtenPolicy(policy), fixed: fixedText, turn: 0 };
}

function alike({ meters }: MeterKeeper, policy: Policy): Metered | undefined {
  const written = writtenPolicy(policy);
  return meters.find((each) => each.written === written);
}

function writtenPolicy(policy: Policy): string {
  return JSON.stringify(policy, (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
}
