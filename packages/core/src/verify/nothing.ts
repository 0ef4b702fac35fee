import type { Template } from '../model/policy.ts';

/** A text without what only announces a summary, and without the shell of a JSON value that holds no words. */
export function emptied(words: string): string {
  const bare = words.replace(ANNOUNCED, '').trim();
  return HOLLOW.test(bare) ? '' : bare;
}

const ANNOUNCED =
  /^(?:(?:sure|certainly|of course|absolutely|okay|ok|understood|got it|noted|great|yes)[!,.:]*\s*)*(?:(?:here(?:['’]s| is| are)|below is|this is) (?:the|a|your|my) (?:\w+ ){0,2}summary\b[^.!:\n]{0,80}[.!:]*)?\s*/i;
// `{"summary": ""}`, what a program makes of a value that is none.
const HOLLOW = /^(?:\[object \w+\]|NaN|true|false|\{\s*(?:"\w{1,40}"\s*:\s*(?:""|null|\[\]|\{\})\s*,?\s*){0,20}\})$/;

/** Whether a text asks for the conversation, goes on with it, or calls a tool, instead of telling what was. */
export function isOff(text: string, words: string): boolean {
  if (CALLED.test(text.trimStart())) return true;
  if (words.length > SHORT || STRUCTURE.test(text)) return false;
  return ASKED.test(words) || CONTINUED.test(words);
}

const SHORT = 600;
const CALLED = /^(?:<(?:\w+:)?(?:function_calls?|invoke|tool_calls?|tool_use)\b|\[TOOL_CALLS?\]|<\|tool)/i;
const ASKED =
  /^(?:(?:could|can|would) you (?:please )?(?:provide|share|paste|send|give|clarify)\b|please (?:provide|share|paste|send)\b|(?:i |there )?(?:do not|don['’]t|doesn['’]t) (?:see|have|appear)\b.{0,40}\b(?:conversation|history|messages|transcript|text)\b|(?:what|how) (?:would you like|can i help|may i help))/i;
// What the assistant was about to say, and no account of it.
const CONTINUED =
  /^(?:i(?:['’]ll| will| am going to|['’]m going to) (?:now )?(?:continue|proceed|start|begin|run|fix|check|look|go on)\b|let me (?:now )?(?:continue|start|begin|run|fix|check|look|read|see)\b|let['’]s (?:continue|proceed|start)\b|(?:continuing|proceeding) with\b)/i;
const STRUCTURE = /^\s{0,8}(?:#{1,4} \S|[-*] \S|\d{1,2}\. \S)|<[a-z]+_[a-z_]+>/m;

/** Whether a text without any of the sections it was asked for is next to nothing beside what it stands for. */
export function isTiny(text: string, template: Template, read: number): boolean {
  if (template.kind !== 'snapshot' && template.kind !== 'sections') return false;
  const { length } = text.trim();
  return length < PHRASE && length * TIMES < read && !STRUCTURE.test(text);
}

// A phrase for a conversation some thousand times its length; a sentence may do for a few pages.
const PHRASE = 60;
const TIMES = 4000;

/** Whether a text says the same few things over and over. */
export function isRepeating(words: string): boolean {
  const parts = words.slice(0, LONGEST).split(/(?<=[.!?。！？])\s+|\n+/);
  if (parts.length < MANY) return false;
  const told = new Set(parts.map((part) => part.trim().toLowerCase()));
  // A good start may run into a loop; a short refrain is none.
  return told.size < 3 || (parts.length > LOOPING && told.size * MOST_TIMES <= parts.length);
}

const LONGEST = 100_000;
const MANY = 20;
const LOOPING = 100;
const MOST_TIMES = 10;

/** Whether prose stops at a word that needs another one. */
export function isBrokenOff(words: string): boolean {
  return /[\p{L},] ?(?<!\p{L})(?:the|an?|and|or|but|is|are|was|were|of|to|with|that|which|for|in|by|from|as|because|und|oder|der|die|das|ist|mit|et|le|la|les|de|est|y|el|que)$/u.test(
    words.slice(-80),
  );
}
