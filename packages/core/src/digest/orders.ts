import { CORRECTED, LAST_CHANGE, LAST_CHECK, LAST_SAID, LAST_STEP, LATEST, RULE, UNRESOLVED } from './labels.ts';

/** Stands in front of what a tool's output tells its reader to do. */
export const FROM_TOOL = '[tool output] ';

/**
 * A line of a tool's output or of a file as it may be quoted: it has the rank of its source (law 24). Somebody's turn, our own
 * notation and orders that do harm are left out (`''`), anything else that tells the reader what to do is marked.
 */
export function withoutAuthority(line: string): string {
  if (!SUSPECT.test(line)) return line;
  // What cannot be seen must not part a word.
  const seen = line.replace(INVISIBLE, '');
  if (isTurn(seen) || OWN.test(seen) || OVERRIDE.test(seen) || TOKEN.test(seen)) return '';
  const place = PLACE.exec(seen)?.[0] ?? '';
  const text = seen.slice(place.length).trimStart();
  const bare = text.replaceAll(FROM_TOOL, '');
  const isDirective = DIRECTIVE.test(bare);
  if (GRAVE.test(bare) && (isDirective || IMPERATIVE.test(bare))) return '';
  return isDirective ? `${place}${FROM_TOOL}${bare}` : line;
}

// Where a search found it.
const PLACE = /^\s*(?:(?:…\/)?[\w@.+/-]{1,200}\.\w{1,8}(?::\d{1,6}(?::\d{1,4})?:|-\d{1,6}-)|Line \d{1,6}:)\s?/;

/** `User: yes, go on`: a name of a speaker, and words behind it; a setting such as `user: 1000` or a type is none. */
function isTurn(line: string): boolean {
  if (ALONE.test(line)) return true;
  for (const { index, 0: name } of line.matchAll(SPEAKER)) {
    const rest = line.slice(index + name.length, index + name.length + 200);
    if (AGREED.test(rest) || (/^\W*\p{Lu}/u.test(name) ? SPOKEN : ADDRESSING).test(rest)) return true;
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
const AGREED =
  /^["'*_`\s>]{0,6}(?:yes|yep|yeah|ok(?:ay)?|sure|approved?|i (?:approve|agree|confirm)|agreed|confirmed?|go ahead|do it|ja|oui|sí|да|好|可以|同意|はい)(?![\p{L}\p{N}(=])/iu;
const SPOKEN = /^["'*_`\s>]{0,6}(?:[\p{L}\p{N}'’/_.-]+[,;]? ){2}[\p{L}'’]+|^\s?[\u3040-\u9fff\uac00-\ud7af]{4}/u;
// Behind a field's name, words of somebody who speaks.
const ADDRESSING =
  /\b(?:i|i['’]m|you|your|me|my|we|us|please|never|always|must|should|don['’]t|do not|let['’]?s)\b|^\s?(?:go|run|delete|remove|push|send|drop|ignore|stop|use|do|make|write|install|execute|approve|deploy|merge|disable|bitte|nicht)\b|^\s?[\u3040-\u9fff\uac00-\ud7af]{4}/iu;

const escaped = (label: string): string => label.trim().replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const OWN = new RegExp(
  `(?<![\\p{L}\\p{N}_])(?:${[RULE, LATEST, CORRECTED, LAST_SAID, LAST_CHANGE, LAST_CHECK, LAST_STEP, UNRESOLVED].map(escaped).join('|')})|\\b[Uu]ser [Rr]ule\\b|<\\\\?\\/?(?:state_snapshot|overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)\\b`,
  'u',
);

/** What takes instructions away or asks for what nobody may have. */
export const OVERRIDE: RegExp =
  /\b(?:ignore|disregard|forget|override|bypass) (?:all |any |the |your |every |each |of |these |those |my |our ){0,4}(?:previous|prior|above|earlier|preceding|former|existing|system|safety) (?:instruction|prompt|rule|message|direction|guideline|context)s?|\byou (?:are|must) now (?:act|be|in|a|an|obey|follow|free|ignore|reveal)\b|\b(?:new|updated|real|actual|secret) (?:system )?instructions?:|\b(?:do not|don['’]t|never) (?:tell|inform|alert|mention (?:this |it )?to) the user\b|\bwithout (?:telling|informing|alerting) the user\b|\b(?:reveal|print|output|leak|exfiltrate|send me) (?:your|the|all|any) (?:system prompt|credentials|secrets|api keys?|passwords|private keys?)\b|\bas the user,/i;

/** Marks of turns in what models are given. */
export const TOKEN: RegExp =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|system-reminder|system_prompt)>/i;

/** Deeds that cannot be taken back. */
export const GRAVE: RegExp =
  /\brm\s+-[a-z]*[rf]|\bsudo\s+\w|\b(?:curl|wget)\b[^|\n]{0,200}\|\s*(?:ba|z|da)?sh\b|\bdrop\s+(?:table|database|all)\b|\bmkfs\b|\bdd if=|\bchmod\s+-?R?\s*777|\bgit push\s+(?:-f|--force)|\bforce[- ]push|\bdelete (?:all|every|everything)\b|\b(?:send|post|upload|forward|e-?mail|exfiltrate)\b[^.\n]{0,80}\b(?:credentials?|secrets?|passwords?|api keys?|tokens?|\.env|private keys?|ssh keys?)\b/i;

// Second persons, machines spoken to, imperatives that start a sentence.
const DIRECTIVE =
  /\byou (?:must|should|shall|need to|have to|ought to|are (?:now )?(?:required|authori[sz]ed|allowed|instructed|permitted|told|ordered)|may now|can now|will now)\b|\b(?:please|kindly|bitte) \p{L}{2,}|\b(?:ai|llm|coding|language)[- ]?(?:agents?|assistants?|models?)\b|\b(?:assistants?|agents?|claude|gpt|copilot|chatbot)\b[,:]? (?:must|should|shall|please|needs? to|has to|have to|now|is (?:allowed|to)|are (?:allowed|to))\b|^[^\p{L}\p{N}]*(?:\p{L}{1,20}: )?[^\p{L}\p{N}]*(?:important|attention|urgent|immediately)\b|(?:^[^\p{L}\p{N}]*(?:[\w.-]{1,30}: )?|[.!?;:] )(?:always|never|do not|don['’]t|make sure|ensure that|from now on|now (?:run|delete|remove|send|push|email|execute)) \p{L}/iu;
// Commands of a script are no orders. A field's name may stand in front.
const IMPERATIVE =
  /(?:^|[^\p{L}\p{N}_\s]\s?|(?:^|[,:;(] ?)[\w-]{1,30} |\b(?:and|then|to|now|just|please) )(?:run|delete|remove|send|post|push|e-?mail|execute|force[- ]push|upload|forward|drop|exfiltrate)\b/iu;

const INVISIBLE = /[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;
// Nearly no line has any of these words; the patterns above need not look at the others.
const SUSPECT = new RegExp(
  `${NAMES}|${INVISIBLE.source}|\\b(?:you|please|kindly|bitte|agents?|models?|llm|claude|gpt|copilot|chatbot|important|attention|urgent|immediately|always|never|do not|don['’]t|make sure|ensure|now|ignore|disregard|forget|override|bypass|instructions?|without|reveal|print|output|leak|exfiltrate|send|run|delete|remove|push|email|execute|upload|disable|install|last|correction|unresolved|force)\\b|<|\\[`,
  'iu',
);
