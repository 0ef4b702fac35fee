import { isRefusal } from '../verify/refusals.ts';
import { offered, oneLine } from './goal.ts';

/** The goals in a model's answer, whatever it put around them: numbers, bullets, quotes, a fence or a JSON list. */
export function parseGoals(answer: string): readonly string[] {
  const text = answer.slice(0, LONGEST);
  const goals = goalsIn(text.replace(FENCED, '\n'));
  // Some models put their whole answer into a fence.
  return goals.length > 0 ? goals : goalsIn(text.replace(FENCE, '\n'));
}

// A goal is a line; nobody answers with more than this.
const LONGEST = 20_000;
const FENCE = /```[\w-]{0,20}/g;
const FENCED = /```[^`]*(?:```|$)/g;

function goalsIn(text: string): readonly string[] {
  return offered((listed(text) ?? text.split('\n')).map(bare).filter(isAnswer));
}

function listed(text: string): readonly string[] | undefined {
  const start = text.indexOf('[');
  const end = text.lastIndexOf(']');
  if (start < 0 || end < start) return undefined;
  try {
    const list: unknown = JSON.parse(text.slice(start, end + 1));
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

const NUMBER = /^(?:[-*•–]\s+)?(?:goal\s*)?[#(]?\d{1,3}[.):\]-]\s*/i;
const BULLET = /^[-*•–>#]+\s+/;
const AROUND = /^[*_"'“”‘’`«»]+|[*_"'“”‘’`«»]+$/g;

function bare(line: string): string {
  const text = oneLine(line).replace(NUMBER, '').replace(BULLET, '').replace(AROUND, '');
  return text
    .replace(NUMBER, '')
    .replace(AROUND, '')
    .replace(/[.,;]$/, '')
    .trim();
}

/** A preamble ends with a colon, markup is no goal, and a refusal is none either. */
function isAnswer(line: string): boolean {
  return !line.endsWith(':') && !/^[{}[\]<]/.test(line) && !isRefusal(line);
}
