/** What an echo is told from. */
type Heard = { readonly prompt: string; readonly prior: string; readonly isMerged: boolean };

/**
 * Whether a text is copied from what it was to sum up: a good part of it, or a piece of some length word for word. The summary
 * so far may come again, and so may notes of parts.
 */
export function isEcho(text: string, heard: Heard): boolean {
  if (text.length < SAMPLE_LENGTH * 2) return false;
  const isLarge = text.length >= heard.prompt.length * ECHO_SHARE;
  if (!isLarge && (heard.isMerged || text.length < LONG)) return false;
  return isCopied(text, heard, isLarge ? MOSTLY : NEARLY_ALL);
}

// Only a text that is a good part of the prompt can be an echo of it; shorter ones may quote, but nothing is all quotes.
const ECHO_SHARE = 0.3;
const MOSTLY = 0.6;
const LONG = 800;
const NEARLY_ALL = 0.85;
const SAMPLES = 20;
const SAMPLE_LENGTH = 60;

/** Whether more than a share of the samples is found. A prompt may be megabytes: it is searched no longer than that may come out. */
function isCopied(text: string, { prompt, prior }: Heard, share: number): boolean {
  let judged = 0;
  let found = 0;
  const step = (text.length - SAMPLE_LENGTH) / (SAMPLES - 1);
  for (let sample = 0; sample < SAMPLES; sample += 1) {
    if (judged - found > SAMPLES * (1 - share)) return false;
    const from = Math.floor(sample * step);
    const piece = text.slice(from, from + SAMPLE_LENGTH);
    if (prior.includes(piece)) continue;
    judged += 1;
    if (prompt.includes(piece)) found += 1;
  }
  return judged > 1 && found / judged > share;
}
