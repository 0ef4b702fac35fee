import { compact, createCompactor, PRESET_NAMES, presets } from '../../packages/core/dist/index.js';
import { SUMMARY } from '../session.mjs';

// A window so large that no decision comes out as "compact": every subject measures, none compacts.
const HUGE = 1_000_000_000;
const summarizer = async () => ({ text: SUMMARY });

const decider = (copies) => ({
  open: (chat, preset = 'snapshot') => {
    const compactor = createCompactor({ format: 'openai-chat', policy: presets[preset]({ window: HUGE }) });
    return { messages: chat, decide: (list) => compactor.decide(copies ? [...list] : list).compact };
  },
});

/** Epitome as its users call it: decide on one growing list, or on a fresh copy each time. */
export const decide = {
  epitome: { title: 'Epitome, one growing list', ...decider(false) },
  'epitome-copy': { title: 'Epitome, a fresh copy of the list each time', ...decider(true) },
};

const oneShot = (preset) => ({
  title: `Epitome compact(), ${preset}`,
  start: 'messages',
  prepare: (chat) => () => compact(inputFor(preset, { messages: chat, cause: 'manual' }), { summarizer }),
  check: (outcome) => outcome.status === 'compressed',
});

const session = (preset) => ({
  title: `Epitome session, ${preset}`,
  start: 'session',
  prepare: (chat) => {
    const compactor = createCompactor(inputFor(preset, {}), { summarizer });
    // The state a session is in when a compaction falls due: all but the newest message were seen before.
    for (let count = 1; count < chat.length; count += 1000) compactor.decide(chat.slice(0, count));
    compactor.decide(chat.slice(0, -1));
    return () => compactor.beforeModel(chat, { cause: 'manual' });
  },
  check: (outcome) => outcome.status === 'compressed',
});

function inputFor(preset, rest) {
  return { format: 'openai-chat', policy: presets[preset]({ window: 1_000_000 }), ...rest };
}

/** One whole compaction: from cold objects, and inside a session that has seen them. */
export const full = Object.fromEntries(
  PRESET_NAMES.flatMap((name) => [
    [`epitome-${name}`, oneShot(name)],
    [`epitome-session-${name}`, session(name)],
  ]),
);
