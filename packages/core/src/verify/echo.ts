/** What an echo is told from. */
type Heard = {
  readonly prompt: string;
  readonly prior: string;
  readonly system: string;
  readonly isMerged: boolean;
};

/**
 * Whether a text is copied from what it was to sum up: a good part of it, or a piece of some length word for word, be it line by
 * line between tags; or whether it repeats the instructions. The summary so far may come again, and so may notes of parts.
 */
export function isEcho(text: string, heard: Heard): boolean {
  if (text.length < SAMPLE_LENGTH * 2) return false;
  if (isCopied(text, { prompt: heard.system, prior: '' }, NEARLY_ALL)) return true;
  const isLarge = text.length >= heard.prompt.length * ECHO_SHARE;
  if (!isLarge && (heard.isMerged || text.length < LONG)) return false;
  if (isCopied(text, heard, isLarge ? MOSTLY : NEARLY_ALL)) return true;
  return !heard.isMerged && text.length >= LONG && isCopiedByLine(text, heard);
}

// Only a text that is a good part of the prompt can be an echo of it; shorter ones may quote, but nothing is all quotes.
const ECHO_SHARE = 0.3;
const MOSTLY = 0.6;
const LONG = 800;
const NEARLY_ALL = 0.85;
const SAMPLES = 20;
const SAMPLE_LENGTH = 60;

/** Whether more than a share of the samples is found. A prompt may be megabytes: it is searched no longer than that may come out. */
function isCopied(text: string, source: Source, share: number): boolean {
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  const starts = Array.from({ length: SAMPLES }, (_, sample) => Math.floor(sample * step));
  return areFound(
    starts.map((from) => text.slice(from, from + SAMPLE_LENGTH)),
    source,
    share,
  );
}

type Source = Pick<Heard, 'prompt' | 'prior'>;

/** Whether nearly all lines of some length stand in the prompt: tags, marks of a list and empty lines aside. */
function isCopiedByLine(text: string, source: Source): boolean {
  const lines = text
    .split(/\n|<[^<>]{0,80}>/)
    .map((line) => line.replace(/^[\s*-]{1,8}/, '').trim())
    .filter((line) => line.length >= LINE_LENGTH);
  // Lines that count stand for the text only where they are most of it.
  const total = lines.reduce((sum, line) => sum + line.length, 0);
  if (lines.length < FEWEST_LINES || total < text.length * MOSTLY) return false;
  const step = (lines.length - 1) / (SAMPLES - 1);
  const pieces = Array.from({ length: SAMPLES }, (_, sample) => middleOf(lines[Math.floor(sample * step)] ?? ''));
  return areFound(pieces, source, NEARLY_ALL);
}

const LINE_LENGTH = 40;
const FEWEST_LINES = 4;

function middleOf(line: string): string {
  const from = Math.max(0, Math.floor((line.length - SAMPLE_LENGTH) / 2));
  return line.slice(from, from + SAMPLE_LENGTH);
}

function areFound(pieces: readonly string[], { prompt, prior }: Source, share: number): boolean {
  let judged = 0;
  let found = 0;
  for (const piece of pieces) {
    if (judged - found > pieces.length * (1 - share)) return false;
    if (prior.includes(piece)) continue;
    judged += 1;
    if (prompt.includes(piece)) found += 1;
  }
  return judged > 1 && found / judged > share;
}
