import { packLedger } from '../facts/pack.ts';
import { keepDigest, keepFacts, wrongLanguage } from '../keep/keep.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { KeepRule } from '../model/policy.ts';
import type { Scribe } from './scribe.ts';

/** What a scribe that keeps facts works by. */
export type Keeping = Pick<KeepRule, 'factTokens'> & {
  readonly prior: string;
  readonly ledger: Ledger | undefined;
  readonly goal: string;
  readonly livePrompt?: string;
  readonly ids: readonly string[];
  readonly maxTokens: number;
  readonly headTokens: number;
  readonly count: Counter;
};

/** A scribe whose summaries are checked and keep facts, and which needs no model. */
export function keepingScribe(plain: Scribe, keeping: Keeping): Scribe {
  const { head, recent } = plain;
  const { prior, ledger, goal, livePrompt = '', ids, count, maxTokens } = keeping;
  const source = { head, recent, prior, goal, livePrompt, ids, ...(ledger === undefined ? {} : { ledger }) };
  return {
    head,
    recent,
    withoutModel: () => {
      const { text, ledger: known, findings } = keepDigest(source, { maxTokens, count });
      return { text, facts: packLedger(known, text), method: 'digest', findings };
    },
    servesAlways: true,
    languageMissed: (text) => wrongLanguage(text, source),
    finish: (text) => {
      // Facts are worth having while they leave the summary smaller than what it stands for, and under its cap.
      const room = Math.min(Math.floor((keeping.headTokens - count(text)) / 2), maxTokens * 2 - Math.ceil(count(text)));
      const factTokens = Math.max(Math.min(keeping.factTokens, room), 0);
      const kept = keepFacts(text, source, { factTokens, count });
      // Law 34: a text at its cap has no room for tags either; the findings say the same.
      const told = count(kept.text) <= maxTokens * 2 ? kept.text : text;
      return { text: told, facts: packLedger(kept.ledger, told), method: 'model', findings: kept.findings };
    },
  };
}
