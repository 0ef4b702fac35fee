import type { FactKind } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { firstCodePoints } from '../model/text.ts';
import { actionOf, taskIdIn } from './calls.ts';
import type { Extracted, Fact, News } from './fact.ts';
import { addIdentifiers } from './identifiers.ts';
import { endOf, failureOf } from './outcome.ts';
import { type From, type Segment, segmentsOf } from './segments.ts';
import type { FileEffect } from './shell.ts';
import { statementsOf } from './statements.ts';
import { isOwnTool } from './stopped.ts';
import { giveBack, unitsOf } from './units.ts';

/** Index of a message, and its id where that is known. */
export type MessagePlace = { readonly index: number; readonly id?: string | undefined };

/** What one message gives; the same message always gives the same, so it can be kept beside it. */
export function extractFacts(message: Message, place: number | MessagePlace): readonly Extracted[] {
  const { index: source, id }: MessagePlace = typeof place === 'number' ? { index: place } : place;
  const found: Extracted[] = [];
  for (const segment of segmentsOf(message, source)) {
    const from = { segment, id };
    if (segment.origin === 'call') for (const fact of actionFacts(from)) found.push(fact);
    if (segment.origin === 'result') for (const news of resultNews(segment)) found.push(news);
    const reading = { text: segment.text, units: unitsOf(segment.text) };
    for (const { kind, value, status } of statementsOf(segment, reading))
      found.push(factOf(from, { kind, value, status }));
    addIdentifiers(from, reading, found);
    giveBack(reading.units);
  }
  return found;
}

type Stated = { readonly kind: FactKind; readonly value: string; readonly status: string | undefined };

function factOf({ segment, id }: From, { kind, value, status }: Stated): Fact {
  const { source, origin, call = '' } = segment;
  return {
    kind,
    value,
    source,
    origin,
    context: origin === 'call' ? firstCodePoints(segment.text, CONTEXT) : value,
    count: 1,
    among: 1,
    ...(id === undefined ? {} : { id }),
    ...(status === undefined ? {} : { status }),
    ...(origin === 'call' ? { call } : {}),
  };
}

const CONTEXT = 48;
const LONGEST_COMMAND = 300;

function actionFacts(from: From): readonly Extracted[] {
  const action = actionOf(from.segment);
  switch (action.kind) {
    case 'files':
      return fileFacts(from, action.effects);
    case 'command': {
      const value = firstCodePoints(action.command.trim(), LONGEST_COMMAND);
      const files = fileFacts(from, action.effects);
      return value === '' ? files : [factOf(from, { kind: 'command', value, status: undefined }), ...files];
    }
    case 'todos':
      return action.todos.flatMap(({ text, status, id }): readonly Extracted[] => {
        const value = firstCodePoints(text, LONGEST_COMMAND);
        if (value !== '') return [factOf(from, { kind: 'todo', value, status })];
        return id === undefined ? [] : [newsOf(from.segment, { about: 'todo', call: taskKey(id), status })];
      });
    case 'other':
      return [];
    default:
      return action satisfies never;
  }
}

/** Files as they are called in the message; of a whole directory none is named. */
function fileFacts(from: From, effects: readonly FileEffect[]): readonly Fact[] {
  return effects.flatMap(({ path, name, status, isTree }) =>
    isTree === true ? [] : [factOf(from, { kind: 'file', value: name ?? path, status })],
  );
}

/** What a result says of its call: how a command ended, and under which number a task goes. */
function resultNews(segment: Segment): readonly News[] {
  const { call = '', text } = segment;
  const { status, isSaid } = endOf(segment);
  const id = taskIdIn(text);
  return [
    ...(isFailedEdit(segment) ? [newsOf(segment, { about: 'file', call, status: 'change failed' })] : []),
    ...(status === '' ? [] : [newsOf(segment, { about: 'command', call, status, isSaid })]),
    ...(id === undefined ? [] : [newsOf(segment, { about: 'todo', call, task: taskKey(id) })]),
  ];
}

/** Of other tools' results nobody need ask. */
function isFailedEdit({ text, tool = '', isError }: Segment): boolean {
  if (!EDITOR.test(tool) || !isOwnTool(tool)) return false;
  return failureOf({ text, ...(isError === undefined ? {} : { isError }) }, 'editor') !== '';
}

const EDITOR = /edit|write|replace|patch|insert|create|update|delete|remove/i;

type Told = { about: News['about']; call: string; status?: string | undefined; task?: string; isSaid?: boolean };

function newsOf({ source }: Segment, { about, call, status, task, isSaid = false }: Told): News {
  return {
    kind: 'news',
    about,
    source,
    call,
    ...(status === undefined ? {} : { status }),
    ...(task === undefined ? {} : { task }),
    ...(isSaid ? { isSaid: true as const } : {}),
  };
}

const taskKey = (id: string): string => `task ${id}`;
