import { realpath } from 'node:fs/promises';
import { messageOf } from '../../errors.ts';
import type { ToolCall } from '../model/stream.ts';
import { listFilesTool, readFileTool, searchTool } from './files.ts';
import { shellTool } from './shell.ts';
import type { ApprovalRequest, Input, Tool, ToolResult } from './tool.ts';

/** What they say: this once, always in this chat, or no; `too-long`: nobody could read it. */
export type Approval = 'once' | 'always' | 'deny' | 'too-long';

/** The tools of a chat, and what was allowed in it. */
export type Toolbox = {
  readonly tools: readonly Tool[];
  /** A call in a few words. */
  readonly describe: (call: ToolCall) => string;
  /** Runs a call. What goes wrong is a result for the model; only the signal's abort rejects. */
  readonly run: (call: ToolCall, ask: Ask, signal: AbortSignal) => Promise<ToolResult>;
};

/** Asks somebody for an approval. */
export type Ask = (request: ApprovalRequest & { readonly tool: string }) => Promise<Approval>;

/** The built-in tools, confined to a folder. */
export async function builtInTools(folder: string, env: NodeJS.ProcessEnv): Promise<readonly Tool[]> {
  const place = { folder: await realpath(folder), env };
  return [readFileTool(place), listFilesTool(place), searchTool(place), shellTool(place)];
}

/** A box with these tools. Approvals live here, never in the conversation. */
export function createToolbox(tools: readonly Tool[]): Toolbox {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const allowed = new Set<string>();
  return {
    tools,
    describe: ({ name, input }) => byName.get(name)?.describe(inputOf(input)) ?? name,
    run: async (call, ask, signal) => {
      const tool = byName.get(call.name);
      if (tool === undefined)
        return failed(`There is no tool ${call.name}; there are ${[...byName.keys()].join(', ')}.`);
      if (call.invalid !== undefined) return failed(`The arguments cannot be read: ${call.invalid}`);
      const input = inputOf(call.input);
      const request = tool.asks?.(input);
      const answer = request === undefined ? 'once' : await answerTo(tool, request, { ask, allowed });
      if (answer === 'deny' || answer === 'too-long') return failed(REFUSALS[answer]);
      signal.throwIfAborted();
      try {
        return await tool.run(input, signal);
      } catch (cause) {
        signal.throwIfAborted();
        return failed(messageOf(cause));
      }
    },
  };
}

const REFUSALS = {
  deny: 'The user did not allow this call. Go on without it, or ask what they would rather have.',
  'too-long': 'This is too long for anybody to read and allow. Do it in smaller steps.',
} as const;

type Permissions = { readonly ask: Ask; readonly allowed: Set<string> };

async function answerTo({ name }: Tool, request: ApprovalRequest, { ask, allowed }: Permissions): Promise<Approval> {
  const key = `${name}\n${request.always}`;
  if (allowed.has(key)) return 'always';
  const answer = await ask({ ...request, tool: name });
  if (answer === 'always') allowed.add(key);
  return answer;
}

function inputOf(input: unknown): Input {
  return typeof input === 'object' && input !== null ? { ...input } : {};
}

function failed(text: string): ToolResult {
  return { text, isError: true };
}
