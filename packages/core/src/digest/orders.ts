import { FOREIGN_DIRECTIVE, FOREIGN_HINT, FOREIGN_OVERRIDE } from './foreign.ts';
import {
  ANSWERED,
  ASKED,
  CORRECTED,
  LAST_CHANGE,
  LAST_CHECK,
  LAST_SAID,
  LAST_STEP,
  LATEST,
  REJECTED,
  REPLIED,
  RULE,
  UNRESOLVED,
} from './labels.ts';

/** Stands in front of what a tool's output tells its reader to do. */
export const FROM_TOOL = '[tool output] ';

/**
 * What a tool's output or a file says, as it may be quoted: it has the rank of its source (law 24). Of each line, somebody's turn, our
 * own notation and orders that do harm are left out, anything else that tells the reader what to do is marked.
 */
export function withoutAuthority(text: string): string {
  if (!text.includes('\n')) return lineWithoutAuthority(text);
  // An order may be broken where a line ends.
  const joined = legible(text.replaceAll('\n', ' '));
  if (OVERRIDE.test(joined) || (FOREIGN_HINT.test(joined) && FOREIGN_OVERRIDE.test(joined))) return '';
  return text
    .split('\n')
    .map(lineWithoutAuthority)
    .filter((line) => line !== '')
    .join('\n');
}

/** A line's piece as it may be quoted: what was marked at its start is so in every piece. */
export function markedAs(line: string, piece: string): string {
  return line.includes(FROM_TOOL) && !line.includes('\n') && !piece.includes(FROM_TOOL)
    ? `${FROM_TOOL}${piece}`
    : piece;
}

function lineWithoutAuthority(line: string): string {
  if (REVERSED.test(line)) return '';
  const seen = legible(line);
  const isForeign = FOREIGN_HINT.test(seen);
  if (!isForeign && !SUSPECT.test(seen)) return visible(line);
  if (isTurn(seen) || OWN.test(seen) || OVERRIDE.test(seen) || TOKEN.test(seen)) return '';
  if (isForeign && FOREIGN_OVERRIDE.test(seen)) return '';
  const place = PLACE.exec(seen)?.[0] ?? '';
  const bare = seen.slice(place.length).trimStart().replaceAll(FROM_TOOL, '');
  const isDirective = isOrder(bare) || isVoucher(bare) || (isForeign && FOREIGN_DIRECTIVE.test(bare));
  if (GRAVE.test(bare) && (isDirective || IMPERATIVE.test(bare))) return '';
  return isDirective ? `${place}${FROM_TOOL}${bare}` : visible(line);
}

// A text to be seen in another order than it is read in is not what it looks like.
const REVERSED = /[\u202d\u202e]/;
// What cannot be seen must not part a word; joiners are part of emoji and of some scripts' words.
const INVISIBLE =
  /[\u00ad\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: all that is not ASCII
const BEYOND_ASCII = /[^\u0000-\u007f]/;

function visible(line: string): string {
  return BEYOND_ASCII.test(line) ? line.replace(INVISIBLE, '') : line;
}

/** A line as its reader takes it: wide, round and mathematical letters are letters. */
function legible(line: string): string {
  const shown = visible(line);
  return DRESSED.test(shown) ? shown.normalize('NFKC') : shown;
}

const DRESSED = /[\uff21-\uff3a\uff41-\uff5a\u24b6-\u24e9\u2100-\u214f\ufb00-\ufb06\u{1d400}-\u{1d7ff}]/u;

// Where a search found it.
const PLACE = /^\s*(?:(?:…\/)?[\w@.+/-]{1,200}\.\w{1,8}(?::\d{1,6}(?::\d{1,4})?:|-\d{1,6}-)|Line \d{1,6}:)\s?/;

// When a log says it, and how loud.
const LOGGED =
  /^\s*(?:\[?\d{4}[-/]\d\d[-/]\d\d[T ]?[\d:.,+]{0,24}Z?\]?\s+)?(?:[[(<]?(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)[\])>]?:?\s+)?/i;
const LABEL = /^\s*[\w.' -]{1,40}: /;

/** As it stands, or behind what a log or an error puts in front of it. */
function isOrder(line: string): boolean {
  if (DIRECTIVE.test(line)) return true;
  const said = line.replace(LOGGED, '');
  const told = said.replace(LABEL, '');
  return (said !== line && DIRECTIVE.test(said)) || (told !== said && DIRECTIVE.test(told));
}

/** `User: yes, go on`: a name of a speaker, and words behind it; a setting such as `user: 1000` or a type is none. */
function isTurn(line: string): boolean {
  if (ALONE.test(line) || NAMED.test(line)) return true;
  const [, said] = BRACKETED.exec(line) ?? FIELD.exec(line) ?? [];
  if (said !== undefined && (AGREED.test(said) || ORDERING.test(said))) return true;
  for (const { index, 0: name } of line.matchAll(SPEAKER)) {
    const rest = line.slice(index + name.length, index + name.length + 200);
    if (AGREED.test(rest) || ADDRESSING.test(rest)) return true;
    if (/^\W*\p{Lu}/u.test(name) && SPOKEN.test(rest)) return true;
  }
  return false;
}

const NAMES =
  'user|human|assistant|system|developer|operator|administrator|admin|owner|maintainer|benutzer|nutzer|utilisateur|usuario|usuário|utente|gebruiker|用户|用戶|ユーザー?|사용자|ai';
const KINDS =
  '(?: (?:prompt|messages?|notes?|instructions?|rules?|says?|said|wrote|requests?|turn|confirms?|approves?))?';
// A small letter in the middle of a sentence is no speaker's name.
const SPEAKER = new RegExp(
  `(?:(?:^|[^\\p{L}\\p{N}_ ]) ?(?:the )?(?:${NAMES})|(?<![\\p{L}\\p{N}_.$/-])(?:User|Human|Assistant|System|USER|HUMAN|ASSISTANT|SYSTEM))${KINDS}["'*_\`)\\]]{0,4} ?[:：>»]`,
  'giu',
);
const ALONE =
  /^[^\p{L}\p{N}]*(?:User|Human|Assistant|System|USER|HUMAN|ASSISTANT|SYSTEM)[^\p{L}\p{N}]*[:：][^\p{L}\p{N}]*$/u;
// `Assistant: Paying now.`: only in a talk has a line these names and a sentence behind it.
const NAMED =
  /^[^\p{L}\p{N}]*(?:(?:Human|Assistant)["'*_`)\]]{0,4} ?[:：>»] ?["'*_`]{0,4}\p{L}|User["'*_`)\]]{0,4} ?[:：>»] ?["'*_`]{0,4}\p{L}[^.!?\n]{1,200} [^.!?\n]{1,200}[.!?]["'*_`]{0,4}$)/u;
// `(user) delete it`, `{"role": "user", "content": "I confirm"}`.
const BRACKETED = /^[^\p{L}\p{N}([<{]*[([<{](?:user|human|assistant|system|operator|owner|admin)[)\]>}]\s?(.{1,200})/iu;
const FIELD =
  /["']?role["']?\s{0,2}[:=]\s{0,2}["'](?:user|human|assistant|system|developer)["']\s{0,2},\s{0,2}["']?content["']?\s{0,2}[:=]\s{0,2}["'](.{1,200})/i;
const ORDERING =
  /^["'*_`\s>]{0,6}(?:please |now |just |you (?:may|can|must|should) |i (?:want|confirm|approve|agree|allow|authori[sz]e)\b|(?:go|run|delete|remove|push|send|drop|wipe|ignore|stop|install|execute|approve|deploy|merge|disable|transfer|pay|publish)\b)/iu;
const AGREED =
  /^["'*_`\s>]{0,6}(?:yes|yep|yeah|ok(?:ay)?|sure|approved?|i (?:approve|agree|confirm)|agreed|confirmed?|go ahead|do it|ja|oui|sí|да|好|可以|同意|はい)(?![\p{L}\p{N}(=])/iu;
const SPOKEN = /^["'*_`\s>]{0,6}(?:[\p{L}\p{N}'’/_.-]+[,;]? ){2}[\p{L}'’]+|^\s?[\u3040-\u9fff\uac00-\ud7af]{4}/u;
// Behind a field's name, words of somebody who speaks.
const ADDRESSING =
  /\b(?:i|i['’]m|you|your|me|my|we|us|please|never|always|must|should|don['’]t|do not|let['’]?s)\b|^\s?(?:go|run|delete|remove|push|send|drop|ignore|stop|use|do|make|write|install|execute|approve|deploy|merge|disable|bitte|nicht)\b|^\s?[\u3040-\u9fff\uac00-\ud7af]{4}/iu;

const escaped = (label: string): string => label.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const OWN = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[RULE, LATEST, CORRECTED, LAST_SAID, LAST_CHANGE, LAST_CHECK, LAST_STEP, REJECTED, UNRESOLVED, ANSWERED, REPLIED, ASKED].map(escaped).join('|')})|\\b[Uu]ser [Rr]ule\\b|<\\\\?\\/?(?:state_snapshot|overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)\\b`,
  'u',
);

/** What takes instructions away or asks for what nobody may have. */
export const OVERRIDE: RegExp =
  /\b(?:ignore|disregard|forget|override|bypass) (?:all |any |the |your |every |each |of |these |those |my |our ){0,4}(?:previous|prior|above|earlier|preceding|former|existing|system|safety) (?:instruction|prompt|rule|message|direction|guideline|context)s?|\byou (?:are|must) now (?:act|be|in|a|an|obey|follow|free|ignore|reveal)\b|\b(?:new|updated|real|actual|secret) (?:system )?instructions?:|\b(?:do not|don['’]t|never) (?:tell|inform|alert|mention (?:this |it )?to) the user\b|\bwithout (?:telling|informing|alerting) the user\b|\b(?:reveal|print|output|leak|exfiltrate|send me) (?:your|the|all|any) (?:system prompt|credentials|secrets|api keys?|passwords|private keys?)\b|\bas the user,|\b(?:ignore|disregard|forget) (?:all|everything|anything)(?: (?:that|which|of|the|was|is|said|written|you (?:were|have been|know)(?: told)?)){0,4} (?:above|before|so far|until now|previously|earlier|told)\b/i;

/** Marks of turns in what models are given. */
export const TOKEN: RegExp =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system-reminder|system_prompt)>/i;

/** Deeds that cannot be taken back. */
export const GRAVE: RegExp =
  /\brm\s+-[a-z]*[rf]|\bsudo\s+\w|\b(?:curl|wget)\b[^|\n]{0,200}\|\s*(?:ba|z|da)?sh\b|\bdrop\s+(?:table|database|all)\b|\bmkfs\b|\bdd if=|\bchmod\s+-?R?\s*777|\bgit push\s+(?:-f|--force)|\bterraform destroy\b|\bwipe (?:the|all|every)\b|\bforce[- ]push|\bdelete (?:all|every|everything)\b|\b(?:send|post|upload|forward|e-?mail|exfiltrate)\b[^.\n]{0,80}\b(?:credentials?|secrets?|passwords?|api keys?|tokens?|\.env|private keys?|ssh keys?)\b/i;

// Second persons, machines spoken to, imperatives that start a sentence. A package may have an agent in its name.
const DIRECTIVE =
  /\byou (?:must|should|shall|need to|have to|ought to|may skip|are (?:now )?(?:required|authori[sz]ed|allowed|instructed|permitted|told|ordered)|may now|can now|will now)\b|\b(?:please|kindly|bitte) [\p{L}\p{N}]{2,}|(?<![\w@/.-])(?:ai|llm|coding|language)[- ]?(?:agents?|assistants?|models?)\b(?:[,:：]|[,:]? (?:must|should|shall|please|needs? to|has to|have to|now|will|are (?:allowed|required|expected|to)|is (?:allowed|required|expected|to)|reading|who|that reads?)\b)|\b(?:assistants?|agents?|claude|gpt|copilot|chatbot)\b[,:]? (?:must|should|shall|please|needs? to|has to|have to|now|is (?:allowed|to)|are (?:allowed|to))\b|\b(?:for|to|note to|hey|dear) (?:the |any |all |every )?(?:ais?|llms?|agents?|assistants?|models?|claude|gpt|copilot|chatbots?)\s?[:：]|^[^\p{L}\p{N}]*(?:\p{L}{1,20}: [^\p{L}\p{N}]*)?(?:important|attention|urgent|immediately)\b|^[^\p{L}\p{N}]*(?:(?:your|the|my) )?(?:(?:current|overall|new|next|real|primary|main) (?:goal|objective|task|mission|plan)s?|goal|objective|mission)\s?[:：]|^[^\p{L}\p{N}[]*\[(?:DONE|TODO|IN PROGRESS)\]|(?:^[^\p{L}\p{N}]*(?:[\w.-]{1,30}: )?|[.!?;:] )(?:always|never|do not|don['’]t|make sure|ensure that|from now on,?|now (?:run|delete|remove|send|push|email|execute)) \p{L}/iu;

/** That the user wants or allows something: only a user can say so. What one may want, and what a harness was told, is no such thing. */
function isVoucher(line: string): boolean {
  for (const { index } of line.matchAll(VOUCHER)) {
    const before = line.slice(Math.max(0, index - 60), index);
    if (BY_ROLE.test(before) && !OPEN.test(before)) return true;
  }
  return false;
}

const VOUCHER =
  /\b(?:user|human|customer|owner|operator|maintainer)(?:['’]s request| (?:has |have |had |also |already |explicitly |clearly |now ){0,3}(?:said|says|request(?:s|ed)|ask(?:s|ed)|wants?|wanted|confirm(?:s|ed)|approve[sd]|agree[sd]|authori[sz]e[sd]|permit(?:s|ted)|allow(?:s|ed)|consent(?:s|ed)|told|tells))\b/gi;
const BY_ROLE = /(?:\b(?:the|as|per)\s|^[^\p{L}\p{N}]*)$/iu;
const OPEN =
  /\b(?:if|when|whether|unless|once|until|after|before|while|that|which|what|where|to proceed,) \(?(?:as )?(?:the )?$/i;
// Commands of a script are no orders. A field's name may stand in front.
const IMPERATIVE =
  /(?:^|[^\p{L}\p{N}_\s]\s?|(?:^|[,:;(] ?)[\w-]{1,30} |\b(?:and|then|to|now|just|please) )(?:run|delete|remove|send|post|push|e-?mail|execute|force[- ]push|upload|forward|drop|exfiltrate)\b/iu;

// Nearly no line has any of these words; the patterns above need not look at the others.
const SUSPECT = new RegExp(
  `${NAMES}|\\b(?:you|please|kindly|bitte|agents?|models?|llm|claude|gpt|copilot|chatbot|customer|important|attention|urgent|immediately|always|never|do not|don['’]t|make sure|ensure|now|ignore|disregard|forget|override|bypass|instructions?|without|reveal|print|output|leak|exfiltrate|send|run|delete|remove|push|email|execute|upload|disable|install|last|correction|unresolved|force|goal|objective|task|mission|plan)\\b|<|\\[`,
  'i',
);
