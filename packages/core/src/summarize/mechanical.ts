import type { Counter } from '../model/count.ts';
import type { Message } from '../model/message.ts';
import type { Template } from '../model/policy.ts';
import { codePointBoundary, firstCodePoints } from '../model/text.ts';
import { inner, SNAPSHOT_TAG, wrap } from './clean.ts';
import { renderLine } from './render.ts';

/** What a mechanical summary is made from. */
export type MechanicalSource = {
  readonly head: readonly Message[];
  readonly prior: string;
  readonly template: Template;
  readonly maxTokens: number;
  /** Characters kept of each message. */
  readonly characters: number;
  /** What is done to a text before any of it is cut off. */
  readonly clean?: (text: string) => string;
};

/** A summary without a model: the first characters of each message, newest first in line when the budget is short. */
export function mechanicalSummary(source: MechanicalSource, count: Counter): string {
  return writtenFrom(source, count).toWellFormed();
}

function writtenFrom(source: MechanicalSource, count: Counter): string {
  if (source.template.kind !== 'snapshot') return linesOf(source, source.prior, count);
  const goal = goalOf(source, count);
  const prior = inner(source.prior, 'recent_actions') ?? source.prior;
  const lines = linesOf({ ...source, maxTokens: source.maxTokens - count(goal) }, prior, count);
  return wrap(SNAPSHOT_TAG, `${wrap('overall_goal', goal)}\n${wrap('recent_actions', lines)}`);
}

/** The goal stated so far, or the first prompt; at most a quarter of the budget. */
function goalOf(source: MechanicalSource, count: Counter): string {
  const goal = firstCodePoints(inner(source.prior, 'overall_goal') ?? firstPrompt(source), source.characters);
  const share = Math.min(source.maxTokens / 4 / Math.max(count(goal), 1), 1);
  return firstCodePoints(goal, Math.floor(goal.length * share));
}

function firstPrompt({ head, clean = (each) => each }: MechanicalSource): string {
  const text = head
    .find(({ role }) => role === 'user')
    ?.parts.find((part) => part.kind === 'text' && part.text.trim() !== '');
  return text?.kind === 'text' ? clean(text.text).trim() : 'not stated';
}

function linesOf({ head, maxTokens, characters, clean }: MechanicalSource, prior: string, count: Counter): string {
  const kept: string[] = [];
  const carried = lastTokens(prior, maxTokens / 2, count);
  let left = maxTokens - count(carried);
  let index = head.length - 1;
  for (; index >= 0; index -= 1) {
    const message = head[index];
    const line = message === undefined ? '' : renderLine(message, characters, clean);
    if (line === '') continue;
    left -= count(line) + 1;
    if (left < 0) break;
    kept.push(line);
  }
  const note = index < 0 ? [] : [`- (${index + 1} earlier messages are left out here)`];
  return [...(carried === '' ? [] : [carried]), ...note, ...kept.reverse()].join('\n');
}

/** The end of a text within a budget, so that repeated rounds stay bounded (law 34). */
function lastTokens(text: string, maxTokens: number, count: Counter): string {
  const tokens = count(text);
  if (tokens <= maxTokens) return text;
  const from = text.length - Math.floor((text.length * maxTokens) / tokens);
  return `…${text.slice(codePointBoundary(text, from))}`;
}
