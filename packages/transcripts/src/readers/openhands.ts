import type { Item, Piece, Reader } from '../model/item.ts';
import { isObject, type JsonObject, objectsOf, stringOf } from '../model/json.ts';
import { oneSession, unread } from './items.ts';
import { createActionReader, isActionEvent } from './openhands/action-events.ts';
import { agentEvents, isAgentEvent } from './openhands/agent-events.ts';

/**
 * OpenHands: a list of events, of the first generation (`action` and `observation`) or of its software agent kit
 * (`kind`); as one list, one a line, or as the `history` of an evaluation's output.
 */
export const openhands: Reader = {
  source: 'openhands',
  claims: ({ path, value }) => {
    if (!isObject(value) || path.length > 1) return false;
    if (path.length === 1) return PLACES.has(path[0] ?? '') && isEvent(value);
    return isEvent(value) || (isOutput(value) && objectsOf(value['history']).some(isEvent));
  },
  open: () => {
    let read = createActionReader();
    const session = oneSession(SESSION, ({ value }) => (isObject(value) ? eventItems(value, read) : []));
    return {
      push: (piece: Piece) => {
        const { path, value } = piece;
        if (path.length === 0 && isObject(value) && isOutput(value)) {
          read = createActionReader();
          return outputItems(value, read);
        }
        return path.length === 0 || PLACES.has(path[0] ?? '') ? session.push(piece) : [];
      },
      end: session.end,
    };
  },
};

const SESSION = { source: 'openhands', format: 'openai-chat' } as const;
const PLACES: ReadonlySet<string> = new Set(['history', 'trajectory', 'events']);

type ReadAction = ReturnType<typeof createActionReader>;

function isEvent(value: JsonObject): boolean {
  return isActionEvent(value) || isAgentEvent(value);
}

function isOutput(value: JsonObject): boolean {
  return 'instance_id' in value && Array.isArray(value['history']);
}

function outputItems(value: JsonObject, read: ReadAction): readonly Item[] {
  const details = { id: stringOf(value['instance_id']) };
  const events = objectsOf(value['history']).flatMap((event) => eventItems(event, read));
  return [{ kind: 'session', ...SESSION, details }, ...events];
}

function eventItems(event: JsonObject, read: ReadAction): readonly Item[] {
  if (isAgentEvent(event)) return agentEvents(event);
  return isActionEvent(event) ? read(event) : [unread(stringOf(event['kind']) || '(no event)')];
}
