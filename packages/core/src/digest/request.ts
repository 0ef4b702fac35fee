import { OUTPUT } from '../facts/demand.ts';
import { type Block, plainText, withoutBlocks } from './clean.ts';

/** A prompt taken apart: what the user wrote, and what programs put beside it. */
export type Request = {
  /** The user's own words; `''` where a program wrote all of it. */
  readonly asked: string;
  /** Output and files that came in the user's name. */
  readonly outputs: readonly Block[];
  /** A command of the harness as the user gave it, such as `/review 7`; `''` where it asks nothing of the assistant. */
  readonly command: string;
  /** An earlier part of the conversation, summarized by someone else. */
  readonly earlier: string;
};

/** Reads a prompt; agents put reminders, commands, outputs and whole files into the user's mouth. */
export function requestOf(text: string): Request {
  const plain = plainText(text).trim();
  if (CARRIED.test(plain)) return { asked: '', outputs: [], earlier: plain, command: '' };
  const isShell = SHELL_END.test(plain.slice(-400));
  if (isShell && SHELL_TASK.test(plain.slice(0, 300)))
    return { asked: plain.replace(SHELL_TRAILER, ''), outputs: [], earlier: '', command: '' };
  if (isShell || OUTPUT.test(plain.slice(0, 200)))
    return { asked: '', outputs: [blockOf(plain.replace(OUTPUT, ''))], earlier: '', command: '' };
  const { text: rest, blocks } = withoutBlocks(plain, MACHINE_TAG);
  if (PRODDED.test(rest.trimStart())) return { asked: '', outputs: [], earlier: '', command: '' };
  const [own = '', ...attached] = rest.split(ATTACHED);
  const lines = unwrapped(own)
    .split('\n')
    .filter((line) => !NUDGE.test(line));
  const typed = typedIn(blocks, lines.join('\n').replace(STOP, '').trim());
  const asked = withoutCommand(typed);
  return {
    asked,
    command: asked === '' && !HOUSEKEEPING.test(typed) ? (COMMAND.exec(typed)?.[0] ?? '') : '',
    outputs: [
      ...blocks.filter(({ name, path }) => path !== '' || CONTENT.test(name)),
      ...attached.flatMap(filesIn),
    ].filter(({ text: block }) => block.trim().length > 20),
    earlier: '',
  };
}

const blockOf = (text: string): Block => ({ text, path: '', name: '' });

// Dates and environments come again with every request.
const CONTENT = /^INSTRUCTIONS$|file|content|output|stdout|stderr|result|document|diff/i;

const CARRIED =
  /^(?:this session is being continued from|<(?:conversation_)?summary>|<state_snapshot>|\[?summary of (?:the )?(?:earlier|previous))/i;
// A harness that will not let the assistant stop.
const PRODDED = /^you have not yet marked the task as complete/i;
const SHELL_END = /\(current directory: [^\n]*\)\n(?:\([^\n]*\)\n)?\S*\$\s*$/i;
const SHELL_TASK = /\b(?:issue|task|challenge|solve|solving|fix|implement)\b.*(?:\n|$)/i;
const SHELL_TRAILER = /\n\(open file:[\s\S]{0,400}$/i;
// A name of two words is a program's; a person's `<p>` or `<task>` is not.
const MACHINE_TAG =
  /^(?!(?:user|issue|pr|task|feature|bug|problem)[-_](?:query|request|description|message|prompt|input|statement)$)(?:\w+[-_][\w-]+|INSTRUCTIONS|reminder|context|stdout|stderr)$/;
const FILES = '--- Content from referenced files ---';
const ATTACHED = new RegExp(String.raw`^${FILES}$|^# AGENTS\.md instructions for .*$`, 'm');
const FILES_END = /^--- End of content ---$/m;
const FILE = /^Content from @(.{1,300}):$/m;
const NUDGE =
  /^\s*(?:\[request interrupted by user.*\]|caveat: the messages below.*|system: please continue\.?|you have not yet marked the task as complete.*|--- end of content ---|\[image\b.*\])\s*$/i;
// What simulated users end with.
const STOP = /#{2,3}[A-Z]{2,20}#{2,3}/g;
const UNWRAPPED =
  /<\/?(?:task|feedback|question|request|prompt|query|(?:user|issue|pr|task|feature|bug|problem)[-_]\w+)>/gi;

// In the middle of a sentence it is what the sentence speaks of.
const NAMED_TAG = /(?<=\p{L} )<(issue|pr|task|feature|bug|problem|user)[-_](\w+)>(?= \p{L})/giu;

/** True where files that a prompt refers to begin; what follows in the same message belongs to them. */
export function isAttachment(text: string): boolean {
  return text.trimStart().startsWith(FILES);
}

/** The files of an attachment by their names; all of it where it names none. */
function filesIn(text: string): readonly Block[] {
  const [whole = ''] = text.split(FILES_END);
  const [head = '', ...files] = whole.split(FILE);
  const named = files.flatMap((path, at) => (at % 2 === 0 ? [{ text: files[at + 1] ?? '', path, name: '' }] : []));
  return head.trim() === '' ? named : [blockOf(head), ...named];
}

function unwrapped(text: string): string {
  const bare = text.replace(NAMED_TAG, '$1 $2').replace(UNWRAPPED, '\n');
  return bare.length > 1 && bare.startsWith('"') && bare.trimEnd().endsWith('"') ? bare.trim().slice(1, -1) : bare;
}

/** What was typed: harnesses put a command's name and what was written behind it into tags. */
function typedIn(blocks: readonly Block[], text: string): string {
  const of = (tag: string): string => blocks.find(({ name }) => name === tag)?.text.trim() ?? '';
  const name = of('command-name');
  return name === '' ? text : [`/${name.replace(/^\//, '')}`, of('command-args'), text].join(' ').trim();
}

const COMMAND = /^\/[a-z][\w:-]{0,40}(?=\s|$)[^\n]{0,200}/;
// Commands about the conversation itself, and those that only hand files in or out.
const HOUSEKEEPING =
  /^\/(?:clear|compact|compress|model|models|login|logout|help|config|settings|cost|usage|tokens|status|exit|quit|resume|context|mcp|memory|theme|vim|doctor|bug|feedback|permissions|add|drop|read|read-only|undo|ls|diff|run|git|paste|map|map-refresh|reset|voice|web|tools|stats|copy|chat|new|sessions?|export|share|undo|redo|hooks|agents|ide|plugin)\b/;

/** `/ask why` asks why; `/add a.ts` and `/undo` ask nothing of the assistant. */
function withoutCommand(text: string): string {
  const match = /^\/[a-z][\w:-]{0,40}(?=\s|$)(?!\/)/.exec(text);
  if (match === null) return text;
  const lines = text
    .slice(match[0].length)
    .split('\n')
    .map((line) => line.trim());
  const rest = [...new Set(lines.filter((line) => line !== ''))].join('\n');
  return rest.split(/\s+/).filter((word) => /^\p{L}+[,.?!]?$/u.test(word)).length < 3 ? '' : rest;
}

/** True where a prompt only says to go on, or is a greeting. */
export function isGoOn(text: string): boolean {
  return (text.length < 40 && GO_ON.test(text)) || (text.length < 120 && isThanks(text));
}

/** True for words that only thank and take leave. */
export function isThanks(text: string): boolean {
  return THANKS.test(text);
}

const FAREWELL = [
  "(?:that['’]?s|this is|that should be) (?:all|it|everything)\\b[^.!?;:]{0,30}",
  '(?:good)?bye|you too|take care|talk (?:to you )?(?:soon|later)|appreciate[^.!?;:]{0,40}',
  '(?:you )?(?:have|enjoy) (?:a )?\\w+ \\w+',
  '(?:that|this|everything)(?: all)? (?:sounds?|looks?) (?:good|great|perfect)',
  "i['’]?(?:ll|m) (?:definitely |then )?(?:reach out|contact|get back|be in touch|all set|let you know)\\b[^.!?;:]{0,60}",
  '[\\p{So}\\p{M}]+',
].join('|');
const PLEASED =
  '(?:ok(?:ay)?|great|perfect|awesome|alright|no|will do|i will|sounds good|understood|i understand|you too|that (?:looks|sounds) (?:great|good))';
const THANKS = new RegExp(
  `^\\W*(?:${PLEASED}[,.! ]+)*(?:(?:many )?thanks?|thank you|thx|danke|merci|gracias|谢谢|謝謝)(?:,? (?:so much|very much|a lot|again|in advance|you too|everyone))*(?: (?:for|à|für|por) [^.!?;:,]{0,60})?[.!]*\\s*(?:(?:${FAREWELL})[.!]*\\s*){0,3}$|^\\W*(?:${FAREWELL})[.!]*\\s*$`,
  'iu',
);

const GO_ON =
  /^\W*(?:(?:yes|yep|yeah|ok(?:ay)?|sure|continue|go on|go ahead|proceed|do it|please|thanks?|thank you|hi|hey|hello|good|great|nice|perfect|exit|quit|weiter|so|gut|ja|danke|继续|繼續|好的?)\W*){1,4}$/i;

/** True for a sentence that only greets, thanks or cheers. */
export function isGreeting(sentence: string): boolean {
  return sentence.length < 50 && GREETING.test(sentence);
}

const GREETING =
  /^\W*(?:hey|hi|hello|thanks?|thank you|bye|wow|yeah|yep|yup|cool|nice|great|good|awesome|sounds?|glad|perfect|excellent|certainly|sure|ok(?:ay)?|absolutely|congrats)\b(?:\W+[\w'’]+){0,4}\W*$/i;

/** True for a sentence of a talk that only cheers, agrees or asks how things are, and tells nothing. */
export function isSmallTalk(sentence: string): boolean {
  return sentence.length < 60 && !/\d/.test(sentence.replace('100%', '')) && SMALL_TALK.test(sentence);
}

const FINE =
  '(?:great|awesome|amazing|cool|nice|fantastic|wonderful|beautiful|lovely|incredible|good|fun|sweet|inspiring)';
const SMALL_TALK = new RegExp(
  [
    "^(?!\\W*(?:i|we|my|our|the|he|she|they)\\b)(?:\\P{L}*[\\p{L}'’]+){1,6}!+$",
    '\\b(?:keep (?:you|ya) posted|talk (?:to you )?(?:soon|later)|see (?:you|ya)|long time no \\w+|good to (?:see|hear))\\b',
    "\\b(?:how['’]?s (?:it going|life|everything)|how (?:are|have) you (?:been|doing)|how are you(?: all| guys| today)?\\W*$|what['’]s (?:up|new)|tell me (?:more|about it)|anything new)\\b",
    `^\\W*(?:yeah|yes|wow|oh|aww?|haha|hey|totally|exactly|absolutely|definitely)?\\W*(?:(?:i )?(?:100% |totally |completely |couldn['’]?t )?agree\\b.{0,20}|(?:take a look|check (?:this|it) out)(?: at this)?|can['’]t wait(?: to hear (?:about )?it)?|way to go|good for you|keep it up|you['’]re (?:so )?(?:welcome|${FINE}|right))\\W*(?:\\p{Lu}\\p{L}*)?\\W*$`,
    `^\\W*(?:wow|oh|aww?|yeah|hey)?\\W*(?:\\p{Lu}\\p{L}+\\W+)?(?:that|it|this|they|those|sounds?|looks?)(?:['’]s| (?:is|was|are|looks?|sounds?|must be)|)(?: like)?(?: (?:so|really|very|such|an?|quite|pretty))* ${FINE}(?:,? \\p{Lu}\\p{L}+)?\\W*$`,
    `^\\W*(?:looks|sounds|seems) like (?:you|it|that) .{0,20}${FINE}\\b.{0,12}!$`,
  ].join('|'),
  'iu',
);

/** True for a sentence that only says what is looked at next, or offers help. */
export function isIntent(sentence: string): boolean {
  return INTENT.test(sentence);
}

const FIRST =
  '(?:(?:now|next|first|then|also|so|ok(?:ay)?|good|great|perfect|alright|jetzt|nun|zuerst|dann|gut|maintenant|ahora|bueno)[,.!:]? )*';
const INTENT = new RegExp(
  `^\\W*${FIRST}(?:let(?:['’]s| me| us) (?:now |also |first |quickly |just |go |start )*(?:and )?(?:by )?(?:check|look|see|read|view|verify|run|find|search|explore|examine|start|try|open|inspect|list|locate|get|do|take|begin|dig|review|continue|move)|(?:i['’]?(?:ll| will|['’]m going to| am going to| need to| want to)|we['’]?(?:ll| will)) (?:now |also |first |just )*(?:check|look|read|help|start|begin|see|view|verify|run|find|search|explore|examine|open|inspect|list|locate|retrieve|fetch|gather|pull up|review|take a look|continue)|(?:checking|looking|reading|searching|running|opening|verifying)\\b|i can help|i['’]?d be happy|happy to help|feel free|let me know|here['’]?s (?:how|the|what|a)|here (?:is|are)|ich (?:schaue?|sehe|prüfe|lese|suche|öffne|starte|kümmere|werfe|sehe mir|schaue mir)\\b|(?:schauen|sehen|prüfen) wir|je (?:vais|regarde|vérifie|lis|cherche)\\b|(?:voyons|regardons|vérifions)\\b|(?:voy a|déjame|vamos a|veamos)\\b|(?:vou|deixe-me)\\b|(?:ik (?:kijk|ga|controleer|lees))\\b)|^\\W*(?:next|now)[:,] ?\\S{0,200}[.…]?$|^(?:让我|讓我|我来|我來|我先|接下来|接著)|(?:确认|確認|調べ|見て|見|読み)(?:し|み|て)?ます。?$`,
  'i',
);

/** A sentence in front of a call without the words that only announce it. */
export function withoutLeadIn(sentence: string): string {
  return sentence.replace(LEAD_IN, '');
}

const LEAD_IN = new RegExp(
  `^\\W*${FIRST}(?:next: |let(?:['’]s| me| us) |i['’]?(?:ll| will|['’]m going to| am going to| need to| want to) |we['’]?(?:ll| will) )(?:now |also |first |quickly |just )*`,
  'i',
);

/** How much a sentence of a prompt asks for something, or says what the matter is; below 0 for a template's preamble. */
export function askOf(sentence: string): number {
  if (PREAMBLE.test(sentence)) return -1;
  return (ASK.test(sentence) ? 2 : 0) + (/\?\s*$|？$/.test(sentence) ? 2 : 0);
}

const PREAMBLE =
  /^\W*(?:you are (?:an?|the) |your name is|you have access|your response must|when creating|good examples|bad examples|use `?\[\[|<\/?\w+>$)|^\W*(?:context|overview|instructions|background)\W*$/i;
const ASK =
  /^\W*(?:\d+[.)] )?(?:please|can you|could you|would you|i (?:want|need|would like|'d like|think we)|we (?:want|need|still need|should)|let'?s|help|your task|your goal|make sure|now |then |also |implement|add|fix|create|write|build|update|change|remove|delete|refactor|rename|move|use|run|review|check|investigate|explain|find|show|test|document|commit|push|merge|process|look|read|try|port|convert|replace|get|set up|set|wrap|mention|generate|analy[sz]e|solve|deploy|release|migrate|debug|optimi[sz]e|improve|compare|summari[sz]e|bitte|請|请|幫我|帮我)\b|幫我|帮我|請|请|\bmy request\b/iu;

/** True for a prompt that takes back or changes what was asked before. */
export function isCorrection(text: string): boolean {
  const start = text.slice(0, 200).replace(PONDERING, '');
  return CORRECTION.test(start) && !/^\W*(?:yes|yeah|yep|ok(?:ay)?|sure|good|great)\b/i.test(text);
}

// A question asks, whatever it begins with.
const PONDERING = /^\W*(?:wait|actually|hm+|hold on)[,. …]+[^.!?\n]{1,200}\?\s*/i;
const CORRECTION =
  /^\W*(?:no[,.]? (?:wait|don'?t|use|it|not|that)|actually|wait|instead|rather|stop(?=[,.!]|$| \w+ing\b| it\b| that\b)|not that|forget|drop|revert|undo|don'?t|do not|scrap|change of plan|on second thought|never mind|that'?s (?:wrong|not)|不對|不对)|\b(?:instead|rather than)\b/i;

/** The goal that a summary of another hand states; `''` where it states none. */
export function carriedGoal(text: string): string {
  const tagged = /<overall_goal>\s*([\s\S]{1,4000}?)\s*<\/overall_goal>/.exec(text)?.[1];
  return tagged ?? STATED.exec(text.slice(0, CARRIED_GOAL))?.[1]?.trim() ?? '';
}

const CARRIED_GOAL = 8000;
// Up to the next heading or numbered section.
const STATED =
  /^(?:(?!\n)[\s#*\d.])*(?:primary request(?:s)?(?: and intent)?|(?:overall |main |user['’]s )?(?:goal|objective|task|request))[\s*]*:?[\s*]*\n?\s*([\s\S]{10,1500}?)(?=\n\s*(?:#{1,4} |\d{1,2}\. |\*\*[A-Z])|\n\n|$(?![\s\S]))/im;

/** What stands behind the last heading such as `My request:`, else the whole. */
export function headedRequest(text: string): string {
  const match = [...text.matchAll(HEADED)].at(-1);
  const rest = match === undefined ? '' : text.slice(match.index + match[0].length).trim();
  return rest === '' ? text : rest;
}

const HEADED =
  /^(?:#{1,4} (?:my |the |user )?(?:requests?|tasks?|questions?)\b[^\n]{0,30}|(?:my |the |user )?(?:request|task|question|issue)\b[^\n]{0,30}:)[ \t]*\n/gim;
