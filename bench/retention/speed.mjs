import { extractFacts } from '../../packages/core/src/facts/index.ts';

// None of them matches: a pass that may stop early measures nothing.
const PATTERNS = {
  'a path': /[\w./-]+\/[\w.-]+\.zzz9/,
  'a file by its ending': /\w+\.(?:tsq|jsq)\b/,
  'a class name': /\b[A-Z]\w+Exception9\b/,
  'a ticket': /\b[A-Z]{2,}-\d+Q\b/,
  'a date': /\d{4}-\d\d-\d\dQ/,
};

/** Millions of characters per second of extraction, and of one `RegExp.test` pass per pattern over the same texts in the same run. */
export function measureSpeed(corpus) {
  const messages = corpus.flatMap(({ messages: own }) => own);
  const texts = messages.flatMap(({ parts }) => parts.map(({ text, input }) => text ?? input ?? ''));
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  let hits = 0;
  const best = (work) => {
    let least = Number.POSITIVE_INFINITY;
    for (let turn = 0; turn < 5; turn += 1) {
      const started = performance.now();
      work();
      least = Math.min(least, performance.now() - started);
    }
    return characters / least / 1000;
  };
  const extraction = best(() => {
    for (const message of messages) hits += extractFacts(message, 0).length;
  });
  const passes = Object.entries(PATTERNS).map(([name, pattern]) => {
    const speed = best(() => {
      for (const text of texts) if (pattern.test(text)) hits += 1;
    });
    return { name, pattern: String(pattern), speed };
  });
  return { characters, extraction, passes, hits };
}
