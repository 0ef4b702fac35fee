// How much of what a session will need again survives compaction. `npm run bench:retention [-- --summarizer <model>]`.
import { writeFileSync } from 'node:fs';
import { digest } from '../../packages/core/src/digest/index.ts';
import { extractFacts } from '../../packages/core/src/facts/index.ts';
import { baselines } from './baselines.mjs';
import { cutAt, loadCorpus, partAt, quarter } from './corpus.mjs';
import { needed } from './metric.mjs';
import { peers } from './peers.mjs';
import { askQuestions } from './questions.mjs';
import { drawPlot, writeReport } from './report.mjs';
import { commonKnowledge, groupBy, interval, invented, means, score } from './score.mjs';
import { inContextBy, READINGS } from './sensitivity.mjs';
import { measureSpeed } from './speed.mjs';
import { commonIn, neededBy, scoreBy } from './strict.mjs';
import { modelSummarizer, Unanswered } from './summarizer.mjs';

const BUDGETS = [2000, 8000];
const CUTS = [0.5, 0.75];
const corpus = loadCorpus(new URL('../../../shared/data/', import.meta.url));
if (corpus === undefined) {
  console.log(
    'bench:retention: skipped, ../shared/data is not there (recorded agent sessions; see docs/retention.md).',
  );
  process.exit(0);
}

const ours = ({ headMessages }, tokens) => digest(headMessages, { maxTokens: tokens, count: quarter }).text;
const at = process.argv.indexOf('--summarizer');
const methods = { epitome: ours, ...baselines, ...peers };
const model = process.argv[at + 1];
if (at > 0 && (model === undefined || model.startsWith('-'))) {
  console.error('bench:retention: --summarizer wants the name of a model, such as --summarizer gpt-5-mini.');
  process.exit(2);
}
if (at > 0) methods[model] = modelSummarizer(model);

const { isCommon, isWidespread } = commonKnowledge(corpus);
const sessions = corpus.filter(({ source }) => source !== 'locomo');
const cases = await measureCases().catch((error) => {
  if (!(error instanceof Unanswered)) throw error;
  console.error(error.message);
  process.exit(3);
});
const result = {
  tables: BUDGETS.map((tokens) => ({ tokens, rows: rowsOf(cases.filter((item) => item.tokens === tokens)) })),
  sensitivity: measureSensitivity(),
  own: againstOwnSummaries(),
  questions: measureQuestions(),
  invented: measureInvented(),
  rounds: measureRounds(),
  speed: measureSpeed(
    corpus.flatMap(({ messages }) => messages),
    extractFacts,
  ),
  second: measureSecond(),
};
const report = writeReport(result);
console.log(report);
writeFileSync(new URL('../../docs/retention.md', import.meta.url), report);
writeFileSync(new URL('../../docs/retention.svg', import.meta.url), drawPlot(result.tables));

async function measureCases() {
  const all = [];
  for (const conversation of sessions) {
    for (const share of CUTS) {
      const parts = cutAt(conversation, share);
      const need = needed(parts, isCommon);
      for (const tokens of BUDGETS) {
        // A head that fits is not compacted.
        if (need.length === 0 || quarter(parts.head.join('\n')) <= tokens) continue;
        for (const [method, keep] of Object.entries(methods)) {
          const kept = await keep(parts, tokens);
          const { id, source, half } = conversation;
          all.push({ method, tokens, share, id, source, half, items: score(parts, kept, need) });
        }
      }
    }
  }
  return all;
}

function rowsOf(list) {
  return groupBy(list, ({ method }) => method).map((own) => ({
    method: own[0].method,
    ...means(own),
    interval: interval(own),
    halves: groupBy(own, ({ half }) => half).map((part) => ({ half: part[0].half, ...means(part) })),
    sources: groupBy(own, ({ source }) => source).map((part) => ({ source: part[0].source, ...means(part) })),
    kinds: groupBy(
      own.flatMap(({ items }) => items),
      ({ kind }) => kind,
    ).map((items) => ({ kind: items[0].kind, ...means([{ items }]) })),
  }));
}

/** The headline by a second implementation of the measure, with both halves of the sessions. */
function measureSecond() {
  const known = commonIn(corpus);
  return BUDGETS.map((tokens) => {
    const all = sessions.flatMap((conversation) =>
      CUTS.flatMap((share) => {
        const parts = cutAt(conversation, share);
        const need = neededBy(parts, known);
        if (need.length === 0 || quarter(parts.head.join('\n')) <= tokens) return [];
        return ['epitome', 'prompts-and-answers-first', 'head+tail'].map((method) => ({
          method,
          half: conversation.half,
          items: scoreBy(parts.head, methods[method](parts, tokens), need),
        }));
      }),
    );
    const rows = groupBy(all, ({ method }) => method).map((own) => ({
      method: own[0].method,
      ...means(own),
      halves: ['design', 'held out'].map((half) => means(own.filter((item) => item.half === half))),
    }));
    return { tokens, rows };
  });
}

/** The headline under other readings of the measure, for ours and for the strongest simple method. */
function measureSensitivity() {
  const readings = [
    ...Object.entries(READINGS).map(([name, near]) => ({ name, near, known: isCommon })),
    {
      name: 'names of tools and arguments count as needed',
      near: READINGS['as in the tables above'],
      known: isWidespread,
    },
  ];
  return readings.map(({ name, near, known }) => ({
    name,
    cells: BUDGETS.flatMap((tokens) => readBoth(tokens, near, known)),
  }));
}

function readBoth(tokens, near, known) {
  const lists = { epitome: [], 'prompts-and-answers-first': [] };
  for (const conversation of sessions) {
    for (const share of CUTS) {
      const parts = cutAt(conversation, share);
      const head = parts.head.join('\n');
      const need = needed(parts, known);
      if (need.length === 0 || quarter(head) <= tokens) continue;
      for (const [method, list] of Object.entries(lists)) {
        list.push({ items: inContextBy(near, { head, kept: methods[method](parts, tokens), need }) });
      }
    }
  }
  return Object.values(lists).map(means);
}

/** (b) At each compaction an agent made with its own model: its summary against ours at exactly its size. */
function againstOwnSummaries() {
  return sessions.flatMap((conversation) =>
    (conversation.meta.compactions ?? []).map(({ message_index: index }) => {
      const before = partAt(conversation, index, 0);
      const summary = conversation.texts[index];
      const parts = { ...before, tail: [], future: partAt(conversation, index + 1, 0).future };
      const need = needed(parts, isCommon);
      const tokens = quarter(summary);
      return {
        id: conversation.id,
        tokens,
        needed: need.length,
        own: { items: score(parts, summary, need) },
        ours: { items: score(parts, ours(parts, tokens), need) },
      };
    }),
  );
}

/** (c) Answers and evidence of the question sets, at 4,400 tokens. */
function measureQuestions() {
  const chats = corpus.filter(({ source }) => source === 'locomo');
  return ['epitome', 'keep-last', 'first-200', 'prompts-and-answers-first'].map((method) => {
    const asked = chats.flatMap((chat) => {
      const parts = { head: chat.texts, headMessages: chat.messages };
      return askQuestions(chat, methods[method](parts, 4400));
    });
    const percent = (field) => (100 * asked.filter((item) => item[field]).length) / asked.length;
    return { method, asked: asked.length, answered: percent('answered'), evidence: percent('evidence') };
  });
}

/** (d) Identifiers of our digests that their source does not hold. */
function measureInvented() {
  const found = [];
  let digests = 0;
  for (const conversation of corpus) {
    for (const tokens of [300, ...BUDGETS]) {
      const parts = cutAt(conversation, 0.75);
      const frame = 'state_snapshot overall_goal key_knowledge file_system_state recent_actions current_plan';
      digests += 1;
      for (const key of invented(ours(parts, tokens), `${parts.head.join('\n')} ${frame}`))
        found.push(`${conversation.id}: ${key}`);
    }
  }
  return { digests, found };
}

/** (e) The head in one round, and in four rounds that each see only the digest so far and the next quarter. */
function measureRounds() {
  return BUDGETS.map((tokens) => {
    const once = [];
    const rounds = [];
    const again = [];
    for (const conversation of sessions) {
      for (const share of CUTS) {
        const parts = cutAt(conversation, share);
        const need = needed(parts, isCommon);
        if (need.length === 0 || quarter(parts.head.join('\n')) <= tokens) continue;
        const { id } = conversation;
        const single = ours(parts, tokens);
        once.push({ id, items: score(parts, single, need) });
        rounds.push({ id, items: score(parts, inRounds(parts.headMessages, tokens), need) });
        again.push({ id, items: score(parts, recompacted(single, parts.headMessages.length, tokens), need) });
      }
    }
    return { tokens, once: means(once), rounds: means(rounds), again: means(again) };
  });
}

function inRounds(messages, tokens) {
  let state = { text: '' };
  for (let round = 0; round < 4; round += 1) {
    const first = Math.floor((messages.length * round) / 4);
    const part = messages.slice(first, Math.floor((messages.length * (round + 1)) / 4));
    const carried = state.ledger === undefined ? {} : { ledger: state.ledger };
    state = digest(part, { maxTokens: tokens, count: quarter, prior: state.text, first, ...carried });
  }
  return state.text;
}

/** Three more compactions with nothing but the text so far: no ledger, no new messages. */
function recompacted(text, first, tokens) {
  let prior = text;
  for (let round = 0; round < 3; round += 1)
    prior = digest([], { maxTokens: tokens, count: quarter, prior, first }).text;
  return prior;
}
