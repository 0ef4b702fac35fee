import { digest } from '../digest/digest.ts';
import { keysOf } from '../facts/diff.ts';
import { extractFacts } from '../facts/extract.ts';
import { EMPTY_LEDGER, mergeFacts } from '../facts/ledger.ts';
import { renderFacts } from '../facts/render.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Message } from '../model/message.ts';
import { checkClaims } from './claims.ts';
import { languageOf } from './language.ts';

/** What a summary stands for: messages with their place in the conversation, and the summary before them. */
export type KeptSource = {
  readonly head: readonly { readonly message: Message; readonly index: number }[];
  readonly prior: string;
  /** Facts of what `prior` stands for, where they are known. */
  readonly ledger?: Ledger;
};

/** A text that may be handed over, with the ledger it rests on and what was noticed. */
export type Kept = { readonly text: string; readonly ledger: Ledger; readonly findings: readonly Finding[] };

/** A model's summary with its claims checked and the facts it left out behind it, within a token budget. */
export function keepFacts(
  summary: string,
  source: KeptSource,
  { factTokens, count }: { readonly factTokens: number; readonly count: Counter },
): Kept {
  const ledger = ledgerOf(source);
  const sources = [source.prior, ...source.head.flatMap(({ message }) => textsOf(message))];
  const known = new Set(Object.keys(ledger.entries));
  const priorKeys = keysOf(source.prior);
  const holds = (key: string, value: string): boolean =>
    known.has(key) || priorKeys.has(key) || sources.some((text) => text.includes(value));
  const { text, findings } = checkClaims(summary, { holds, prompts: promptsOf(source) });
  const present = keysOf(text);
  const missing = Object.fromEntries(Object.entries(ledger.entries).filter(([key]) => !present.has(key)));
  const { text: facts } = renderFacts({ ...ledger, entries: missing }, { maxTokens: factTokens, count });
  return { text: facts === '' ? text : `${text}\n\n${facts}`, ledger, findings };
}

/** A summary without a model. */
export function keepDigest(
  source: KeptSource,
  { maxTokens, count }: { readonly maxTokens: number; readonly count: Counter },
): Kept {
  const { text, ledger } = digest(
    source.head.map(({ message }) => message),
    {
      maxTokens,
      count,
      prior: source.prior,
      first: source.head[0]?.index ?? 0,
      ...(source.ledger === undefined ? {} : { ledger: source.ledger }),
    },
  );
  return { text, ledger, findings: [] };
}

/** The language the summary should be in and is not. */
export function wrongLanguage(summary: string, source: KeptSource): string | undefined {
  const wanted = languageOf(promptsOf(source).join('\n'));
  const found = languageOf(summary);
  return wanted === undefined || found === undefined || wanted === found ? undefined : wanted;
}

function ledgerOf({ head, prior, ledger }: KeptSource): Ledger {
  const first = head[0]?.index ?? 0;
  const before: Message = { role: 'assistant', parts: [{ kind: 'text', text: prior }], native: undefined };
  const earlier = ledger ?? mergeFacts(EMPTY_LEDGER, prior === '' ? [] : extractFacts(before, first - 1));
  return mergeFacts(
    earlier,
    head.flatMap(({ message, index }) => extractFacts(message, index)),
  );
}

function promptsOf({ head }: KeptSource): readonly string[] {
  return head.filter(({ message }) => message.role === 'user').flatMap(({ message }) => textsOf(message));
}

function textsOf({ parts }: Message): readonly string[] {
  return parts.flatMap((part) => {
    if (part.kind === 'tool-call') return [part.name, part.input];
    return part.kind === 'text' || part.kind === 'tool-result' ? [part.text] : [];
  });
}
