import { type FormatName, formatNamed, type Message } from 'epitome';

// Longer runs are base64 and the like: nobody searches for them, and they would fill the index.
const LONGEST = 48;
// How often a word stands in a long text says little: of such a one every word is taken once.
const MOST_IN_ORDER = 4_000;

const WORD = /[\p{L}\p{N}]+/gu;
const BEYOND_ASCII = /[^\0-\x7f]/;
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/**
 * The words of a text as all databases index them: lower case, without accents; scripts that put no spaces between words
 * as pairs of characters. Made here and not by the databases, so that each finds what the others find.
 */
export function tokensOf(text: string): readonly string[] {
  const tokens: string[] = [];
  for (const [word] of plain(text).matchAll(WORD)) {
    if (UNSPACED.test(word)) {
      for (const pair of pairs(word)) tokens.push(pair);
    } else tokens.push(word.length > LONGEST ? word.slice(0, LONGEST) : word);
    if (tokens.length > MOST_IN_ORDER) return distinct(text);
  }
  return tokens;
}

/** The text of a message that can be searched for. */
export function searchText({ parts }: Message): string {
  const texts: string[] = [];
  for (const part of parts) {
    if (part.kind === 'text' || part.kind === 'reasoning' || part.kind === 'tool-result') texts.push(part.text);
    if (part.kind === 'tool-call') texts.push(part.name, part.input);
  }
  return texts.join('\n');
}

/** The words a stored message was indexed by; no message in front of it matters to them. */
export function indexedTokens(native: string, format: FormatName): readonly string[] {
  return tokensOf(searchText(formatNamed(format).decode(JSON.parse(native), [])));
}

/** Lower case without accents. */
export function plain(text: string): string {
  const lower = text.toLowerCase();
  if (!BEYOND_ASCII.test(lower)) return lower;
  return lower.normalize('NFKD').replace(/\p{M}/gu, '').normalize('NFKC');
}

function distinct(text: string): readonly string[] {
  const tokens = new Set<string>();
  for (const [word] of plain(text).matchAll(WORD)) {
    for (const token of UNSPACED.test(word) ? pairs(word) : [word.slice(0, LONGEST)]) tokens.add(token);
  }
  return [...tokens];
}

function pairs(word: string): readonly string[] {
  const characters = [...word];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}
