// What it costs to decide after each message of a growing session whether to compact now: Epitome and its peers.
import { exponent, goal, inChild, ms, offersOf, runAsScript, SUBJECTS, table } from './harness.mjs';

const COUNT = 2000;
const SHARE = 30;
const MOST_EXPONENT = 1.1;
const LONG = 100_000;
const MOST_US = 50;

async function report() {
  const subjects = Object.keys(SUBJECTS).flatMap((subject) => offersOf(subject, 'decide'));
  const measured = subjects.map((offer) => ({ ...offer, ...measure(offer) }));
  const own = measured.find(({ name }) => name === 'epitome');
  const fastest = fastestOf(measured);
  const rows = measured.map((row) => rowOf(row, own));
  const steps = inChild({ kind: 'append', subject: 'epitome', name: 'epitome', count: LONG });
  const header = [
    '',
    'CPU ms',
    'median',
    'wall ms',
    'times Epitome',
    'cold CPU ms',
    'times cold',
    'exponent',
    'package',
  ];
  const text = [
    table(header, rows),
    `CPU ms: total of ${COUNT.toLocaleString('en')} decisions, the least disturbed of several runs in a warm process of its own; cold: the first run of that process. Exponent: growth from 500 to 2,000 messages, for Epitome to 8,000. Rows marked * read a figure the provider reported instead of measuring, or cannot be measured; they take no part in the goal.`,
    `One more message and its decision at ${LONG.toLocaleString('en')} messages: median ${us(steps.medianUs)}, 99th percentile ${us(steps.p99Us)}.`,
  ].join('\n\n');
  return { title: 'Deciding after every message', text, goals: goalsOf(own, fastest, steps) };
}

function measure({ subject, name, error }) {
  if (error !== undefined) return {};
  const counts = subject === 'epitome' ? [500, 1000, 2000, 4000, 8000] : [500, 1000, 2000];
  // The growth of what takes a few milliseconds drowns in the noise of a few runs.
  const effort = subject === 'epitome' ? { most: 60, budgetMs: 20_000 } : {};
  const results = counts.map((count) => ({ count, ...inChild({ kind: 'decide', subject, name, count, ...effort }) }));
  const failed = results.find((result) => result.error !== undefined);
  if (failed !== undefined) return { error: failed.error };
  const costs = results.map(({ count, best }) => ({ count, cost: best.cpu }));
  const at = results.find(({ count }) => count === COUNT);
  return { ...at, growth: exponent(costs) };
}

function rowOf({ title, version = '', measures = true, error, best, median, cold, growth }, own) {
  if (error !== undefined) return [`${title} *`, error, '', '', '', '', '', '', version];
  return [
    `${title}${measures ? '' : ' *'}`,
    ms(best.cpu),
    ms(median.cpu),
    ms(best.wall),
    times(best.cpu / own.best.cpu),
    ms(cold.cpu),
    times(cold.cpu / own.cold.cpu),
    growth.toFixed(2),
    version,
  ];
}

function fastestOf(measured) {
  const peers = measured.filter(({ subject, measures, error }) => subject !== 'epitome' && measures && !error);
  return peers.reduce((least, peer) => (peer.best.cpu < least.best.cpu ? peer : least));
}

function goalsOf(own, fastest, { medianUs }) {
  const ratio = fastest.best.cpu / own.best.cpu;
  return [
    goal(
      `less than 1/${SHARE} of the fastest peer`,
      `1/${ratio.toFixed(0)} of ${fastest.title} (${ms(own.best.cpu)} against ${ms(fastest.best.cpu)} ms)`,
      ratio > SHARE,
    ),
    goal(`exponent at most ${MOST_EXPONENT}`, own.growth.toFixed(2), own.growth <= MOST_EXPONENT),
    goal(`a decision at ${LONG.toLocaleString('en')} messages in ${MOST_US} µs`, us(medianUs), medianUs <= MOST_US),
  ];
}

function times(ratio) {
  return ratio >= 10 ? `${ratio.toFixed(0)}×` : `${ratio.toFixed(1)}×`;
}

function us(value) {
  return `${value.toFixed(1)} µs`;
}

export { report };

await runAsScript(import.meta.url, report);
