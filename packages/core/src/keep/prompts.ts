import { shareOf, stemsOf } from './words.ts';

/** What the user said, ready to be compared with what a summary says they said. */
export type Said = {
  /** Prompts in parts that say one thing: what is wanted, and what is not. */
  readonly wanted: readonly ReadonlySet<string>[];
  readonly forbidden: readonly ReadonlySet<string>[];
  /** What was agreed to: the words of the agreement and of what it answers. */
  readonly agreed: readonly ReadonlySet<string>[];
  /** Whether claims in Latin letters can be compared with it. */
  readonly isLatin: boolean;
};

/** A prompt, and the answer it follows. */
export type Exchange = { readonly prompt: string; readonly answer: string };

/** Reads prompts once for all claims. `carried` are statements of earlier rounds about the user, which count as theirs. */
export function readPrompts(exchanges: readonly Exchange[], carried: readonly string[]): Said {
  const wanted: ReadonlySet<string>[] = [];
  const forbidden: ReadonlySet<string>[] = [];
  const agreed: ReadonlySet<string>[] = [];
  for (const text of [...exchanges.map(({ prompt }) => prompt), ...carried]) {
    const against: string[] = [];
    const others = sentencesOf(text).map((sentence) =>
      sentence.replace(DENIAL, (part) => {
        against.push(part);
        return ' ';
      }),
    );
    wanted.push(stemsOf(others.join('\n')));
    if (against.length > 0) forbidden.push(stemsOf(against.join('\n')));
  }
  for (const { prompt, answer } of exchanges) {
    if (isConsent(prompt)) agreed.push(stemsOf(`${prompt.slice(0, PROPOSAL)}\n${answer.slice(-PROPOSAL)}`));
  }
  for (const line of carried) if (isConsent(line) || CARRIED_CONSENT.test(line)) agreed.push(stemsOf(line));
  return { wanted, forbidden, agreed, isLatin: isLatin(exchanges) };
}

/** The parts of a text that say one thing each. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .slice(0, LONGEST)
    .split(SENTENCE_END)
    .filter((sentence) => sentence.trim() !== '');
}

const NEGATIONS =
  "\\b(?:not|never|no longer|don['’]?t|doesn['’]?t|didn['’]?t|won['’]?t|can['’]?t|cannot|shouldn['’]?t|mustn['’]?t|avoid|without|forbid(?:s|den)?|forbade|prohibit(?:s|ed)?|refrain|nicht|kein[ens]*|niemals|ne|pas|jamais|nunca|jamás)\\b|不要|别|禁止";

/** Whether a part of a text is about what is not to be done. */
export const NEGATION: RegExp = new RegExp(NEGATIONS, 'i');

// What a negation reaches: to the next mark, a dozen words at most.
const DENIAL = new RegExp(`(?:${NEGATIONS})(?:[^\\s,;:()—–]*\\s(?!- |but )){0,12}[^\\s,;:()—–]*`, 'gi');

const LONGEST = 50_000;
const PROPOSAL = 4000;
const SENTENCE_END = /(?<=[.!?;])\s+|[\n。！？]+|,? but /;

const CONSENT =
  /\b(?:yes|yep|yeah|yup|ok|okay|sure|agreed?|approved?|confirm(?:ed)?|go ahead|go for it|do it|do that|proceed|continue|lgtm|sounds? (?:good|great|fine)|looks? (?:good|great|fine)|fine|correct|right|exactly|perfect|great|please do|ship it|works for me|no problem|ja|genau|einverstanden|passt|oui|d['’]accord|sí|vale|sim|si|да)\b|(?:好的|可以|同意|确认|没问题|はい|了解|お願いします|네|좋아요)/iu;
const DENIED = /\b(?:not|n['’]t|no|isn['’]t|never|wrong)\b[^.]{0,12}$/i;
const CARRIED_CONSENT = /\b(?:confirmed|approved|agreed|accepted|authori[sz]ed|consented|signed off|is fine with)\b/i;

/** A question is no consent, nor is its denial. */
function isConsent(text: string): boolean {
  return sentencesOf(text).some((sentence) => {
    const match = CONSENT.exec(sentence);
    return match !== null && !sentence.trimEnd().endsWith('?') && !DENIED.test(sentence.slice(0, match.index));
  });
}

function isLatin(exchanges: readonly Exchange[]): boolean {
  const sample = exchanges
    .map(({ prompt }) => prompt.slice(0, 2000))
    .join('\n')
    .slice(0, 20_000);
  const letters = (sample.match(/\p{L}/gu) ?? []).length;
  return letters === 0 || (sample.match(/\p{Script=Latin}/gu) ?? []).length > letters / 2;
}

/** The best share of a claim that one of several texts says. */
export function bestShare(stems: ReadonlySet<string>, among: readonly ReadonlySet<string>[]): number {
  let best = 0;
  for (const known of among) best = Math.max(best, shareOf(stems, known));
  return best;
}
