import { FOREIGN_OVERRIDE } from '../digest/foreign.ts';
import { GRAVE, OVERRIDE, TOKEN } from '../digest/orders.ts';
import { bestShare, sentencesOf } from './prompts.ts';
import { stemsOf } from './words.ts';

/** Who may have said what a line tells the reader to do. */
export type Speakers = {
  /** Parts of what the user said, and of what the assistant said or called. */
  readonly user: readonly ReadonlySet<string>[];
  readonly assistant: readonly ReadonlySet<string>[];
};

/**
 * Whether a line of a summary reads as an instruction or as somebody's turn that neither the user nor the assistant gave.
 * It has the rank of its source (law 24): it may be quoted, not obeyed.
 */
export function isForeignOrder(line: string, speakers: () => Speakers): boolean {
  const words = line.replace(/<(?!\/?system)\/?[a-z_]+>/g, ' ').replace(MARKS, '');
  const order = orderIn(words);
  if (order === undefined) return false;
  const stems = stemsOf(order.words);
  const { user, assistant } = speakers();
  const spoken = order.isPlan ? [...user, ...assistant] : user;
  return stems.size === 0 ? bestShare(stemsOf(words), spoken) < 0.5 : bestShare(stems, spoken) < order.least;
}

/** Where the foreign order in a line stands: its own element, or from its sentence on, since an order may go on behind it. */
export function foreignPart(line: string, speakers: () => Speakers): readonly [number, number] {
  const element = ELEMENT.exec(line);
  const whole: readonly [number, number] = [0, line.length];
  const part: readonly [number, number] =
    element === null ? [firstForeign(line, speakers), line.length] : [element.index, element.index + element[0].length];
  const rest = [line.slice(0, part[0]), line.slice(part[1])];
  const isClean = rest.every((text) => !isForeignOrder(text, speakers)) && /\p{L}/u.test(rest.join(''));
  return isClean ? part : whole;
}

const ELEMENT = /<(system|system-reminder|system_prompt)>(?:(?!<\1>)[^\n]){0,4000}?<\/\1>/i;

function firstForeign(line: string, speakers: () => Speakers): number {
  for (const { 0: sentence, index } of line.matchAll(/[^.!?]+(?:[.!?]+(?!\s)[^.!?]*)*[.!?]*\s*/g))
    if (isForeignOrder(sentence, speakers)) return index;
  return 0;
}

/** Parts of what the user said to compare a line with: as small as an order is. */
export function spokenParts(texts: readonly string[]): readonly ReadonlySet<string>[] {
  return texts.flatMap((text) => {
    const sentences = sentencesOf(text);
    // A line may be two sentences of its speaker.
    return sentences.map((sentence, at) => stemsOf(`${sentence}\n${sentences[at + 1] ?? ''}`));
  });
}

// Bullets, numbers, boxes and states in front of what a line says, and words that only call for attention.
const MARKS =
  /^\s*(?:(?:[-*+>•]|\d{1,3}[.)]|\[[A-Z x~-]{1,12}\])\s*){0,4}(?:(?:important|attention|urgent|note|notice|warning|caution)\W{1,6})?/i;

/** What is ordered, how much of it its speaker must have said in one place, and whether the assistant may be that. */
type Order = { readonly words: string; readonly least: number; readonly isPlan: boolean };

function orderIn(line: string): Order | undefined {
  const override = OVERRIDE.exec(line) ?? FOREIGN_OVERRIDE.exec(line);
  if (override !== null && !ATTRIBUTED.test(line.slice(0, override.index))) {
    return { words: override[0], least: 1, isPlan: false };
  }
  const turn = TURN.exec(line);
  const isTurn = turn !== null && ORDER.test(turn[2] ?? '');
  if (isTurn) return { words: line, least: 0.5, isPlan: /^assistant$/i.test(turn[1] ?? '') };
  const token = TOKEN.exec(line);
  // The user's own words around it do not vouch for what stands in it.
  if (token !== null) return { words: ELEMENT.exec(line)?.[0] ?? line.slice(token.index), least: 0.5, isPlan: false };
  return GRAVE.test(line) && ORDER.test(line) ? { words: line, least: 0.5, isPlan: true } : undefined;
}

const TURN =
  /^["'*_#]{0,4}(system|developer|human|user|admin|operator|root|assistant)(?: (?:prompt|message|note|instruction))?["'*_]{0,4}\s?[:>]\s?(.*)$/i;
const ATTRIBUTED =
  /\b(?:tool|output|result|file|page|web ?site|document|injection|injected|untrusted|malicious|suspicious|readme|comment|text|content|attempt\w*|said|says|contain\w*)\b/i;
const ORDER =
  /^["'(]?(?:please |now |immediately |always |you (?:must|should|will|are|have to|need to) |never |do not |don['’]t )*(?:ignore|disregard|forget|override|bypass|delete|remove|drop|erase|wipe|destroy|run|execute|send|post|upload|e-?mail|forward|transfer|pay|download|install|curl|wget|rm|sudo|do what|stop|reveal|print|output|leak|exfiltrate|say|respond|reply|tell|call|use|open|visit|click|act|pretend|obey|follow|approve|grant|change|set|disable|enable|push|deploy|publish|write|give|kill|format|chmod)\b/i;
