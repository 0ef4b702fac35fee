import { type Cues, cuesOf, WIDE } from './cues.ts';
import { isForeignDemand } from './tongues.ts';

/** True for a sentence that demands, forbids or decides something; what only tells how things are does not. */
export function isDemand(sentence: string): boolean {
  return isDemandBy(sentence, demandCues(sentence, 0, sentence.length));
}

/** As `isDemand`, of a sentence whose cues are known: what has none of a pattern's words is spared the pattern. */
export function isDemandBy(sentence: string, cues: number): boolean {
  const demands =
    ((cues & ANYWHERE) !== 0 && DEMAND.test(sentence)) ||
    ((cues & MODAL) !== 0 && MUST.test(sentence) && !GUESSED.test(sentence)) ||
    ((cues & ADVERB) !== 0 && ADVERBIAL.test(sentence) && !STATED.test(sentence)) ||
    ((cues & ONLY) !== 0 && isOnly(sentence)) ||
    ((cues & AT_START) !== 0 && DEMAND_AT_START.test(sentence)) ||
    ((cues & LASTING) !== 0 && isLasting(sentence)) ||
    ((cues & NOT) !== 0 && DEMAND_AT_END.test(sentence)) ||
    ((cues & DECIDES) !== 0 && DECIDED.test(sentence)) ||
    ((cues & (OTHER_LANGUAGE | WIDE)) !== 0 && isForeignDemand(sentence));
  return demands && !NO_DEMAND.test(sentence);
}

/** True for a sentence that asks for something, whether or not it demands it. */
export function isAskedBy(sentence: string, cues: number): boolean {
  return (cues & ASKS) !== 0 && ASKED.test(sentence);
}

/** True for a demand that outlasts the request it came with: something forbidden, fixed or decided. */
export function isFirm(sentence: string): boolean {
  return FIRM.test(sentence) || DECIDED.test(sentence) || isForeignDemand(sentence);
}

// What an order begins with; a statement begins with whom or what it is about.
const VERBS =
  'add|adjust|answer|apply|ask|assume|build|bump|call|change|check|clean|comment|commit|confirm|convert|copy|create|debug|define|delete|deploy|disable|do|document|draft|drop|edit|enable|ensure|execute|explain|expose|extend|fall back|fetch|fix|focus|follow|format|generate|get|give|go|handle|ignore|implement|import|include|insert|install|keep|leave|let|limit|link|list|log|make|merge|migrate|mock|modify|move|name|open|optimi[sz]e|output|overwrite|pick|post|prepare|print|publish|push|put|read|rebase|refactor|reformat|release|remove|rename|replace|reply|report|reset|respond|restart|return|reuse|review|revert|rewrite|run|save|send|set|ship|show|sign|skip|speak|split|squash|start|stop|store|summari[sz]e|talk|tell|terminate|test|touch|translate|treat|try|update|upgrade|upload|use|validate|verify|wait|warn|work|wrap|write';
const ORDER = new RegExp(
  `(?:^\\W*|[,;:–—] \\W{0,3}|\\b(?:and|then|please|but|so|just|always|also) )(?:${VERBS})\\b`,
  'i',
);

// A question, a cheer, a heading, a line of a linter or a log, a complaint, what others are quoted with, what one may do or not,
// and what is only there where something was said before.
const NO_DEMAND =
  /\bdon['’]?t (?:forget|worry|give up|be (?:shy|afraid|too)|know|think|understand|remember|care|mind)\b(?! me\b)|\btake care\b|[?？]\s*$|\bfingers? crossed\b|^\W*keep (?:(?:it )?(?:up|going|on|calm|in (?:mind|touch)|doing|trying|smiling|dreaming)|(?:me|us|you|him|her|them) (?:posted|informed|updated))\b|\b(?:me|us|you) posted\b|\bnever (?:give up|mind|say never|ever$)|\bno (?:problem|worries|doubt|idea|wonder)\b|\bhow (?:much|many|long)\b|^\W*use (?:it|that|this|those|them|of)\b|^\s*#{1,6} |^\S{1,200}:\d{1,6}(?::\d{1,5})?[: ]|^\s*(?:[A-Z]{1,4}\d{3,4}|error|warning|info|debug)\b[: ]|\bno [\w ]{0,30}\b(?:needed|necessary|required|found|left|yet|available|failed|errors?)\b|^\W*(?:(?:ok(?:ay)?|well|hm+|yes|yeah|so)\W+)?i (?:think|guess|believe|noticed|see|was|am)\b|^\W*actually,? i (?:was|am|had)\b|\b(?:which|that|this)(?: is|['’]s| was) (?:so |really |very )?(?:annoying|ugly|bad|sad|odd|weird|strange|confusing|wrong|a (?:bug|problem|pity)|the (?:bug|problem|issue))\b|\b(?:he|she|docs?|documentation|readme|linter|compiler|article|book|blog|guide|manual|boss|colleague|error|warning|banner|page)\b[^.:"“«]{0,30}\b(?:says?|said|tells?|told|reads?|states?|warns?|warned)(?: me| us| that)?(?: i\b|\s?[:,]? ?["“«]|:)|\b(?:ich weiß|je ne sais|non so)\b|\bno sé(?!\w)/i;
const DEMAND =
  /\b(?:may not|(?:is|are) not allowed|not allow|forbid|forbidden|no need to|required to|(?:do(?:es)?(?: not|n['’]?t)) want)\b|(?:^\W*|[,;:.] |\b(?:and|but|please|also|so|then|no) )(?:don['’]?t(?! (?:have|need) to\b)|do not(?! (?:have|need) to\b)|make sure|ensure|avoid|leave(?! (?:was|is|of|days?|requests?)\b)|stop \w+ing)\b|\b(?:wait|hold)\b.{0,60}\buntil\b|\bnot\b.{0,60}\buntil (?:I|we) (?:say|confirm|approve|tell|have|agree)|\b(?:stays?|remains?) (?:as (?:is|it is|they are)|untouched|unchanged)\b|^(?!.{0,40}\b(?:screen|app|ui|page|window|cursor|terminal|browser|computer|laptop|it|everything) (?:is|are|stays?) frozen).*\b(?:is|are|stays?|remains?) (?:frozen(?! (?:after|when|since|while|again))|off[- ]limits|untouchable|read-only|out of (?:scope|bounds)|confidential)\b|\bhands off\b/i;

const MUST = /\b(?:must\b(?!-)|has to|have to)\b/i;
const MOVING =
  '(?:a (?:\\w+ )?(?:experience|feeling|joy|pleasure|pain)|awesome|amazing|great|nice|fun|hard|tough|exciting|wonderful|beautiful|frustrating|annoying|exhausting|rewarding|scary|terrible|incredible|fantastic|lovely|difficult|tir(?:ed|ing)|proud|thrilled|happy|kidding|joking|liberating|stressful|interesting)';
// What must be so is guessed; who must do something is somebody else; what one does not have to do is not forbidden.
const GUESSED = new RegExp(
  [
    '\\bthere (?:must|has to|have to)\\b',
    `\\bmust(?: just| really)? be (?:so |such (?:an? )?|really |very |quite |pretty )*${MOVING}\\b`,
    '\\b(?:you|he|she) must (?:really |just )?be\\b',
    '\\b(?:it|that|this|they|which|these|those)(?: must| has to| have to) (?:just |really )?be (?:the|an?|some\\w*|because|due|about|why|how|that|\\w+ing)\\b',
    "\\bmust(?: not|n[’']t)? have\\b|\\bmust(?:[’']ve| be so| (?:feel|love|miss|hate|mean|admit|say|confess))\\b",
    '\\ban? (?:\\w+ )?must\\b',
    "\\b(?:i|he|she|(?:my|his|her|their) \\w+)(?:[’']ll|[’']d| will| still| just)? (?:must|ha(?:ve|s) to)\\b|\\b(?:you|it|we)[’']ll (?:just )?have to\\b",
    "(?:\\bnot|n[’']?t) have to\\b",
  ].join('|'),
  'i',
);

const ADVERBIAL =
  /(?:^\W*|[,;:.] |\b(?:and|but|please|also|so|then|no) )(?:never|always) (?!(?:good|great|nice|fun|happy|glad|sad|up|down|on|in|at|an?|the|so|here|there|more|less|again|ever|heard|thought|knew|saw|seen|been|had|was|were|got|say never|(?!\w*(?:eed|embed)\b)\w+ed|(?!bring|ping|string)\w+ing)\b)\w/i;
// `You never … and always …` tells what somebody does.
const STATED = /^\W*(?:you|they|he|she|it|i|we)(?:['’]\w+)? (?:\w+ ){0,5}(?:never|always)\b/i;

/** `Only edit …`, `… in Berlin only`: an order, or words without a verb. */
function isOnly(sentence: string): boolean {
  if (ONLY_FIRST.test(sentence)) return true;
  return ONLY_LAST.test(sentence) && (ORDER.test(sentence) || BARE.test(sentence));
}

const ONLY_FIRST = new RegExp(
  `(?:^\\W*|[,;:.] |\\bplease |\\band )only (?:(?:${VERBS})\\b|(?:if|when|after|once) (?:i|we) (?:say|ask|tell|confirm|approve|agree)|(?:in|with|via|from) .{1,40}\\bplease\\b)|^\\W*only .{1,40}\\b(?:may|should|must)\\b`,
  'i',
);
const ONLY_LAST = /^\W*(?:\S+ ){1,40}only(?:,? please)?[.!]?$/i;
const BARE =
  /^\W*(?!(?:to|in|on|at|for|from|with|by|of|the|an?|this|that|it|these|those|my|happens|works|fails|crashes|occurs|seen|tested|runs|shows)\b)(?:(?!is\b|are\b|was\b|were\b|has\b|have\b|had\b|i\b|we\b|you\b|he\b|she\b|it\b|they\b)[\w'’/.-]+ ){1,4}only/i;

const DEMAND_AT_START =
  /^\W*(?:no (?!(?:\w+[,.!]?$|(?:luck|clue|idea|wait|one|way|chance|thanks?|rush|hurry|sign|trace|effect|difference|success|progress|response|kidding|matter|offense|it|that|this|i|you|we|they|he|she|the|not|funciona|sabe|puede|hay|existe|s[eé]|me|lo|es|est[aá]|carga|compila|arranca|aparece)(?!\w))|.*\b(?:is|are|was|were|has|have|had|does|did|can|could|will|would|exists?|seems?|works?|knows?|came|shows?|appears?|happens?|happened|so far|this time|either)\b)\w|(?:use|keep|without (?:my|our|\w+ing)|let['’]?s not|remember(?:,|:| (?:that|to))|prefer (?!not to))\b|(?:so |and |but )?(?:do )?nothing (?:about (?!it\b)(?!.*\beither\b)|(?:\S+ ){0,5}(?:may|should|must|goes|leaves|unless)\b))/i;
const DEMAND_AT_END = /, not \w+[.!]?$/i;
const DECIDED =
  /\b(?:(?:we|I|they|client|customer|team)(?:['’]ve| have| has)? decided\b(?: |:)|^\W*decided\b(?: |:)|(?:the |our |my )?decision(?: is)?:|(?:we|I)(?:['’]ll| will) (?:go with|take|stick with)|(?:let['’]s|we) go with|(?:we|I) (?:choose|pick) )|\b(?:ich nehme|wir nehmen|(?:ist|haben|hat) (?:uns |sich )?entschieden)\b/i;

/** How work is to be done from here on: in which language, on which branch, after whose consent. */
function isLasting(sentence: string): boolean {
  if (BINDING.test(sentence)) return true;
  if (BEFORE.test(sentence) && ORDER.test(sentence)) return true;
  if (IN_LANGUAGE.test(sentence) && (LANGUAGE_ORDER.test(sentence) || LANGUAGE_OF.test(sentence))) return true;
  const span = SPAN.exec(sentence);
  if (span === null) return false;
  const rest = sentence.replace(span[0], '').replace(/^[\s,]+/, '');
  return ORDER.test(rest) || /^no \w|\bplease\b|\b(?:i|we) want\b|\byou (?:should|must|will|shall)\b/i.test(rest);
}

const SPAN =
  /\b(?:from now on|going forward|from here on|in (?:the )?future(?! (?:releases?|versions?|updates?))|for the rest of (?:this|the) (?:session|conversation|chat|project|work))\b/i;
const BEFORE = /\bbefore (?:you (?!can\b)|(?:each|every|any) )|\b(?:me|us)\b.{0,40}\b(?:before|first)\b/i;
const BINDING =
  /\b(?:under no circumstances|in no case|on no account|at no point)\b|(?:^\W*|[,;:.] |\b(?:please|and|but|so|then) )(?:stick (?:to|with)|stay (?:on|in|within|away|clear|off|out)|steer clear of|refrain from|(?:limit|restrict|confine) (?:yourself|this|it|the|your|all)|hold off)\b|\b(?:nobody|no ?one) (?:may|should|must|(?:ever )?(?:touch|edit|chang|push|deploy|delet|merg|modif|renam|commit|remov)\w*s)\b|\b(?:is|are)(?: not|n['’]t) (?:ok(?:ay)?|acceptable|welcome|permitted|an option|negotiable)\b(?! (?:since|after|because|today|yet|right now))|\b(?:is|are) (?:a no-go|taboo|banned|off the table)\b|\b(?:i|we)(?:['’]d| would)(?: much)? (?:rather (?:you|we|not|have|use|keep|see)|prefer)\b|^\W*(?:i|we) prefer\b|\b(?:everything|anything|all (?:\w+ ){1,3}|(?:each|every) \w+ )\s?go(?:es)? (?:through|via|behind)\b|\b(?:unless|until) (?:i|we) (?:say|tell|ask|confirm|approve|agree|explicitly)\b|\bwithout (?:my|our) (?:ok\w*|approval|permission|consent|go-ahead|review)\b/i;
const LANGUAGES =
  'german|english|french|spanish|italian|portuguese|dutch|russian|chinese|japanese|korean|polish|turkish|lower ?case|upper ?case';
const IN_LANGUAGE = new RegExp(`\\bin (?:plain |simple |british |american )?(?:${LANGUAGES})\\b`, 'i');
const LANGUAGE_ORDER =
  /(?:^\W*|[,;:] |\b(?:please|and|then|always) )(?:answer|reply|respond|write|speak|talk|communicate|comment|document|explain|summari[sz]e|translate|keep)\b/i;
const LANGUAGE_OF = new RegExp(
  `^\\W*(?:all )?(?:commit messages?|commits|comments?|answers?|replies|docs?|documentation|messages?|names?|identifiers|texts?|code|strings|output)(?: (?!is\\b|are\\b|was\\b|were\\b)\\S+){0,3} in (?:\\w+ )?(?:${LANGUAGES})(?:,? (?:only|please))?[.!]?$`,
  'i',
);

const FIRM =
  /\b(?:never|must|do not|don['’]?t|not|forbid\w*|always|only|leave|nothing|nobody|no ?one|under no|frozen|off[- ]limits|hands off|before|until|unless|from now on|stick to|refrain|stays?|remains?)\b/i;

const ASKED = /\b(?:should|shouldn'?t|need(?:s|ed)? to|please|without|instead|prefer|want|let'?s|can you|could you)\b/i;

// Words that the patterns above cannot do without: who changes one changes the other.
const ANYWHERE = 2;
const ONLY = 4;
const AT_START = 8;
const NOT = 16;
const DECIDES = 32;
const OTHER_LANGUAGE = 64;
const ASKS = 128;
const MODAL = 256;
const ADVERB = 512;
const LASTING = 1024;
/** The words of a sentence that may make it a demand. */
export const demandCues: Cues = /* @__PURE__ */ cuesOf([
  [
    ANYWHERE,
    ' may not | not allow| forbid| no need to | required to |t want | not want | don t | dont | do not | make sure | ensure | avoid | leave | stop | until | stay | stays | remain | remains | frozen | off limits | untouchable | read only | out of | confidential | hands off ',
  ],
  [MODAL, ' must | has to | have to '],
  [ADVERB, ' never | always '],
  [ONLY, ' only '],
  [AT_START, ' no | use | keep | prefer | without | let s not | lets not | remember | nothing '],
  [
    LASTING,
    ' from now on | going forward | from here on | future | rest of | circumstances | no case | no account | no point | stick | stay | steer | refrain | limit | restrict | confine | hold off | nobody | no one | noone | ok | okay | acceptable | welcome | permitted | an option | negotiable | no go | taboo | banned | off the table | rather | prefer | go through | goes through | go via | goes via | go behind | goes behind | unless | until | without my | without our | before | first | german | english | french | spanish | italian | portuguese | dutch | russian | chinese | japanese | korean | polish | turkish | lower case | lowercase | upper case | uppercase ',
  ],
  [NOT, ' not '],
  [
    DECIDES,
    ' decided | decision| go with| will take| ll take| stick with| choose | pick | nehme | nehmen | entschieden ',
  ],
  [
    OTHER_LANGUAGE,
    ' niemals | nie | kein| finger weg | nessun | nunca | jamais | nooit | geen | nicht | ohne | nur | ne | n | interdit | veuillez | no | non | prohibido | vietato | niet | deutsch | englisch | ab jetzt | ab sofort | von nun | von jetzt | frag | frage | fragen | immer | halte | bleib | bleibe | anglais | partir | aucun | demande | demandez | toujours | espa | ahora | preg | pregunta| ninguna | siempre | portugu| agora | pergunt| sempre | alguma | italiano | inglese | ora in | chied| nederlands | engels | vanaf nu | voortaan | vraag | altijd ',
  ],
  [
    ASKS,
    ' should | shouldn| need to | needs to | needed to | please | without | instead | prefer | want | let s | lets | can you | could you ',
  ],
]);

/** How output begins that programs put into the user's mouth. */
export const OUTPUT: RegExp =
  /^(?:\[\w+ console\]\n?|observation: ?|execution result\b|\[tool (?:result|output)|tool (?:result|output):|output of |<function_results>|base directory for this skill:|\[file: )/i;
