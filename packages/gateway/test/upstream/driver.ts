import { promptOf, toolOutput } from './agent.ts';
import { isObject, listOf, objectsOf, textOf } from './json.ts';
import type { Dialect, Json } from './types.ts';

/** A session of an agent that is to be played through whatever `ask` sends to. */
export type Session = {
  readonly dialect: Dialect;
  readonly turns: number;
  /** Words of each tool result. @default 300 */
  readonly words?: number;
  /** Sends the whole history; answers with the native messages that the model added to it. */
  readonly ask: (history: readonly Json[]) => Promise<readonly Json[]>;
  /** Told after each turn. */
  readonly onTurn?: (turn: number, history: readonly Json[]) => void;
};

const MOST_ROUNDS = 20;

/** Plays prompts, parallel tool calls and their results until every turn has its answer; gives the whole history. */
export async function playSession({ dialect, turns, words = 300, ask, onTurn }: Session): Promise<readonly Json[]> {
  const history: Json[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    history.push(userMessage(dialect, promptOf(turn)));
    for (let round = 0; ; round += 1) {
      if (round > MOST_ROUNDS) throw new Error(`The agent did not end turn ${turn} within ${MOST_ROUNDS} rounds.`);
      const added = await ask(history);
      history.push(...added);
      const results = resultsFor(dialect, added, words);
      if (results.length === 0) break;
      history.push(...results);
    }
    onTurn?.(turn, history);
  }
  return history;
}

/** A prompt in the dialect's own form. */
function userMessage(dialect: Dialect, text: string): Json {
  return dialect === 'gemini' ? { role: 'user', parts: [{ text }] } : { role: 'user', content: text };
}

/** What a body without SDK holds of new messages. */
export function addedBy(dialect: Dialect, body: Json): readonly Json[] {
  switch (dialect) {
    case 'openai-chat': {
      const message = objectsOf(body['choices'])[0]?.['message'];
      return isObject(message) ? [{ role: 'assistant', content: message['content'], ...callsOf(message) }] : [];
    }
    case 'openai-responses':
      return objectsOf(body['output']);
    case 'anthropic':
      return [{ role: 'assistant', content: body['content'] }];
    case 'gemini': {
      const content = objectsOf(body['candidates'])[0]?.['content'];
      return isObject(content) ? [content] : [];
    }
    default:
      return dialect satisfies never;
  }
}

function callsOf(message: Json): Json {
  return Array.isArray(message['tool_calls']) ? { tool_calls: message['tool_calls'] } : {};
}

function resultsFor(dialect: Dialect, added: readonly Json[], words: number): readonly Json[] {
  switch (dialect) {
    case 'openai-chat':
      return added
        .flatMap((message) => objectsOf(message['tool_calls']))
        .map((call) => {
          const { name, arguments: input } = isObject(call['function']) ? call['function'] : {};
          return { role: 'tool', tool_call_id: call['id'], content: toolOutput(textOf(name), input, words) };
        });
    case 'openai-responses':
      return added
        .filter(({ type }) => type === 'function_call')
        .map(({ call_id: id, name, arguments: input }) => ({
          type: 'function_call_output',
          call_id: id,
          output: toolOutput(textOf(name), input, words),
        }));
    case 'anthropic':
      return inOne(
        added.flatMap(({ content }) => objectsOf(content)).filter(({ type }) => type === 'tool_use'),
        (calls) => ({
          role: 'user',
          content: calls.map(({ id, name, input }) => ({
            type: 'tool_result',
            tool_use_id: id,
            content: toolOutput(textOf(name), input, words),
          })),
        }),
      );
    case 'gemini':
      return inOne(
        added
          .flatMap(({ parts }) => listOf(parts))
          .flatMap((part) => (isObject(part) && isObject(part['functionCall']) ? [part['functionCall']] : [])),
        (calls) => ({
          role: 'user',
          parts: calls.map(({ name, args }) => ({
            functionResponse: { name, response: { output: toolOutput(textOf(name), args, words) } },
          })),
        }),
      );
    default:
      return dialect satisfies never;
  }
}

function inOne(calls: readonly Json[], make: (calls: readonly Json[]) => Json): readonly Json[] {
  return calls.length === 0 ? [] : [make(calls)];
}
