import { keepDigest, keepFacts, wrongLanguage } from '../keep/keep.ts';
import type { Counter } from '../model/count.ts';
import type { Ledger } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import type { Message, Part } from '../model/message.ts';
import type { KeepRule } from '../model/policy.ts';
import { redactSecrets } from '../secrets/redact.ts';
import type { Redaction, Redactor, SecretCount } from '../secrets/redaction.ts';
import { safely } from '../secrets/safely.ts';
import type { SizedMessage } from '../summarize/summarize.ts';
import type { Scribe } from './scribe.ts';

/** What a scribe that keeps facts works by. */
export type Keeping = KeepRule & {
  readonly prior: string;
  readonly ledger: Ledger | undefined;
  readonly maxTokens: number;
  readonly headTokens: number;
  readonly count: Counter;
  readonly redactor: Redactor | undefined;
};

/** A scribe whose summaries are checked and keep facts, and which needs no model; secrets never reach it. */
export async function keepingScribe(plain: Scribe, keeping: Keeping): Promise<Scribe> {
  const redaction = keeping.redacts ? newRedaction(keeping.redactor) : undefined;
  const head = await redactedAll(plain.head, redaction);
  const recent = await redactedAll(plain.recent, redaction);
  const { prior, ledger, count, maxTokens } = keeping;
  const source = { head, prior, ...(ledger === undefined ? {} : { ledger }) };
  return {
    head,
    recent,
    findings: redaction === undefined ? [] : redactionFindings(redaction.found),
    withoutModel: () => {
      const { text, ledger: facts } = keepDigest(source, { maxTokens, count });
      return { text, facts, method: 'digest' };
    },
    servesAlways: true,
    languageMissed: (text) => wrongLanguage(text, source),
    finish: (text) => {
      // Facts are worth having while they leave the summary smaller than what it stands for, and under its cap.
      const room = Math.min(Math.floor((keeping.headTokens - count(text)) / 2), maxTokens * 2 - Math.ceil(count(text)));
      const factTokens = Math.max(Math.min(keeping.factTokens, room), 0);
      const redacted = redactSecretsIn(text, keeping.redacts);
      const kept = keepFacts(redacted, source, { factTokens, count });
      // Law 34: a text at its cap has no room for tags either; the findings say the same.
      const fits = count(kept.text) <= maxTokens * 2;
      return { text: fits ? kept.text : redacted, facts: kept.ledger, method: 'model', findings: kept.findings };
    },
  };
}

type Redacting = { readonly redact: (text: string) => Promise<Redaction>; readonly found: Map<string, number> };

function newRedaction(redactor: Redactor = redactSecrets): Redacting {
  const found = new Map<string, number>();
  const redact = redactor === redactSecrets ? async (text: string) => redactSecrets(text) : safely(redactor);
  return { redact, found };
}

// A model may put together what it was told in pieces.
function redactSecretsIn(text: string, redacts: boolean): string {
  return redacts ? redactSecrets(text).text : text;
}

async function redactedAll(
  messages: readonly SizedMessage[],
  redaction: Redacting | undefined,
): Promise<readonly SizedMessage[]> {
  if (redaction === undefined) return messages;
  const redacted: SizedMessage[] = [];
  for (const sized of messages) redacted.push({ ...sized, message: await redactedMessage(sized.message, redaction) });
  return redacted;
}

async function redactedMessage(message: Message, redaction: Redacting): Promise<Message> {
  const parts: Part[] = [];
  for (const part of message.parts) {
    if (part.kind === 'tool-call') parts.push({ ...part, input: await cleared(part.input, redaction) });
    else if ('text' in part) parts.push({ ...part, text: await cleared(part.text, redaction) });
    else parts.push(part);
  }
  return { ...message, parts };
}

async function cleared(text: string, { redact, found }: Redacting): Promise<string> {
  const redaction = await redact(text);
  for (const { kind, count } of redaction.found) found.set(kind, (found.get(kind) ?? 0) + count);
  return redaction.text;
}

function redactionFindings(found: ReadonlyMap<SecretCount['kind'], number>): readonly Finding[] {
  if (found.size === 0) return [];
  const detail = [...found].map(([kind, count]) => `${count} ${kind}`).join(', ');
  return [{ code: 'secrets-redacted', detail }];
}
