import type { FactKind } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { codePointBoundary, firstCodePoints } from '../model/text.ts';
import { actionOf, taskIdIn } from './calls.ts';
import { type Fact, factKey } from './fact.ts';
import { exitOf, failureOf } from './outcome.ts';
import { scanText } from './scan.ts';
import { type Segment, segmentsOf } from './segments.ts';
import { statementsOf } from './statements.ts';

/** The facts of one message; the same message always gives the same facts, so they can be kept beside it. */
export function extractFacts(message: Message, source: number): readonly Fact[] {
  return segmentsOf(message, source).flatMap((segment) => [
    ...actionFacts(segment),
    ...statementFacts(segment),
    ...identifierFacts(segment),
  ]);
}

function actionFacts(segment: Segment): readonly Fact[] {
  const { source, origin, call = '' } = segment;
  if (origin !== 'call' && origin !== 'result') return [];
  const context = firstCodePoints(segment.text, CONTEXT);
  const fact = (kind: FactKind, value: string, status = ''): Fact => ({
    kind,
    value,
    source,
    origin,
    context,
    count: 1,
    among: 1,
    ...(status === '' ? {} : { status }),
    call,
  });
  if (origin === 'result') return resultFacts(segment, fact);
  const action = actionOf(segment);
  switch (action.kind) {
    case 'files':
      return action.effects.map(({ path, status }) => fact('file', path, status));
    case 'command': {
      const command = fact('command', firstCodePoints(action.command.trim(), LONGEST_COMMAND));
      return [command, ...action.effects.map(({ path, status }) => fact('file', path, status))];
    }
    case 'todos':
      return action.todos.map(({ text, status, id }) => {
        const todo = fact('todo', firstCodePoints(text, LONGEST_COMMAND), status);
        return id === undefined ? todo : { ...todo, call: taskKey(id) };
      });
    case 'other':
      return [];
    default:
      return action satisfies never;
  }
}

/** What a result says of its call: how a command ended, and under which number a task goes. */
function resultFacts(segment: Segment, fact: (kind: FactKind, value: string, status: string) => Fact): readonly Fact[] {
  const exit = exitOf(segment.text);
  const status = exit === undefined ? failureOf(segment, true) : `exit ${exit}`;
  const id = taskIdIn(segment.text);
  return [
    ...(status === '' ? [] : [fact('command', '', status)]),
    ...(id === undefined ? [] : [fact('todo', '', taskKey(id))]),
  ];
}

const taskKey = (id: string): string => `task ${id}`;

const LONGEST_COMMAND = 300;

function statementFacts(segment: Segment): readonly Fact[] {
  const { source, origin } = segment;
  return statementsOf(segment).map(({ kind, value, status }) => ({
    kind,
    value,
    source,
    origin,
    context: value,
    count: 1,
    among: 1,
    ...(status === undefined ? {} : { status }),
  }));
}

function identifierFacts({ text, source, origin }: Segment): readonly Fact[] {
  const counts = new Map<string, { kind: FactKind; value: string; start: number; count: number }>();
  const takesNames = origin === 'prompt' || origin === 'answer';
  scanText(text, (kind, start, end) => {
    if (kind === 'name' && !takesNames) return;
    const value = text.slice(start, end);
    const key = kind === 'path' ? factKey({ kind, value }) : value;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { kind, value, start, count: 1 });
    else known.count += 1;
  });
  const among = counts.size;
  return [...counts.values()].map(({ kind, value, start, count }) => ({
    kind,
    value,
    source,
    origin,
    context: contextAt(text, start, start + value.length),
    count,
    among,
  }));
}

const CONTEXT = 48;

/** The rest of the line to both sides, a few words each; looks no further than it takes. */
function contextAt(text: string, start: number, end: number): string {
  const before = text.slice(codePointBoundary(text, Math.max(0, start - CONTEXT)), start);
  const after = text.slice(end, codePointBoundary(text, Math.min(text.length, end + CONTEXT)));
  const newline = after.indexOf('\n');
  const from = start - before.length + before.lastIndexOf('\n') + 1;
  return text.slice(from, newline < 0 ? end + after.length : end + newline);
}
