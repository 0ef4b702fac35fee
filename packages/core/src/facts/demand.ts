import { type Cues, cuesOf, WIDE } from './cues.ts';

/** True for a sentence that demands, forbids or decides something; what only tells how things are does not. */
export function isDemand(sentence: string): boolean {
  return isDemandBy(sentence, demandCues(sentence, 0, sentence.length));
}

/** As `isDemand`, of a sentence whose cues are known: what has none of a pattern's words is spared the pattern. */
export function isDemandBy(sentence: string, cues: number): boolean {
  const demands =
    ((cues & ANYWHERE) !== 0 && DEMAND.test(sentence)) ||
    ((cues & ONLY) !== 0 && DEMAND_ONLY.test(sentence)) ||
    ((cues & AT_START) !== 0 && DEMAND_AT_START.test(sentence)) ||
    ((cues & NOT) !== 0 && DEMAND_AT_END.test(sentence)) ||
    ((cues & DECIDES) !== 0 && DECIDED.test(sentence)) ||
    ((cues & (OTHER_LANGUAGE | WIDE)) !== 0 && isForeign(sentence));
  return demands && !NO_DEMAND.test(sentence);
}

/** True for a sentence that asks for something, whether or not it demands it. */
export function isAskedBy(sentence: string, cues: number): boolean {
  return (cues & ASKS) !== 0 && ASKED.test(sentence);
}

/** True for a demand that outlasts the request it came with: something forbidden, fixed or decided. */
export function isFirm(sentence: string): boolean {
  return FIRM.test(sentence) || DECIDED.test(sentence) || isForeign(sentence);
}

function isForeign(sentence: string): boolean {
  return HINT.test(sentence) && FOREIGN.test(sentence);
}

// A question, a guess, a cheer, a heading, a line of a linter or a log, and what is only there where something was said before.
const NO_DEMAND =
  /\bdon['’]?t (?:forget|worry|give up|be (?:shy|afraid|too))\b|\btake care\b|[?？]\s*$|\bmust(?: have|'ve| be so)\b|^\W*keep (?:it )?(?:up|going|on)\b|\bnever give up|\bno (?:problem|worries|doubt|idea|wonder)\b|\b(?:I|she|he)(?:'ll|'d| will| still| just)? ha(?:ve|s) to\b|\bhow (?:much|many|long)\b|^\W*use (?:it|that|this|those|them)\b|^\s*#{1,6} |^\S{1,200}:\d{1,6}(?::\d{1,5})?[: ]|^\s*(?:[A-Z]{1,4}\d{3,4}|error|warning|info|debug)\b[: ]|\bno [\w ]{1,30}\b(?:needed|necessary|required|found|left|yet|available|failed|errors?)\b|^\W*(?:(?:ok(?:ay)?|well|hm+|yes|yeah|so)\W+)?i (?:think|guess|believe|noticed|see|was|am)\b|^\W*actually,? i (?:was|am|had)\b|\b(?:ich weiß|je ne sais|no sé|non so)\b/i;
const DEMAND =
  /\b(?:must|has to|have to|may not|(?:is|are) not allowed|not allow|forbid|forbidden|no need to|required to|(?:do(?:es)?(?: not|n['’]?t)) want)\b|(?:^\W*|[,;:.] |\b(?:and|but|please|also|so|then|no) )(?:never|always|don['’]?t|do not|make sure|ensure|avoid|leave|stop \w+ing)\b|\bbefore (?:you (?!can\b)|(?:each|every|any) )|\b(?:wait|hold)\b.{0,60}\buntil\b|\bnot\b.{0,60}\buntil (?:I|we) (?:say|confirm|approve|tell|have|agree)|\b(?:stays?|remains?) (?:as (?:is|it is|they are)|untouched|unchanged)\b|\b(?:is|are|stays?|remains?) (?:frozen|off[- ]limits|untouchable|read-only|out of (?:scope|bounds)|confidential)\b|\bhands off\b/i;
const DEMAND_ONLY = /(?:^\W*|[,;:.] |\bplease )only\b|^\W*(?:\S+ ){3,40}only[.!]?$/i;
const DEMAND_AT_START =
  /^\W*(?:no (?!\w+[,.!]?$)\w|(?:use|keep|prefer|without|let['’]?s not|remember)\b|(?:so |and |but )?nothing (?:about|in|to|may|should|must)\b)/i;
const DEMAND_AT_END = /, not \w+[.!]?$/i;
const DECIDED =
  /\b(?:(?:has |have |['’]ve )?decided\b(?: |:)|(?:the |our |my )?decision(?: is)?:|(?:we|I)(?:['’]ll| will) (?:go with|take|stick with)|(?:let['’]s|we) go with|(?:we|I) (?:choose|pick) )|\b(?:ich nehme|wir nehmen|(?:ist|haben|hat) (?:uns |sich )?entschieden)\b/i;
// No prohibition of another language is without one of these; nearly all English sentences are, and told several times faster.
const HINT =
  /nicht|kein|\bnie|\bnur\b|ohne|finger|nessun|nunca|jam[aá]|mai pi|nooit|geen|niet|\bn(?:e |['’])|interdit|d[ée]fense|veuillez|prohib|proib|vietato|\bnon? |não|[\u0370-\u1fff\u2c00-\ud7ff\uf900-\uffff]/i;
// Prohibitions of other languages: by a word for never, or a negation next to a request.
const FOREIGN =
  /\b(?:niemals|nie wieder|auf keinen fall|keinesfalls|finger weg|in nessun caso|nunca|jamás|jamais|mai più|nooit|onder geen beding)\b|\b(?:nicht|kein\w{0,2}) .{0,80}!|\bbitte\b.{0,120}\b(?:nicht|kein\w{0,2}|nie|ohne|nur)\b|(?:^\W*|[,.;:] |\b(?:aber|und|dann) )\p{L}{2,20}n sie\b.{0,80}\b(?:nicht|kein\w{0,2}|nie|nur)\b|\b(?:darfst?|dürfen|sollst?|sollen)\b.{0,80}\b(?:nicht|kein\w{0,2}|nie|nur)\b|\bnicht (?:\p{L}+ )?\p{L}{3,}e?n[.!]?$|\bn(?:e |['’])(?!sais|ai |est |a )\S{1,30} (?:jamais|pas|rien|plus)\b.{0,40}!|\bne (?:pas|jamais|rien|plus|me|le|la|les|touche[zr]?|faites|mettez) |\b(?:il ne faut pas|interdit|défense de|veuillez ne)\b|^\W*(?:por favor,? |pero |e |y |ma |mas )?(?:no|não|non) (?:(?:me|se|lo|la|los|las|le|te|o|a) )?\p{L}{2,}(?:[aeo]|[ae]s|[ae]n|[ae]te|[ae]m|[ae]r)(?=[ .!,]|$)|\b(?:prohibido|no se (?:debe|puede|toca)|no hay que|está proibido|vietato)\b|\b(?:geen|niet) (?:\p{L}+ )?\p{L}{3,}en[.!]?$|\b(?:mag|mogen) (?:niet|geen)\b|(?:^|[\s,])не \p{L}{2,}(?:й|йте|и|ите|ь|ьте|ть)(?=[\s.,!]|$)|нельзя|никогда|不要|必须|必須|不得|绝对|絕對|禁止|不用|别(?:再|动|改|碰)|ないで|てはいけ|でお願い(?:し|いたし)ます|してはなら|하지 ?마|해서는 안/iu;
const FIRM =
  /\b(?:never|must|do not|don['’]?t|not|forbid\w*|always|only|leave|nothing|frozen|off[- ]limits|hands off|before you|until|stays?|remains?)\b/i;

const ASKED = /\b(?:should|shouldn'?t|need(?:s|ed)? to|please|without|instead|prefer|want|let'?s|can you|could you)\b/i;

// Words that the patterns above cannot do without: who changes one changes the other.
const ANYWHERE = 2;
const ONLY = 4;
const AT_START = 8;
const NOT = 16;
const DECIDES = 32;
const OTHER_LANGUAGE = 64;
const ASKS = 128;
/** The words of a sentence that may make it a demand. */
export const demandCues: Cues = /* @__PURE__ */ cuesOf([
  [
    ANYWHERE,
    ' must | has to | have to | may not | not allow| forbid| no need to | required to |t want | never | always | don t | dont | do not | make sure | ensure | avoid | leave | stop | before you | before each | before every | before any | until | stay | stays | remain | remains | frozen | off limits | untouchable | read only | out of | confidential | hands off ',
  ],
  [ONLY, ' only '],
  [AT_START, ' no | use | keep | prefer | without | let s not | lets not | remember | nothing '],
  [NOT, ' not '],
  [
    DECIDES,
    ' decided | decision| go with| will take| ll take| stick with| choose | pick | nehme | nehmen | entschieden ',
  ],
  [
    OTHER_LANGUAGE,
    ' niemals | nie | kein| finger weg | nessun | nunca | jamais | nooit | geen | nicht | ohne | nur | ne | n | interdit | veuillez | no | non | prohibido | vietato | niet ',
  ],
  [
    ASKS,
    ' should | shouldn| need to | needs to | needed to | please | without | instead | prefer | want | let s | lets | can you | could you ',
  ],
]);

/** How output begins that programs put into the user's mouth. */
export const OUTPUT: RegExp =
  /^(?:\[\w+ console\]\n?|observation: ?|execution result\b|\[tool (?:result|output)|tool (?:result|output):|output of |<function_results>|base directory for this skill:|\[file: )/i;
