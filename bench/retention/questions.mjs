const STOP = new Set(
  'the and for with that this from are was were has have had not but you your its will can all any into out our she her his him they them their who what when where how why did does about after before than then been being would could should also because some very more most such other over'.split(
    ' ',
  ),
);

/** Content words of a text: lower case, endings off, numbers kept. */
function contentWords(text) {
  return [
    ...String(text)
      .toLowerCase()
      .matchAll(/[\p{L}\p{N}]+/gu),
  ]
    .map(({ 0: word }) => word)
    .filter((word) => (word.length > 2 || /\d/.test(word)) && !STOP.has(word))
    .map((word) => word.replace(/(?:ing|ies|ed|es|s|ly)$/, ''));
}

/** For each question whether all content words of its answer are in the text, and whether its evidence is quoted. */
export function askQuestions({ meta, texts }, kept) {
  const words = new Set(contentWords(kept));
  const lines = kept.split('\n').map((line) => new Set(contentWords(line)));
  const asked = meta.qa.filter(
    ({ answer, evidence_idx: at }) => answer !== undefined && answer !== null && at?.length > 0,
  );
  return asked.map(({ answer, evidence_idx: at }) => {
    const wanted = contentWords(answer);
    return {
      answered: wanted.length > 0 && wanted.every((word) => words.has(word)),
      evidence: at.every((index) => isQuoted(contentWords(texts[index] ?? ''), lines)),
    };
  });
}

/** A turn is quoted where one line holds at least half of its content words. */
function isQuoted(turn, lines) {
  return turn.length > 0 && lines.some((line) => turn.filter((word) => line.has(word)).length * 2 >= turn.length);
}
