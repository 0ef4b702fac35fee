import { isObject, objectsOf, textOf } from './json.ts';
import type { Dialect, Json, Reply, Seen } from './types.ts';

/** How an agent of a test works. */
export type AgentScript = {
  /** Tool calls of each working step, in order; a step more and the agent answers. @default [2, 1, 3] */
  readonly steps?: readonly number[];
  /** Words of thought before each step. */
  readonly thinks?: boolean;
};

/**
 * A model that works like a coding agent: after a prompt it makes some rounds of parallel tool calls, then it answers.
 * Everything it says follows from the request alone, so that a session can be played again.
 */
export function agentReply({ steps = [2, 1, 3], thinks = false }: AgentScript = {}): (seen: Seen) => Reply {
  return (seen) => {
    const rounds = roundsSincePrompt(seen);
    const calls = steps[rounds] ?? 0;
    const thought = thinks ? { thinking: `Round ${rounds}: ${calls} files to look at before I answer.` } : {};
    if (calls === 0)
      return {
        ...thought,
        text: `Done after ${rounds} rounds; see src/part-${seen.index % 17}.ts line ${seen.index}.`,
      };
    const made = Array.from({ length: calls }, (_, at) => ({
      name: at % 2 === 0 ? 'read_file' : 'run',
      input:
        at % 2 === 0
          ? { path: `src/part-${(seen.index + at) % 40}.ts` }
          : { command: `npm test -- part-${seen.index}` },
    }));
    return { ...thought, ...(rounds === 0 ? { text: `I look into it (${seen.index}).` } : {}), calls: made };
  };
}

/** The tools such an agent has, in the dialect's own form. */
export function agentTools(dialect: Dialect): unknown {
  const tools = [
    ['read_file', 'Reads a file of the project.', 'path'],
    ['run', 'Runs a command.', 'command'],
  ] as const;
  const schema = (field: string): Json => ({
    type: 'object',
    properties: { [field]: { type: 'string' } },
    required: [field],
  });
  const plain = tools.map(([name, description, field]) => ({ name, description, parameters: schema(field) }));
  switch (dialect) {
    case 'openai-chat':
      return plain.map((each) => ({ type: 'function', function: each }));
    case 'openai-responses':
      return plain.map((each) => ({ type: 'function', ...each, strict: false }));
    case 'anthropic':
      return tools.map(([name, description, field]) => ({ name, description, input_schema: schema(field) }));
    case 'gemini':
      return [{ functionDeclarations: plain }];
    default:
      return dialect satisfies never;
  }
}

/** What a tool answers: long, the same for the same call, with a fact worth keeping. */
export function toolOutput(name: string, input: unknown, words = 300): string {
  const key = `${name} ${JSON.stringify(input)}`;
  const lines = Array.from(
    { length: Math.ceil(words / 12) },
    (_, at) => `${at + 1}: const value${at} = compute(${key.length}, 'part ${at}'); // checked on line ${at * 7}`,
  );
  return `${key}\n${lines.join('\n')}\nexit code 0`;
}

/** A prompt of a person, different each time. */
export function promptOf(turn: number): string {
  return `Task ${turn}: make the parser accept case ${turn * 13}, keep ticket EP-${1000 + turn} in the commit, and never touch src/legacy.`;
}

function roundsSincePrompt({ body, dialect }: Seen): number {
  const list = body?.[dialect === 'gemini' ? 'contents' : dialect === 'openai-responses' ? 'input' : 'messages'];
  const messages = objectsOf(list);
  const start = messages.findLastIndex((message) => isPromptOf(message, dialect));
  return messages.slice(start + 1).filter((message, at, all) => isRound(message, all[at - 1])).length;
}

function isPromptOf(message: Json, dialect: Dialect | undefined): boolean {
  if (message['role'] !== 'user') return false;
  if (dialect === 'gemini') return !objectsOf(message['parts']).some((part) => isObject(part['functionResponse']));
  return !objectsOf(message['content']).some(({ type }) => type === 'tool_result');
}

// A round of calls: an assistant message that holds some, or, in Responses, the first of a run of call items.
function isRound(message: Json, before: Json | undefined): boolean {
  if (message['type'] === 'function_call') return before?.['type'] !== 'function_call';
  if (Array.isArray(message['tool_calls'])) return true;
  if (objectsOf(message['content']).some(({ type }) => type === 'tool_use')) return true;
  return (
    textOf(message['role']) === 'model' && objectsOf(message['parts']).some((part) => isObject(part['functionCall']))
  );
}
