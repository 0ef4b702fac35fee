import { digest } from '../digest/digest.ts';
import { keysOf } from '../facts/diff.ts';
import { withChars } from '../facts/entries.ts';
import { extractFacts } from '../facts/extract.ts';
import type { Extracted } from '../facts/fact.ts';
import { EMPTY_LEDGER, mergeFacts, openLedger } from '../facts/ledger.ts';
import { renderFacts } from '../facts/render.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Message, Part } from '../model/message.ts';
import { checkClaims, dropForeignOrders, isTagged } from './claims.ts';
import { languageOf } from './language.ts';
import { exchangesOf, groundsOf, type KeptSource, type Known } from './source.ts';

/** A text that may be handed over, with the ledger it rests on and what was noticed. */
export type Kept = { readonly text: string; readonly ledger: Ledger; readonly findings: readonly Finding[] };

/** A model's summary with its claims checked and the facts it left out behind it, within a token budget. */
export function keepFacts(
  summary: string,
  source: KeptSource,
  { factTokens, count }: { readonly factTokens: number; readonly count: Counter },
): Kept {
  const known = knownOf(source);
  const { ledger } = known;
  const grounds = groundsOf(source, known, isTagged);
  const { text, findings } = checkClaims(summary, grounds);
  const facts = renderFacts(ledger, { maxTokens: factTokens, count, told: keysOf(text) });
  const block = dropForeignOrders(facts.text, grounds);
  return {
    text: block.text === '' ? text : `${text}\n\n${block.text}`,
    ledger: withChars(ledger, charsOf(source)),
    findings: [...findings, ...block.findings],
  };
}

/** A summary without a model. */
export function keepDigest(
  source: KeptSource,
  { maxTokens, count }: { readonly maxTokens: number; readonly count: Counter },
): Kept {
  const made = digest(
    source.head.map(({ message }) => message),
    {
      maxTokens,
      count,
      prior: source.prior,
      first: source.head[0]?.index ?? 0,
      ids: source.head.map(({ index }) => source.ids?.[index]),
      request: source.livePrompt ?? '',
      ...(source.ledger === undefined ? {} : { ledger: source.ledger }),
    },
  );
  // It quotes: what it quotes from a tool must not read as an order.
  const { text, findings } = dropForeignOrders(
    made.text,
    groundsOf(source, { runs: [], ledger: made.ledger }, isTagged),
  );
  return { text, ledger: withChars(made.ledger, charsOf(source)), findings };
}

/** The language the summary should be in and is not. */
export function wrongLanguage(summary: string, source: KeptSource): string | undefined {
  const wanted = languageOf(promptsOf(source).join('\n'));
  const found = languageOf(summary);
  return wanted === undefined || found === undefined || wanted === found ? undefined : wanted;
}

function knownOf({ head, recent = [], prior, ledger, ids = [] }: KeptSource): Known {
  const first = head[0]?.index ?? 0;
  const before: Message = { role: 'assistant', parts: [{ kind: 'text', text: prior }], native: undefined };
  const earlier = ledger ?? mergeFacts(EMPTY_LEDGER, prior === '' ? [] : extractFacts(before, first - 1));
  const open = openLedger(earlier);
  const runs: Extracted[] = [];
  const noteRuns = (found: readonly Extracted[]): void => {
    for (const each of found) if (isRun(each)) runs.push(each);
  };
  for (const { message, index } of head) {
    const found = extractFacts(message, { index, id: ids[index] });
    open.add(found);
    noteRuns(found);
  }
  for (const { message, index } of recent) noteRuns(extractFacts(message, index));
  return { runs, ledger: open.read() };
}

/** Characters that a ledger stands for, with what the rounds before it stood for. */
function charsOf({ head, prior, ledger }: KeptSource): number {
  let chars = ledger?.chars ?? prior.length;
  for (const { message } of head) for (const part of message.parts) chars += lengthOf(part);
  return chars;
}

function lengthOf(part: Part): number {
  if (part.kind === 'tool-call') return part.input.length;
  return 'text' in part ? part.text.length : 0;
}

const isRun = ({ kind }: Extracted): boolean => kind === 'command' || kind === 'news';

function promptsOf({ head }: KeptSource): readonly string[] {
  return exchangesOf(head).map(({ prompt }) => prompt);
}
