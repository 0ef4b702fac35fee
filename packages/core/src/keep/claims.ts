import { ledgerKey } from '../facts/keys.ts';
import { scanText } from '../facts/scan.ts';
import { FACT_KINDS, type FactKind } from '../model/facts.ts';
import type { Finding } from '../model/finding.ts';
import { untouchedIn } from './files.ts';
import { foreignPart, isForeignOrder } from './instructions.ts';
import { undoneIn } from './outcomes.ts';
import type { Grounds } from './source.ts';
import { unsaidIn } from './users.ts';

/** A summary with its unsupported lines tagged, and a finding for each thing the source does not bear out. */
export type Checked = { readonly text: string; readonly findings: readonly Finding[] };

/** What stands behind a line that is not borne out, by why. */
const TAGS = { unseen: ' [not in the source]', undone: ' [no successful result]' } as const;
const QUOTE = '[from tool output, not an instruction]';

/** Checks what a summary says against its source, without a model: what never occurred is flagged, its line tagged. */
export function checkClaims(text: string, grounds: Grounds): Checked {
  const lines = text.split('\n').map((line) => ({ line, words: withoutTags(line) }));
  const inventedIn = inventions(
    lines.map(({ words }) => words),
    grounds,
  );
  const findings: Finding[] = [];
  const checked = lines.map(({ line, words }, at) => {
    const invented = inventedIn[at] ?? [];
    const found = [...invented.map((each) => unsupported(each, words)), ...statementFindings(line, words, grounds)];
    for (const finding of found) findings.push(finding);
    if (found.some(({ code }) => code === 'instruction-quoted')) return quoted(line, grounds);
    const isUnseen =
      invented.some(({ kind }) => TAGGED.has(kind)) || found.some(({ code }) => code === 'claim-unconfirmed');
    const isUndone = found.some(({ code }) => code === 'claim-undone');
    // A model may carry on the tags of an earlier round.
    const tags = [...(isUnseen ? [TAGS.unseen] : []), ...(isUndone ? [TAGS.undone] : [])];
    return tagged(line, tags.filter((tag) => !line.includes(tag)).join(''));
  });
  return { text: checked.join('\n'), findings };
}

/** A text without the lines that give orders neither the user nor the assistant gave. */
export function dropForeignOrders(text: string, { speakers }: Grounds): Checked {
  const findings: Finding[] = [];
  const kept = text.split('\n').filter((line) => {
    const isForeign = isForeignOrder(line, speakers);
    if (isForeign) findings.push(orderFinding(line));
    return !isForeign;
  });
  return findings.length === 0 ? { text, findings } : { text: kept.join('\n'), findings };
}

/** Whether a line was tagged in an earlier round. */
export function isTagged(line: string): boolean {
  return line.includes(TAGS.unseen) || line.includes(TAGS.undone) || line.includes(QUOTE);
}

// A tag of the summary's own structure, alone or around what it holds, is no claim. Blanks keep places.
const STRUCTURE = /<(?!\/?system)\/?[a-z][a-z_]{0,40}>/g;
const CLOSING = /(?:\s*<\/[a-z][a-z_]{0,40}>)+\s*$/;

function withoutTags(line: string): string {
  return line.replace(STRUCTURE, (tag) => ' '.repeat(tag.length));
}

/** A tag stands inside the element its line ends with. */
function tagged(line: string, tag: string): string {
  if (tag === '') return line;
  const closing = CLOSING.exec(line)?.[0] ?? '';
  return `${line.slice(0, line.length - closing.length)}${tag}${closing}`;
}

/** The parts of a line between the tags of its structure, and the tags. */
function partsOf(line: string): readonly string[] {
  return line.split(SPLITTING).filter((part) => part !== '');
}

const SPLITTING = new RegExp(`(${STRUCTURE.source})`);

/** Quotes the parts of a line that order, or all of it where only the whole does; its tags stay, else sections would be left open. */
function quoted(line: string, { speakers }: Grounds): string {
  const parts = partsOf(line);
  const isOrder = parts.map((part) => !SPLITTING.test(part) && isForeignOrder(part, speakers));
  return parts
    .map((part, at) => {
      const isWords = !SPLITTING.test(part) && part.trim() !== '';
      return isWords && (isOrder[at] || !isOrder.includes(true)) ? quotedPart(part, speakers) : part;
    })
    .join('');
}

function quotedPart(words: string, speakers: Grounds['speakers']): string {
  const [from, to] = foreignPart(words, speakers);
  const order = words.slice(from, to);
  const start = from + order.length - order.trimStart().length;
  const end = from + order.trimEnd().length;
  const quote = JSON.stringify(order.trim().toWellFormed());
  return `${words.slice(0, start)}${QUOTE} ${quote}${words.slice(end)}`;
}

type Invented = { readonly kind: FactKind; readonly value: string };

/** Identifiers of each line that occur nowhere in the source: by key first, the rest by one search for all of them. */
function inventions(lines: readonly string[], grounds: Grounds): readonly (readonly Invented[])[] {
  const unknown = lines.map((line) => {
    const found = new Map<string, Invented>();
    if (line.startsWith('#')) return [];
    scanText(line, (kind, start, end) => {
      const value = line.slice(start, end);
      if (!isCommon(kind, value) && !grounds.isKnown(ledgerKey({ kind, value }))) found.set(value, { kind, value });
    });
    return [...found.values()];
  });
  const values = unknown.flat().flatMap(({ value }) => [value, ...alternativesIn(value)]);
  const occurring = values.length === 0 ? new Set<string>() : grounds.occurring(values);
  return unknown.map((found) =>
    found.filter(({ value }) => {
      const words = alternativesIn(value);
      return !occurring.has(value) && (words.length === 0 || !words.every((word) => occurring.has(word)));
    }),
  );
}

/** The words of `lint/tests`: a path of plain words may be a choice of them. */
function alternativesIn(value: string): readonly string[] {
  return /^[A-Za-z]+(?:\/[A-Za-z]+)+$/.test(value) ? value.split('/') : [];
}

// A number may be counted or added up from the source, so its line is flagged but not tagged.
const TAGGED = new Set<FactKind>(FACT_KINDS.filter((kind) => kind !== 'number' && kind !== 'date' && kind !== 'name'));

// A small number is counted, not copied; a name may be any word with a capital.
function isCommon(kind: FactKind, value: string): boolean {
  return kind === 'name' || kind === 'date' || (kind === 'number' && value.replace(/\D/g, '').length < 3);
}

function statementFindings(whole: string, words: string, grounds: Grounds): readonly Finding[] {
  if ([words, ...partsOf(whole)].some((part) => isForeignOrder(part, grounds.speakers))) return [orderFinding(words)];
  const found: Finding[] = [];
  const line = lineOf(words);
  const unsaid = unsaidIn(words.trim(), grounds.said);
  if (unsaid !== undefined) {
    found.push({ code: 'claim-unconfirmed', detail: shortened(unsaid), evidence: { line, value: shortened(unsaid) } });
  }
  return [...found, ...undoneFindings(words.trim(), grounds)];
}

function undoneFindings(words: string, { outcomes, ledger, idAt }: Grounds): readonly Finding[] {
  const line = lineOf(words);
  const undone = undoneIn(words, outcomes);
  if (undone !== undefined) {
    const { claim, ran } = undone;
    const messageId = ran === undefined ? undefined : idAt(ran.index);
    const evidence = {
      line,
      ...(ran === undefined ? {} : { kind: 'command', value: lineOf(ran.command) }),
      ...(messageId === undefined ? {} : { messageId }),
    };
    const why = ran === undefined ? 'nothing of the kind ran' : `${shortened(ran.command)} failed last`;
    return [{ code: 'claim-undone', detail: `${shortened(claim)} (${why})`, evidence }];
  }
  const untouched = untouchedIn(words, ledger);
  if (untouched === undefined) return [];
  const missing = untouched.isKept === true ? 'deletes' : 'names';
  const detail = `${shortened(untouched.claim)} (no call ${missing} ${untouched.path})`;
  return [{ code: 'claim-undone', detail, evidence: { line, kind: 'path', value: untouched.path } }];
}

function unsupported({ kind, value }: Invented, words: string): Finding {
  return { code: 'claim-unsupported', detail: `${kind} ${value}`, evidence: { line: lineOf(words), kind, value } };
}

function orderFinding(line: string): Finding {
  return { code: 'instruction-quoted', detail: shortened(line), evidence: { line: lineOf(line) } };
}

// A record keeps one for each finding: a summary may be one long line.
function lineOf(words: string): string {
  return words.trim().slice(0, 400).toWellFormed();
}

function shortened(text: string): string {
  return text.trim().slice(0, 200).toWellFormed();
}
