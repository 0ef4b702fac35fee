import { ledgerKey } from '../facts/ledger.ts';
import { scanText } from '../facts/scan.ts';
import { FACT_KINDS, type FactKind } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';

/** What a summary was made from, as far as its claims go. */
export type Grounds = {
  /** Whether an identifier occurs in the source. */
  readonly holds: (key: string, value: string) => boolean;
  /** The user's own words. */
  readonly prompts: readonly string[];
};

/** A summary with its unsupported lines tagged, and a finding for each thing the source does not bear out. */
export type Checked = { readonly text: string; readonly findings: readonly Finding[] };

/** Checks what a summary says against its source, without a model: what never occurred is flagged, its line tagged. */
export function checkClaims(text: string, grounds: Grounds): Checked {
  const findings: Finding[] = [];
  const hasConsent = grounds.prompts.some((prompt) => CONSENT.test(prompt));
  const lines = text.split('\n').map((line) => {
    const invented = inventedIn(line, grounds);
    for (const { kind, value } of invented) findings.push({ code: 'claim-unsupported', detail: `${kind} ${value}` });
    const isUnconfirmed = !hasConsent && CONFIRMED.test(line);
    if (isUnconfirmed) findings.push({ code: 'claim-unconfirmed', detail: line.trim().slice(0, 200) });
    return isUnconfirmed || invented.some(({ kind }) => TAGGED.has(kind)) ? `${line} [not in the source]` : line;
  });
  return { text: lines.join('\n'), findings };
}

type Invented = { readonly kind: FactKind; readonly value: string };

// A number may be counted or added up from the source, so its line is flagged but not tagged.
const TAGGED = new Set<FactKind>(FACT_KINDS.filter((kind) => kind !== 'number' && kind !== 'date' && kind !== 'name'));

const CONFIRMED =
  /\b(?:the )?user (?:has |have |had |explicitly )?(?:confirmed|approved|agreed|accepted|authori[sz]ed|consented|signed off)\b/i;
const CONSENT =
  /\b(?:yes|yep|yeah|ok|okay|sure|agreed?|approved?|approve|confirm(?:ed)?|go ahead|do it|proceed|lgtm|sounds good|looks good|fine|correct|right|please do|ship it)\b/i;

function inventedIn(line: string, { holds }: Grounds): readonly Invented[] {
  const found: Invented[] = [];
  // Our own tags and headings are no claims.
  if (/^\s*<\/?[a-z_]+>\s*$/.test(line) || line.startsWith('#')) return found;
  scanText(line, (kind, start, end) => {
    const value = line.slice(start, end);
    if (isCommon(kind, value) || holds(ledgerKey({ kind, value }), value)) return;
    if (!found.some((known) => known.value === value)) found.push({ kind, value });
  });
  return found;
}

// A small number is counted, not copied; a name may be any word with a capital.
function isCommon(kind: FactKind, value: string): boolean {
  return kind === 'name' || kind === 'date' || (kind === 'number' && value.replace(/\D/g, '').length < 3);
}
