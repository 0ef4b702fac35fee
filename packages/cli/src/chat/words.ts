import { findingSentence } from '../output/sentences.ts';
import type { Compacted, CompactionEnd } from './compaction-end.ts';
import type { Meter } from './meter.ts';
import type { Fault } from './model/fault.ts';

/** An amount in few characters: `980`, `52.1k`, `1.2M`. */
export function amount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [size, unit] = value < 999_500 ? [1000, 'k'] : [1_000_000, 'M'];
  const shown = value / size;
  return `${shown < 100 ? shown.toFixed(1).replace(/\.0$/, '') : Math.round(shown)}${unit}`;
}

/** A share in whole per cent. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 && share > 0 ? '<1%' : `${rounded}%`;
}

/** Dollars, small ones with more places. */
export function money(dollars: number): string {
  return `$${dollars === 0 || dollars >= 1 ? dollars.toFixed(2) : dollars.toFixed(4)}`;
}

/** The figures of the status line; in few words where there is little room. */
export function meterWords(
  { tokens, basis, window, cost, cachedShare }: Meter,
  length: 'whole' | 'short' = 'whole',
): readonly string[] {
  const unit = length === 'short' ? '' : ' tokens';
  return [
    `${basis === 'estimated' && tokens > 0 ? '~' : ''}${amount(tokens)}${unit}`,
    `${percent(tokens / window)} of ${amount(window)}`,
    ...(cost === undefined ? [] : [money(cost)]),
    ...(cachedShare === undefined ? [] : [`${percent(cachedShare)} cached`]),
  ];
}

/** What went wrong, in one sentence. */
export function faultSentence({ kind, detail, status, retryAfterMs }: Fault): string {
  const said = detail === '' ? '' : `: ${detail}`;
  switch (kind) {
    case 'timeout':
      return `The model did not answer in time${said}`;
    case 'rate-limit':
      return `The provider is limiting the rate${retryAfterMs === undefined ? '' : `, free again in ${Math.ceil(retryAfterMs / 1000)}s`}${said}`;
    case 'server':
      return `The provider failed${status === undefined ? '' : ` (${status})`}${said}`;
    case 'network':
      return `The provider cannot be reached${said}`;
    case 'cut':
      return `The answer broke off and is not kept${said}`;
    case 'empty':
      return 'The model answered nothing';
    case 'refused':
      return `The model declined to answer${said}`;
    case 'too-long':
      return `The request is too long for the model${said}`;
    case 'key':
      return `The provider does not take the key (${status ?? 'no status'})${said}`;
    case 'rejected':
      return `The provider refused the request${status === undefined ? '' : ` (${status})`}${said}`;
    default:
      return kind satisfies never;
  }
}

/** A fault that will be tried again, in one line. */
export function retryLine(fault: Fault, waitMs: number): string {
  if (fault.kind === 'too-long') return 'The request is too long for the model: compacting, then asking again.';
  const when = waitMs < 1500 ? 'asking again' : `asking again in ${Math.ceil(waitMs / 1000)}s`;
  return `${faultSentence(fault)}; ${when}.`;
}

/** A turn that failed, in one line. */
export function failedLine(fault: Fault): string {
  return `${faultSentence(fault).replace(/\.$/, '')}. Your message is kept; /retry asks again.`;
}

/** A compaction that ended, as lines; the first stands for all. */
export function compactionLines(end: CompactionEnd): readonly string[] {
  switch (end.kind) {
    case 'cancelled':
      return [`Compaction cancelled; continuing with full history (${percent(end.utilization)} used).`];
    case 'superseded':
      return ['Somebody else compacted this chat meanwhile; their summary stands.'];
    case 'deferred':
      return [`Compaction deferred (rate limited, retry in ${Math.ceil(end.seconds)}s); continuing with full history.`];
    case 'failed':
      return [`Compaction failed: ${end.detail}; continuing with full history (${percent(end.utilization)} used).`];
    case 'ended':
      return endedLines(end);
    default:
      return end satisfies never;
  }
}

function endedLines(end: Compacted): readonly string[] {
  const { status, tokens, messages, goal, confirmation, suggestion } = end.result;
  const asides = [
    ...(confirmation === undefined ? [] : [confirmation]),
    ...(suggestion === undefined ? [] : [suggestion]),
  ];
  if (status !== 'compressed' && status !== 'truncated') return [UNDONE[status], ...asides];
  const figures = [
    `${messages.compressed} messages summarized, ${messages.preserved} kept`,
    ...(end.facts === undefined || end.facts.total === 0 ? [] : [`${end.facts.kept} of ${end.facts.total} facts kept`]),
    ...(end.cost === undefined ? [] : [money(end.cost)]),
    `${Math.round(end.seconds)}s`,
  ];
  return [
    `✓ Chat history compressed: ${amount(tokens.before)} → ${amount(tokens.after)} tokens`,
    ...(goal === '' ? [] : [`Goal: ${goal}`]),
    figures.join(' · '),
    ...(end.method === 'model' ? [] : [withoutModel(end)]),
    ...asides,
  ];
}

function withoutModel({ findings }: Compacted): string {
  const why = findings.find(({ code }) => code.startsWith('summar'));
  return why === undefined ? 'Written without a model.' : `Written without a model: ${findingSentence(why)}.`;
}

const UNDONE: Readonly<Record<Exclude<Compacted['result']['status'], 'compressed' | 'truncated'>, string>> = {
  noop: 'Nothing to compress: what there is must stay.',
  'failed-inflated': 'The summary was not smaller; continuing with full history.',
  'failed-token-count': 'Tokens could not be counted; continuing with full history.',
  'failed-empty-summary': 'The summary was empty or refused; continuing with full history.',
};

/** What there is to know of a compaction beyond its result. */
export function compactionDetails(end: Compacted | undefined, undone: number): readonly string[] {
  if (end === undefined) return ['Nothing was compacted since this chat was opened.'];
  const { discardedContextSummary } = end.result;
  return [
    ...(end.summary === ''
      ? []
      : [
          undone === 0 ? 'What the model reads in their place:' : 'Taken back. What the model read in their place:',
          ...end.summary.split('\n').map((line) => `  ${line}`),
        ]),
    ...(discardedContextSummary === undefined ? [] : ['Left out:', `  ${discardedContextSummary}`]),
    ...end.findings.map((finding) => `· ${findingSentence(finding)}`),
    undone === 0 ? '/undo takes it back, /restore brings single messages back.' : '/redo does it again.',
  ];
}
