import { harmless } from '../../output/text.ts';
import { inlineSpans } from './inline.ts';
import type { Canvas } from './style.ts';
import { tableLines } from './tables.ts';
import { cut, wrapSpans } from './wrap.ts';

/** Markdown as lines of a terminal: headings, lists, quotes, code, tables; everything else as it is written. */
export function markdownLines(text: string, canvas: Canvas): readonly string[] {
  const source = harmless(text).replaceAll('\t', '  ').split('\n');
  const lines: string[] = [];
  const add = (more: readonly string[]): void => {
    for (const line of more) lines.push(line);
  };
  for (let at = 0; at < source.length; ) {
    const fence = /^ {0,3}(`{3,}|~{3,})\s*(\S*)/.exec(source[at] ?? '');
    if (fence !== null) {
      const end = fenceEnd(source, at, fence[1] ?? '');
      add(codeLines(source.slice(at + 1, end), canvas));
      at = end + 1;
    } else if (isTable(source, at)) {
      const end = tableEnd(source, at);
      add(tableLines(source.slice(at, end), canvas));
      at = end;
    } else {
      add(lineOf(source[at] ?? '', canvas));
      at += 1;
    }
  }
  return lines;
}

function fenceEnd(source: readonly string[], at: number, mark: string): number {
  const end = source.findIndex(
    (line, index) =>
      index > at && line.trim().startsWith(mark) && line.trim().length >= mark.length && /^[`~]+$/.test(line.trim()),
  );
  return end < 0 ? source.length : end;
}

function codeLines(code: readonly string[], { width, style }: Canvas): readonly string[] {
  const bar = style('│ ', 'dim');
  return code.flatMap((line) => cut(line, Math.max(width - 2, 8)).map((piece) => `${bar}${style(piece, 'code')}`));
}

const RULE = /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/;

function isTable(source: readonly string[], at: number): boolean {
  const [head = '', rule = ''] = [source[at], source[at + 1]];
  return head.includes('|') && rule.includes('|') && RULE.test(rule);
}

function tableEnd(source: readonly string[], at: number): number {
  const end = source.findIndex((line, index) => index > at + 1 && !line.includes('|'));
  return end < 0 ? source.length : end;
}

function lineOf(line: string, { width, style }: Canvas): readonly string[] {
  const heading = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line);
  if (heading !== null) {
    const looks = (heading[1] ?? '').length <= 2 ? (['bold', 'underline'] as const) : (['bold'] as const);
    return wrapSpans(inlineSpans(heading[2] ?? '', looks), { width, style });
  }
  if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) return [style('─'.repeat(Math.min(width, 40)), 'dim')];
  const quote = /^\s*>\s?(.*)$/.exec(line);
  if (quote !== null) {
    const bar = style('▏ ', 'dim');
    return wrapSpans(inlineSpans(quote[1] ?? '', ['italic']), { width, style, first: bar, hang: bar });
  }
  const item = /^(\s*)([-*+]|\d{1,4}[.)])\s+(?:\[([ xX])\]\s+)?(.*)$/.exec(line);
  if (item !== null) {
    const [, indent = '', mark = '', box, words = ''] = item;
    const bullet = /\d/.test(mark) ? mark : '•';
    const ticked = box === undefined ? '' : box === ' ' ? '☐ ' : '☑ ';
    const first = `${indent.slice(0, 12)}${bullet} ${ticked}`;
    return wrapSpans(inlineSpans(words, []), { width, style, first, hang: ' '.repeat(first.length) });
  }
  return wrapSpans(inlineSpans(line, []), { width, style });
}

/** Splits a text that is still coming: what is whole and will not change, and the rest. */
export function wholeBlocks(text: string): { readonly whole: string; readonly rest: string } {
  let isCode = false;
  let end = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const next = at + line.length + 1;
    if (/^ {0,3}(`{3,}|~{3,})/.test(line)) isCode = !isCode;
    const isBreak = line.trim() === '' || (!isCode && /^ {0,3}(`{3,}|~{3,})/.test(line));
    if (!isCode && isBreak && next <= text.length) end = next;
    at = next;
  }
  return { whole: text.slice(0, end), rest: text.slice(end) };
}
