// One full compaction of 10,000 messages with a model that answers at once: Epitome and its peers.
import { goal, inChild, ms, offersOf, runAsScript, SUBJECTS, table } from './harness.mjs';

const COUNT = 10_000;

async function report() {
  const measured = Object.keys(SUBJECTS)
    .flatMap((subject) => offersOf(subject, 'full'))
    .map((offer) => ({ ...offer, ...(offer.error ? {} : inChild({ kind: 'full', count: COUNT, ...offer })) }));
  const own = measured.filter(({ subject, error }) => subject === 'epitome' && !error);
  const peers = measured.filter(({ subject, compacts, error }) => subject !== 'epitome' && compacts && !error);
  const slowest = own.reduce((most, row) => (row.best.cpu > most.best.cpu ? row : most));
  const rows = measured.map((row) => rowOf(row, slowest));
  const header = ['', 'CPU ms', 'median', 'wall ms', 'times the slowest Epitome', 'cold CPU ms', 'package'];
  const text = [
    table(header, rows),
    `One compaction of ${COUNT.toLocaleString('en')} messages (about 4 MB), the least disturbed of several runs on fresh objects in a warm process of its own; cold: the first run of that process. A session, ours or a peer's, has seen all but the newest message and has their ids; what starts from messages also takes them in. A peer that is measured from both is compared like with like. Preset \`epitome\` takes exact facts of every message as well, which no peer does. Rows marked * do not compact (no size is measured, nothing is summarized), or cannot be measured.`,
  ].join('\n\n');
  return { title: 'One full compaction', text, goals: peers.flatMap((peer) => goalsOf(peer, own)) };
}

function rowOf({ title, version = '', compacts = true, error, best, median, cold }, slowest) {
  if (error !== undefined) return [`${title} *`, error, '', '', '', '', version];
  const ratio = best.cpu / slowest.best.cpu;
  return [
    `${title}${compacts ? '' : ' *'}`,
    ms(best.cpu),
    ms(median.cpu),
    ms(best.wall),
    `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(2)}×`,
    ms(cold.cpu),
    version,
  ];
}

/** The published designs do what the peers do; our own preset, which also takes facts, has goals of its own. */
function goalsOf(peer, own) {
  const alike = own.filter(({ start }) => peer.start === undefined || start === peer.start);
  const withFacts = ({ name }) => name.endsWith('-epitome');
  return [
    goalOf(peer, { what: 'the published designs', rows: alike.filter((row) => !withFacts(row)) }),
    goalOf(peer, { what: 'preset epitome', rows: alike.filter(withFacts) }),
  ];
}

function goalOf(peer, { what, rows }) {
  const faster = rows.filter(({ best }) => best.cpu < peer.best.cpu);
  const slowest = Math.max(...rows.map(({ best }) => best.cpu));
  const found = `${faster.length} of ${rows.length} rows are; the slowest takes ${ms(slowest)} ms`;
  return goal(`${what} faster than ${peer.title} (${ms(peer.best.cpu)} ms)`, found, faster.length === rows.length);
}

export { report };

await runAsScript(import.meta.url, report);
