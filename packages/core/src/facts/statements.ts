import type { FactKind } from '../model/facts.ts';
import { firstCodePoints } from '../model/text.ts';
import { todoStatus } from './calls.ts';
import type { Segment } from './segments.ts';

/** A sentence that is a fact as a whole. */
export type Statement = {
  readonly kind: FactKind;
  readonly value: string;
  readonly at: number;
  readonly status?: string;
};

/** Demands of prompts, decisions of answers, error lines of results, checkboxes of both; quoted, never reworded. */
export function statementsOf({ origin, text }: Segment): readonly Statement[] {
  const cue = CUES[origin];
  const statements: Statement[] = [];
  let last = -1;
  for (const match of text.slice(0, LONGEST).matchAll(cue.pattern)) {
    if (match.index < last) continue;
    const { start, end } = sentenceAt(text, match.index);
    last = end;
    const line = text.slice(start, end).trim();
    const box = BOX.exec(line);
    if (box !== null)
      statements.push({
        kind: 'todo',
        value: firstCodePoints(box[2] ?? '', WIDEST),
        at: start,
        status: todoStatus(box[1] ?? ''),
      });
    else if (line.length > 7) statements.push({ kind: cue.kind, value: firstCodePoints(line, WIDEST), at: start });
    if (statements.length >= MOST) break;
  }
  return statements;
}

const LONGEST = 200_000;
const WIDEST = 240;
const MOST = 40;
const BOX = /^[-*] \[([ xX~-])\] (.+)/;

const DEMAND =
  /\b(?:must|never|always|don'?t|do not|should|shouldn'?t|only|need(?:s|ed)? to|make sure|ensure|please|avoid|without|instead|prefer|want|let'?s|can you)\b|[-*] \[/gi;
const DECISION =
  /\b(?:decided|decision|chose|chosen|(?:I|we)'ll use|going with|instead of|root cause|turns out|the (?:issue|problem|bug|fix|reason|cause) (?:is|was)|fixed|because|conclusion|recommend)\b|[-*] \[/gi;
const FAILURE =
  /\b(?:[Ee]rror|ERROR|[Ff]atal|[Pp]anic|[Ff]ailed|FAIL|[Ee]xception|[Tt]raceback|[Dd]enied|[Nn]ot found|[Cc]annot)\b/g;
const CUES = {
  prompt: { kind: 'demand', pattern: DEMAND },
  answer: { kind: 'decision', pattern: DECISION },
  call: { kind: 'decision', pattern: /$^/g },
  result: { kind: 'error', pattern: FAILURE },
} as const;

/** The sentence or line around a position, at most `WIDEST` characters to each side. */
function sentenceAt(text: string, at: number): { start: number; end: number } {
  let start = at;
  while (start > 0 && at - start < WIDEST && !isBreak(text, start - 1)) start -= 1;
  let end = at;
  while (end < text.length && end - at < WIDEST && !isBreak(text, end)) end += 1;
  return { start, end: Math.min(end + 1, text.length) };
}

function isBreak(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code === 10) return true;
  const isStop = code === 46 || code === 33 || code === 63;
  return isStop && (text.charCodeAt(at + 1) === 32 || text.charCodeAt(at + 1) === 10);
}
