import type { Look } from './style.ts';
import type { Span } from './wrap.ts';

// Code first: nothing inside it means anything. Each alternative is bounded and begins differently: linear. Inside words marks
// are what they look like: `2*3*4`, `__init__.py`.
const MARKS =
  /`([^`\n]{1,2000})`|(?<!\w)\*\*([^*\n]{1,2000})\*\*(?!\w)|(?<!\w)__([^_\n]{1,2000})__(?!\.?\w)|(?<!\w)\*([^*\s][^*\n]{0,2000})\*(?!\w)|\[([^\]\n]{1,500})\]\(([^)\s]{1,2000})\)/g;

/** The pieces of a line of Markdown with how they look. */
export function inlineSpans(text: string, looks: readonly Look[]): readonly Span[] {
  const spans: Span[] = [];
  let at = 0;
  for (const match of text.matchAll(MARKS)) {
    if (match.index > at) spans.push({ text: text.slice(at, match.index), looks });
    for (const span of spanOf(match, looks)) spans.push(span);
    at = match.index + match[0].length;
  }
  if (at < text.length) spans.push({ text: text.slice(at), looks });
  return spans;
}

function spanOf(match: RegExpExecArray, looks: readonly Look[]): readonly Span[] {
  const [, code, bold, strong, italic, label, address] = match;
  if (code !== undefined) return [{ text: code, looks: [...looks, 'code'] }];
  const heavy = bold ?? strong;
  if (heavy !== undefined) return inlineSpans(heavy, [...looks, 'bold']);
  if (italic !== undefined) return inlineSpans(italic, [...looks, 'italic']);
  const shown: Span = { text: label ?? '', looks: [...looks, 'underline'] };
  // Where a link leads must be seen: the words may say otherwise.
  return label === address ? [shown] : [shown, { text: ` (${address ?? ''})`, looks: [...looks, 'dim'] }];
}
