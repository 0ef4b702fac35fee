import type { Inspection, PastCompaction } from '@epitome/transcripts';
import { short } from './chart.ts';
import { counted, fitColumns, plain, widest, wrapLines } from './text.ts';

/** The compactions an agent made in a session, and what each lost. */
export function compactionLines({ compactions }: Inspection, columns: number): readonly string[] {
  return compactions.flatMap((compaction, index) => [
    wrapLines(`  ${index + 1}. ${sizesOf(compaction)}`, columns),
    ...cells(factsOf(compaction), columns),
    ...lostLines(compaction).map((line) => fitColumns(line, columns)),
  ]);
}

function sizesOf({ at, messages, trigger, tokensBefore, tokensAfter }: PastCompaction): string {
  const before = tokensBefore === undefined ? '' : `, ${short(tokensBefore)} tokens as reported,`;
  const what = trigger === undefined ? '' : `, ${plain(trigger)}`;
  return `behind message ${at}${what}: ${counted(messages, 'message')}${before} became ${short(tokensAfter)} tokens`;
}

function factsOf({ facts }: PastCompaction): readonly string[] {
  return Object.entries(facts).map(([kind, { kept, total }]) => `${kind} ${kept}/${total}`);
}

/** Short texts side by side, as many as the terminal takes. */
function cells(texts: readonly string[], columns: number): readonly string[] {
  const width = widest(texts) + 3;
  const inLine = Math.max(1, Math.floor((columns - INDENT.length) / width));
  const lines: string[] = [];
  for (let at = 0; at < texts.length; at += inLine) {
    const row = texts.slice(at, at + inLine).map((text) => text.padEnd(width));
    lines.push(`${INDENT}${row.join('')}`.trimEnd());
  }
  return lines;
}

const INDENT = '     ';

function lostLines({ lost }: PastCompaction): readonly string[] {
  if (lost.length === 0) return [];
  return [
    `${INDENT}lost, and likely to be needed:`,
    ...lost.map(({ kind, value }) => `${INDENT}- ${kind}: ${plain(value)}`),
  ];
}
