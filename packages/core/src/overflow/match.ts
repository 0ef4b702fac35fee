import type { OverflowProvider } from './provider.ts';
import { GENERAL_WORDINGS, NEAR_MISSES, type OverflowUnit, WORDINGS, type Wording } from './wordings.ts';

/** What the texts of an error say. */
export type Told =
  | {
      readonly kind: 'overflow';
      readonly unit: OverflowUnit;
      readonly provider?: OverflowProvider;
      readonly figures: Sizes;
    }
  | { readonly kind: 'near-miss'; readonly reason: 'rate-limit' | 'output-limit' | 'media' }
  | { readonly kind: 'nothing' };

/** The figures an error gives. */
export type Sizes = { readonly limit?: number; readonly requested?: number; readonly output?: number };

/** Reads the texts of an error, the most exact wordings first. */
export function readTexts(texts: readonly string[]): Told {
  const plain = texts.map(normal);
  const exact = firstMatch(WORDINGS, plain);
  if (exact !== undefined) return exact;
  for (const [reason, parts] of NEAR_MISSES) {
    if (
      plain.some(
        (text) => parts.some((part) => text.includes(part)) || (reason === 'rate-limit' && text.startsWith('429 ')),
      )
    ) {
      return { kind: 'near-miss', reason };
    }
  }
  return firstMatch(GENERAL_WORDINGS, texts.map(unquoted).map(normal)) ?? { kind: 'nothing' };
}

/** A text without what it quotes: that may be anybody's. JSON is all quotes. */
function unquoted(text: string): string {
  return /["'] ?: ?/.test(text) ? text : text.replace(QUOTED, ' ');
}

// A quote of one word may be a code's name.
const QUOTED = /(?<![\\\w])"[^"\s]{1,80}[ \t][^"]{1,2000}"(?!\w)|“[^”]{1,2000}”/g;

// Quotes differ between JSON, Python and typeset texts, and terminals wrap lines.
function normal(text: string): string {
  return text
    .replace(/[`'"’\\]/g, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();
}

function firstMatch(wordings: readonly Wording[], texts: readonly string[]): Told | undefined {
  for (const wording of wordings) {
    const pattern = patternOf(wording);
    for (const text of texts) {
      const groups = pattern.exec(text);
      const figures = groups && figuresOf(groups.groups ?? {});
      if (figures && isLongEnough(wording, figures)) return overflowOf(wording, figures);
    }
  }
  return undefined;
}

const patterns = new Map<string, RegExp>();

function patternOf({ text }: Wording): RegExp {
  const known = patterns.get(text);
  if (known) return known;
  const source = normal(text)
    .replace(/[.*+?^$()|[\]\\]/g, '\\$&')
    .replace(/\{(\w+)\}/g, '(?<$1>\\d[\\d,_]{0,14})')
    .replaceAll('…', '.{0,80}?');
  const pattern = new RegExp(source);
  patterns.set(text, pattern);
  return pattern;
}

function figuresOf(groups: Readonly<Record<string, string | undefined>>): Sizes {
  const limit = numberOf(groups['limit']);
  const output = numberOf(groups['output']);
  const input = numberOf(groups['input']);
  const over = numberOf(groups['over']);
  const sum = input === undefined ? undefined : input + (output ?? 0);
  const excess = limit === undefined || over === undefined ? undefined : limit + over;
  const requested = numberOf(groups['requested']) ?? sum ?? excess;
  return {
    ...(limit === undefined ? {} : { limit }),
    ...(requested === undefined ? {} : { requested }),
    ...(output === undefined ? {} : { output }),
  };
}

function numberOf(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits.replace(/[,_]/g, ''));
}

// OpenAI words the 64 characters of a tool's name like the 10 M of a message's text.
const SHORTEST_TEXT_LIMIT = 10_000;

function isLongEnough({ unit, least = SHORTEST_TEXT_LIMIT }: Wording, { limit }: Sizes): boolean {
  return unit !== 'characters' || limit === undefined || limit >= least;
}

function overflowOf({ provider, unit = 'tokens' }: Wording, figures: Sizes): Told {
  return { kind: 'overflow', unit, figures, ...(provider === undefined ? {} : { provider }) };
}
