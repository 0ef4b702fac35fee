import { estimateTokens, type Message } from 'epitome';
import { digest } from 'epitome/digest';
import { decisionsOf } from './decisions.ts';

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
  if (room < LEAST_DIGEST) return `${opening.join('\n\n')}\n`;
  const decisions = decisionsOf(messages, room / DECISIONS);
  const settled = decisions.length === 0 ? '' : `## ${SETTLED}\n\n${decisions.map((line) => `- ${line}`).join('\n')}`;
  const body = asMarkdown(digest(messages, { maxTokens: room - estimateTokens(`${settled}\n\n`) }).text);
  return `${[...opening, withDecisions(body, settled)].join('\n\n')}\n`;
}

// What headings take more than the tags in their place.
const HEADINGS = 20;
const LEAST_DIGEST = 150;
// Share of the room that decisions may take.
const DECISIONS = 10;
const SETTLED = 'Decisions and findings';

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

/** Decisions stand behind where it stands, and what consists of them alone is not told again. */
function withDecisions(text: string, settled: string): string {
  if (settled === '') return text;
  const told = new Set(settled.split('\n').map((line) => line.replace(/^- /, '- Assistant: ')));
  const parts = text
    .split('\n')
    .filter((line) => !told.has(line))
    .join('\n')
    .split(HEADING);
  const at = parts.findIndex((part) => DETAILS.some((title) => part.startsWith(`## ${title}\n`)));
  parts.splice(at < 0 ? parts.length : at, 0, settled);
  return parts.map((part) => part.trim()).join('\n\n');
}

const DETAILS = [TITLES['key_knowledge'], TITLES['file_system_state'], TITLES['recent_actions']];
const HEADING = new RegExp(`^(?=## (?:${Object.values(TITLES).join('|')})$)`, 'm');
const SECTION = /<(\/?)(overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>/g;

function oneLine(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= most ? line : `${line.slice(0, most).toWellFormed()}…`;
}
