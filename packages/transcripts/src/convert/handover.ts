import { estimateTokens, type Message } from 'epitome';
import { digest } from 'epitome/digest';

/** What goes into a hand-over document beside the messages. */
export type HandoverOptions = {
  /** Most tokens of the whole document; its heading and the goal that was given stand in any case. */
  readonly maxTokens: number;
  /** Lines about the session, such as its agent and folder. */
  readonly about?: readonly string[];
  readonly title?: string;
  readonly goal?: string;
  /** A summary by a model; the digest stands behind it with what room is left. */
  readonly summary?: string;
};

/** A document to begin a new session with: goal, state, facts, decisions, next steps. No model is asked. */
export function handoverOf(messages: readonly Message[], options: HandoverOptions): string {
  const { maxTokens, title = 'the session so far', about = [], goal, summary = '' } = options;
  const opening = [
    [`# Hand-over: ${oneLine(title, 120)}`, ...about.map((line) => `- ${oneLine(line, 200)}`)].join('\n'),
    ...(goal === undefined ? [] : [`## What to do next\n\n${goal.trim()}`]),
    ...(summary === '' ? [] : [`## Summary\n\n${asMarkdown(summary)}`]),
  ];
  const room = maxTokens - estimateTokens(opening.join('\n\n')) - HEADINGS;
  const body = room < LEAST_DIGEST ? [] : [asMarkdown(digest(messages, { maxTokens: room }).text)];
  return `${[...opening, ...body].join('\n\n')}\n`;
}

// What headings take more than the tags in their place.
const HEADINGS = 20;
const LEAST_DIGEST = 150;

const TITLES: Readonly<Record<string, string>> = {
  overall_goal: 'Goal',
  key_knowledge: 'What to know',
  file_system_state: 'Files',
  recent_actions: 'What was done',
  current_plan: 'Where it stands, and what is next',
};

// A snapshot is written for a model's prompt; here its sections are headings.
function asMarkdown(text: string): string {
  const marked = text
    .replace(/<\/?state_snapshot>\n?/g, '')
    .replace(SECTION, (_, slash: string, name: string) => (slash === '' ? `## ${TITLES[name] ?? name}\n` : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return inReadingOrder(marked);
}

/** Whoever takes over wants to know where it stands before how it came to that. */
function inReadingOrder(text: string): string {
  const parts = text.split(HEADING);
  const at = parts.findIndex((part) => part.startsWith(`## ${TITLES['current_plan']}`));
  const [state] = at < 0 ? [] : parts.splice(at, 1);
  const goal = parts.findIndex((part) => part.startsWith(`## ${TITLES['overall_goal']}`));
  if (state !== undefined) parts.splice(goal + 1, 0, state);
  return parts.map((part) => part.trim()).join('\n\n');
}

const HEADING = new RegExp(`^(?=## (?:${Object.values(TITLES).join('|')})$)`, 'm');
const SECTION = /<(\/?)(overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>/g;

function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
}
