import { SHARES, type Share, type Stretch } from '@epitome/transcripts';
import { widest, widthOf } from './text.ts';

// Told apart without colours, so that it can be piped and printed.
const MARKS: Readonly<Record<Share, string>> = {
  system: 's',
  user: '#',
  assistant: '=',
  thinking: '~',
  calls: '+',
  results: ':',
  media: '@',
};

/** A bar a stretch of messages, made up of what its tokens were spent on. */
export function chartLines(timeline: readonly Stretch[], columns: number): readonly string[] {
  const most = timeline.reduce((largest, { total }) => Math.max(largest, total), 1);
  const labels = timeline.map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`));
  const labelWidth = Math.max(widest(labels), 1);
  const room = Math.max(10, Math.min(columns, 120) - labelWidth - 12);
  const bars = timeline.map((stretch, index) => {
    const label = ' '.repeat(labelWidth - widthOf(labels[index] ?? '')) + labels[index];
    return `  ${label}${stretch.isCompacted ? '<' : ' '} ${barOf(stretch, room / most)} ${short(stretch.total)}`;
  });
  const used = SHARES.filter((share) => timeline.some(({ shares }) => shares[share] > 0));
  const legend = [
    // No break between a mark and its name.
    ...used.map((share) => `${MARKS[share]}\u00a0${share}`),
    ...(timeline.some(({ isCompacted }) => isCompacted) ? ['<\u00a0compacted in it'] : []),
  ];
  return [...bars, `  ${legend.join('  ')}`];
}

const LEVELS = '▁▂▃▄▅▆▇█';

/** Amounts as one character each, by their share of the largest there is; a dot where there is nothing. */
export function sparkline(amounts: readonly number[], most: number): string {
  return amounts
    .map((amount) => (amount <= 0 ? '·' : (LEVELS[Math.min(7, Math.floor((amount / most) * 8))] ?? '█')))
    .join('');
}

/** Marks rounded so that their sum is the bar's own length. */
function barOf({ shares }: Stretch, scale: number): string {
  let bar = '';
  let tokens = 0;
  for (const share of SHARES) {
    tokens += shares[share];
    bar += MARKS[share].repeat(Math.max(0, Math.round(tokens * scale) - bar.length));
  }
  return bar;
}

/** A number of tokens in few characters. */
export function short(tokens: number): string {
  if (tokens < 1000) return `${Math.round(tokens)}`;
  return tokens < 1_000_000 ? `${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k` : `${(tokens / 1e6).toFixed(1)}M`;
}
