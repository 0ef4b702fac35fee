import fc from 'fast-check';
import { expect } from 'vitest';
import {
  compact,
  createCompactor,
  type FormatName,
  type LogRecord,
  type Outcome,
  type Ports,
} from '../../src/index.ts';
import { type Behaviour, renderScript } from '../../src/testing/index.ts';
import { holdLaws } from '../support/harness.ts';
import { inputOf, portsOf } from '../support/run.ts';
import { type SessionCase, sessionArbitrary } from '../support/session.ts';

type Turn = { readonly single: Outcome; readonly session: Outcome; readonly decided: string };

holdLaws({ name: 'compactor', given: steadySessions, run: runBoth, runs: 60 }, [
  {
    name: 'a session gives what single calls with its log give',
    check: (turns: readonly Turn[]) => {
      for (const { single, session } of turns) {
        expect(session).toMatchObject({ status: single.status, reason: single.reason, tokens: single.tokens });
        expect(session.messages).toEqual(single.messages);
      }
    },
  },
  {
    name: 'a session decides message by message what it would decide at once',
    check: (turns) => {
      // A call that compacts several runs decides once for each of them.
      for (const { single, decided } of turns) {
        if (single.records.length < 2) expect(decided).toBe(single.decision.reason);
      }
    },
  },
]);

// One answer for all calls: a session counts its calls on, single calls begin anew.
function steadySessions(format: FormatName): fc.Arbitrary<SessionCase> {
  const behaviours = fc.constantFrom<readonly Behaviour[]>(['snapshot'], ['rejects'], ['refusal'], ['closes-tags'], []);
  return sessionArbitrary(format, { behaviours });
}

async function runBoth(given: SessionCase): Promise<readonly Turn[]> {
  const rendered = renderScript(given.script, given.format);
  const {
    cause = 'automatic',
    goal = '',
    focus = '',
    messages: _,
    ...constants
  } = inputOf(unprepared(given), rendered);
  const session = createCompactor(constants, portsAt(given, 0));
  const records: LogRecord[] = [];
  const turns: Turn[] = [];
  for (const stop of given.stops) {
    const messages = rendered.messages.slice(0, stop);
    const decided = session.decide(messages, cause).reason;
    const input = { ...constants, messages, cause, goal, focus, records: [...records] };
    const single = await compact(input, portsAt(given, records.length));
    records.push(...single.records);
    turns.push({ single, decided, session: await session.beforeModel(messages, { cause, goal, focus }) });
  }
  return turns;
}

// A single call prepares nothing in the background.
function unprepared(given: SessionCase): SessionCase {
  return given.preset === 'epitome' ? { ...given, options: { ...given.options, prepareShare: 'off' } } : given;
}

// A clock that stands still, so that both sides see the same seconds.
function portsAt(given: SessionCase, step: number): Ports {
  return { ...portsOf(given, step).ports, now: () => 1_700_000_000_000 };
}
