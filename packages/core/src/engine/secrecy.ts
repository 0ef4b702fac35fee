import type { Entry, Ledger, PackedLedger } from '../model/facts.ts';
import type { Evidence, Finding } from '../model/finding.ts';
import type { Message, Part } from '../model/message.ts';
import { redactSecrets } from '../secrets/redact.ts';
import type { Redaction, Redactor } from '../secrets/redaction.ts';
import { safely } from '../secrets/safely.ts';
import { isSuspect } from '../secrets/topics.ts';
import type { SizedMessage } from '../summarize/summarize.ts';

/** Takes secrets out of whatever a model reads or writes and a record keeps, and tells how many there were. */
export type Secrecy = {
  readonly clear: (text: string) => string | Promise<string>;
  /** As `clear`, without waiting; there is none where a redactor was handed in. */
  readonly clearNow: ((text: string) => string) | undefined;
  /** Whether a text has to be cleared. */
  readonly isSuspect: (text: string) => boolean;
  readonly findings: () => readonly Finding[];
};

/** The rules a policy and its world ask for: the built-in ones, a redactor that was handed in, or none. */
export function secrecyOf(redacts: boolean, redactor: Redactor | undefined): Secrecy {
  if (!redacts) {
    const asIs = (text: string): string => text;
    return { clear: asIs, clearNow: asIs, isSuspect: () => false, findings: () => [] };
  }
  const counts = new Map<string, number>();
  const failures = new Set<string>();
  const noted = ({ text, found }: Redaction): string => {
    for (const { kind, count } of found) counts.set(kind, (counts.get(kind) ?? 0) + count);
    return text;
  };
  const findings = (): readonly Finding[] => [...countFindings(counts), ...failureFindings(failures)];
  const clearNow = (text: string): string => noted(redactSecrets(text));
  if (redactor === undefined || redactor === redactSecrets) return { clear: clearNow, clearNow, isSuspect, findings };
  const redact = safely(redactor);
  const clear = async (text: string): Promise<string> => {
    // A redactor that is late once would be waited for at every text.
    if (failures.has('timed-out')) return clearNow(text);
    const redaction = await redact(text);
    if (redaction.failed !== undefined) failures.add(redaction.failed);
    return noted(redaction);
  };
  return { clear, clearNow: undefined, isSuspect: () => true, findings };
}

function countFindings(counts: ReadonlyMap<string, number>): readonly Finding[] {
  if (counts.size === 0) return [];
  return [{ code: 'secrets-redacted', detail: [...counts].map(([kind, count]) => `${count} ${kind}`).join(', ') }];
}

function failureFindings(failures: ReadonlySet<string>): readonly Finding[] {
  if (failures.size === 0) return [];
  return [{ code: 'redactor-failed', detail: `it ${[...failures].join(', ')}; the built-in rules served` }];
}

/** Clears these texts ahead, for who cannot wait; any other comes back as it is. */
export async function clearedAhead(
  texts: readonly string[],
  { clear, clearNow }: Secrecy,
): Promise<(text: string) => string> {
  if (clearNow !== undefined) return clearNow;
  const known = new Map<string, string>();
  for (const text of texts) known.set(text, await clear(text));
  return (text) => known.get(text) ?? text;
}

/** Messages without secrets; an untouched one is the very object that came in. */
export async function clearMessages(
  messages: readonly SizedMessage[],
  { clear, isSuspect }: Secrecy,
): Promise<readonly SizedMessage[]> {
  const cleared: SizedMessage[] = [];
  for (const sized of messages) {
    const { message } = sized;
    const changed = message.parts.some((part) => isSuspect(textOf(part) ?? ''))
      ? await clearMessage(message, clear)
      : message;
    cleared.push(changed === message ? sized : resized(sized, changed));
  }
  return cleared;
}

async function clearMessage(message: Message, clear: Secrecy['clear']): Promise<Message> {
  const parts: Part[] = [];
  for (const part of message.parts) {
    const text = textOf(part);
    const cleared = text === undefined ? text : await clear(text);
    parts.push(cleared === text || cleared === undefined ? part : withText(part, cleared));
  }
  return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts };
}

function textOf(part: Part): string | undefined {
  if (part.kind === 'tool-call') return part.input;
  return 'text' in part ? part.text : undefined;
}

function withText(part: Part, text: string): Part {
  if (part.kind === 'tool-call') return { ...part, input: text };
  return 'text' in part ? { ...part, text } : part;
}

// A placeholder may be longer than what it stands for, and a brief must fit all the same.
function resized(sized: SizedMessage, message: Message): SizedMessage {
  const growth = lengthOf(message) / Math.max(lengthOf(sized.message), 1);
  return { ...sized, message, tokens: Math.ceil(sized.tokens * Math.max(growth, 1)) };
}

function lengthOf({ parts }: Message): number {
  return parts.reduce((sum, part) => sum + (textOf(part)?.length ?? 0), 0);
}

/** The ledger of a record without the entries whose values are secrets, and without secrets around the others. */
export async function clearLedger(facts: PackedLedger | Ledger, { clear }: Secrecy): Promise<Ledger> {
  const { unpackLedger } = await import('../facts/unpack.ts');
  const ledger = unpackLedger(facts);
  const entries: [string, Entry][] = [];
  for (const [key, entry] of Object.entries(ledger.entries)) {
    if ((await clear(entry.value)) !== entry.value) continue;
    entries.push([key, { ...entry, context: await clear(entry.context) }]);
  }
  return { ...ledger, entries: Object.fromEntries(entries) };
}

/** Findings without secrets: an error may quote the key it was refused with. */
export async function clearFindings(findings: readonly Finding[], { clear }: Secrecy): Promise<readonly Finding[]> {
  const cleared: Finding[] = [];
  for (const finding of findings) {
    const { evidence } = finding;
    const detail = await clear(finding.detail);
    cleared.push({
      ...finding,
      detail,
      ...(evidence === undefined ? {} : { evidence: await clearEvidence(evidence, clear) }),
    });
  }
  return cleared;
}

async function clearEvidence(evidence: Evidence, clear: Secrecy['clear']): Promise<Evidence> {
  const { line, value } = evidence;
  return {
    ...evidence,
    ...(line === undefined ? {} : { line: await clear(line) }),
    ...(value === undefined ? {} : { value: await clear(value) }),
  };
}
