import { compactIfDue, compactNow } from './compaction.ts';
import { ask, Cancelled } from './model/ask.ts';
import { ModelFault } from './model/fault.ts';
import { withoutForeignThinking } from './model/foreign.ts';
import type { Answer, ToolCall } from './model/stream.ts';
import { readNative } from './native.ts';
import { noteUsage, type Running, tellActivity, tellMeter } from './state.ts';
import { schemaOf, type ToolResult } from './tools/tool.ts';
import type { Approval, Ask } from './tools/toolbox.ts';

// A model that calls tools without end is stopped, and the user asked.
const MOST_STEPS = 100;

/** Answers the newest message: compacts if that is due, asks the model, runs its tools, and again until it is done. */
export async function runTurn(running: Running, signal: AbortSignal): Promise<void> {
  const { world, state } = running;
  state.turn += 1;
  try {
    for (let step = 0; step < MOST_STEPS; step += 1) {
      await compactIfDue(running, signal);
      const answer = await answerOnce(running, signal);
      await keep(running, answer);
      if (answer.calls.length === 0) return;
      await runTools(running, answer.calls, signal);
    }
    world.tell({
      kind: 'said',
      tone: 'warning',
      lines: [`Stopped after ${MOST_STEPS} steps; say so if it should go on.`],
    });
  } catch (cause) {
    if (cause instanceof Cancelled || signal.aborted) {
      await keepCancelled(running, cause);
      return;
    }
    if (!(cause instanceof ModelFault)) throw cause;
    world.tell({ kind: 'failed', fault: cause.fault });
  } finally {
    tellActivity(running, 'resting');
    tellMeter(running);
  }
}

/** Asks the model; where the request was too long it is compacted once and asked once more. */
async function answerOnce(running: Running, signal: AbortSignal): Promise<Answer> {
  try {
    return await askModel(running, signal);
  } catch (cause) {
    if (!(cause instanceof ModelFault) || cause.fault.kind !== 'too-long') throw cause;
    running.world.tell({ kind: 'retry', fault: cause.fault, waitMs: 0, attempt: 1 });
    await compactNow(running, { cause: 'overflow' }, signal);
    return askModel(running, signal);
  }
}

async function askModel(running: Running, signal: AbortSignal): Promise<Answer> {
  const { world, state } = running;
  const { clock, tell, system, toolbox } = world;
  tellActivity(running, 'answering');
  const { messages } = withoutForeignThinking(await world.conversation.view(), state.model.name);
  const question = { system, messages, tools: toolbox.tools.map(schemaOf) };
  return ask({ model: state.model, question, clock, tell }, signal);
}

async function keep(running: Running, { messages, usage }: Answer): Promise<void> {
  const { world, state } = running;
  await world.conversation.append(messages.filter((message) => typeof message === 'object' && message !== null));
  if (usage === undefined) return;
  state.size = { tokens: usage.input + usage.output, basis: 'reported' };
  await noteUsage(running, usage);
}

/** What was said until it was stopped stays, as the user saw it. */
async function keepCancelled({ world }: Running, cause: unknown): Promise<void> {
  if (cause instanceof Cancelled && cause.text.trim() !== '') {
    await world.conversation.append([{ role: 'assistant', content: [{ type: 'text', text: cause.text }] }]);
  }
  await answerOpenCalls(world.conversation, 'The user stopped this before it was done.');
  world.tell({ kind: 'said', tone: 'plain', lines: ['Cancelled. What was said so far is kept.'] });
}

/** Runs calls one after another; each has a result, whatever becomes of it. */
async function runTools(running: Running, calls: readonly ToolCall[], signal: AbortSignal): Promise<void> {
  const { world } = running;
  for (const call of calls) {
    const what = world.toolbox.describe(call);
    tellActivity(running, 'tool');
    world.tell({ kind: 'tool-start', id: call.id, what });
    let ended: ToolResult = { text: 'stopped', isError: true };
    try {
      ended = await world.toolbox.run(call, (request) => approval(running, request, signal), signal);
      await world.conversation.append([resultMessage(call, ended)]);
    } finally {
      world.tell({ kind: 'tool-end', id: call.id, what, text: ended.text, ok: ended.isError !== true });
    }
  }
}

type Request = Parameters<Ask>[0];

// A few pages: nobody reads more before they say yes.
const MOST_READ = 20_000;

/** Asks somebody; where nobody can answer, it is what was said beforehand. */
function approval({ world, state }: Running, request: Request, signal: AbortSignal): Promise<Approval> {
  if (!world.isInteractive) return Promise.resolve(world.allows?.(request.tool) ? 'once' : 'deny');
  if (request.what.length > MOST_READ) return Promise.resolve('too-long');
  return new Promise((resolve, reject) => {
    const end = (): void => {
      delete state.approve;
      signal.removeEventListener('abort', stop);
      world.tell({ kind: 'approval-end' });
    };
    const stop = (): void => {
      end();
      reject(signal.reason);
    };
    state.approve = (answer) => {
      end();
      resolve(answer);
    };
    signal.addEventListener('abort', stop, { once: true });
    world.tell({ kind: 'approval-start', request });
  });
}

function resultMessage({ id, name }: Pick<ToolCall, 'id' | 'name'>, { text, isError }: ToolResult): object {
  const output = { type: isError ? 'error-text' : 'text', value: text };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName: name, output }] };
}

/** Gives a result to each call that has none: after a crash or a stop, no provider takes the conversation otherwise. */
export async function answerOpenCalls(
  conversation: Running['world']['conversation'],
  words = 'The chat ended before this was done.',
): Promise<void> {
  const open = new Map<string, string>();
  const parts = (await conversation.view()).flatMap((message) => readNative(message).parts);
  for (const { type, toolCallId, toolName } of parts) {
    if (type === 'tool-call') open.set(String(toolCallId), String(toolName));
    if (type === 'tool-result') open.delete(String(toolCallId));
  }
  const results = [...open].map(([id, name]) => resultMessage({ id, name }, { text: words, isError: true }));
  if (results.length > 0) await conversation.append(results);
}
