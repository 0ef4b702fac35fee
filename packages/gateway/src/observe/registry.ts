type Labels = Readonly<Record<string, string>>;
type Series = Map<string, { readonly labels: Labels; value: number }>;

// A label's value comes from a closed set or the configuration. Should one not, memory must not grow with it.
const MOST_SERIES = 2000;

/** Figures that only grow, or that are told on the spot. */
type Counter = { readonly add: (labels: Labels, amount?: number) => void };

/** How often which size was seen. */
type Histogram = { readonly observe: (labels: Labels, value: number) => void };

/** Figures in the text format of Prometheus. */
export type Registry = {
  readonly counter: (name: string, help: string) => Counter;
  readonly gauge: (name: string, help: string, read: () => number) => void;
  readonly histogram: (name: string, help: string, bounds: readonly number[]) => Histogram;
  readonly text: () => string;
};

/** An empty registry. */
export function createRegistry(): Registry {
  const writers: (() => readonly string[])[] = [];
  return {
    counter: (name, help) => {
      const series: Series = new Map();
      writers.push(() => [
        ...head(name, help, 'counter'),
        ...[...series.values()].map(({ labels, value }) => line(name, labels, value)),
      ]);
      return { add: (labels, amount = 1) => grow(series, labels, amount) };
    },
    gauge: (name, help, read) => {
      writers.push(() => [...head(name, help, 'gauge'), line(name, {}, read())]);
    },
    histogram: (name, help, bounds) => histogram({ name, help, bounds }, writers),
    text: () => `${writers.flatMap((write) => write()).join('\n')}\n`,
  };
}

function grow(series: Series, labels: Labels, amount: number): void {
  if (!Number.isFinite(amount) || amount < 0) return;
  const key = JSON.stringify(labels);
  const known = series.get(key);
  if (known) known.value += amount;
  else if (series.size < MOST_SERIES) series.set(key, { labels, value: amount });
}

type Shape = { readonly name: string; readonly help: string; readonly bounds: readonly number[] };

type Sizes = { readonly labels: Labels; readonly buckets: number[]; sum: number };

function histogram({ name, help, bounds }: Shape, writers: (() => readonly string[])[]): Histogram {
  const series = new Map<string, Sizes>();
  const ends = [...bounds, Number.POSITIVE_INFINITY];
  writers.push(() => [
    ...head(name, help, 'histogram'),
    ...[...series.values()].flatMap((own) => linesOf(name, ends, own)),
  ]);
  return {
    observe: (labels, value) => {
      const key = JSON.stringify(labels);
      const own = series.get(key) ?? { labels, buckets: ends.map(() => 0), sum: 0 };
      if (!series.has(key) && series.size >= MOST_SERIES) return;
      series.set(key, own);
      const at = ends.findIndex((end) => value <= end);
      own.buckets[at] = (own.buckets[at] ?? 0) + 1;
      own.sum += value;
    },
  };
}

function linesOf(name: string, ends: readonly number[], { labels, buckets, sum }: Sizes): readonly string[] {
  let count = 0;
  const lines = ends.map((end, at) => {
    count += buckets[at] ?? 0;
    return line(`${name}_bucket`, { ...labels, le: end === Number.POSITIVE_INFINITY ? '+Inf' : String(end) }, count);
  });
  return [...lines, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}

function head(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}

function line(name: string, labels: Labels, value: number): string {
  const inner = Object.entries(labels).map(([key, text]) => `${key}="${escaped(text)}"`);
  return `${name}${inner.length === 0 ? '' : `{${inner.join(',')}}`} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
