import type { JSONSchema7, LanguageModel, ModelMessage, TextStreamPart, ToolSet } from 'ai';
import { faultOf, ModelFault } from './fault.ts';

/** A tool as the model is told of it. */
export type ToolSchema = { readonly name: string; readonly description: string; readonly inputSchema: JSONSchema7 };

/** What goes to the model, and who hears the answer as it comes. */
export type Question = {
  readonly system: string;
  /** Messages of the AI SDK, from the view. */
  readonly messages: readonly unknown[];
  readonly tools: readonly ToolSchema[];
  readonly hear: (piece: Piece) => void;
};

/** A piece of an answer. */
type Piece = { readonly kind: 'text' | 'thinking'; readonly text: string };

/** A call the model made. */
export type ToolCall = {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  readonly invalid?: string;
};

/** Tokens as the provider reports them. */
export type Usage = {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
  readonly written: number;
};

/** A finished answer. */
export type Answer = {
  /** As messages of the AI SDK, to be kept. */
  readonly messages: readonly unknown[];
  readonly text: string;
  readonly calls: readonly ToolCall[];
  readonly usage?: Usage;
  /** `unsaid`: the stream ended without a word why. */
  readonly finish: 'stop' | 'tools' | 'length' | 'refused' | 'unsaid';
};

/** Asks the model once. Rejects with a `ModelFault`, or with the signal's reason. */
export async function streamAnswer(
  model: LanguageModel | undefined,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  if (model === undefined) throw new Error('No model was opened.');
  const { streamText, jsonSchema, tool } = await import('ai');
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const gathered = gathering(question.hear);
  const tools: ToolSet = {};
  for (const { name, description, inputSchema } of question.tools) {
    tools[name] = tool({ description, inputSchema: jsonSchema(inputSchema) });
  }
  try {
    const result = streamText({
      model,
      system: question.system,
      messages: cacheable(model, question.messages as ModelMessage[]),
      tools,
      maxRetries: 0,
      ...kept(model),
      abortSignal: signal,
      onError: () => undefined,
    });
    for await (const part of result.fullStream) gathered.take(part);
    signal.throwIfAborted();
    return { ...gathered.answer(), messages: (await result.response).messages };
  } catch (cause) {
    signal.throwIfAborted();
    throw new ModelFault(faultOf(cause, gathered.hasBegun() ? 'cut' : 'network'), { cause });
  }
}

/**
 * OpenAI would keep answers and take references to them for thirty days; the conversation is ours to keep, and goes out whole
 * whenever it is resumed.
 */
function kept(model: LanguageModel): { readonly providerOptions?: { readonly openai: { readonly store: false } } } {
  const isAsked = typeof model === 'object' && model.provider === 'openai.responses';
  return isAsked ? { providerOptions: { openai: { store: false } } } : {};
}

const CACHED = { anthropic: { cacheControl: { type: 'ephemeral' } } } as const;

/** Anthropic caches what it is told to: everything up to the newest message, which the next turn begins with. */
function cacheable(model: LanguageModel, messages: ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  const isAsked = typeof model === 'object' && model.provider.startsWith('anthropic');
  if (!isAsked || last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, providerOptions: { ...last.providerOptions, ...CACHED } }];
}

type Gathering = {
  readonly take: (part: TextStreamPart<ToolSet>) => void;
  readonly hasBegun: () => boolean;
  readonly answer: () => Omit<Answer, 'messages'>;
};

function gathering(hear: Question['hear']): Gathering {
  let text = '';
  let hasBegun = false;
  let usage: Usage | undefined;
  let finish: Answer['finish'] = 'unsaid';
  const calls: ToolCall[] = [];
  return {
    hasBegun: () => hasBegun,
    answer: () => ({ text, calls, finish, ...(usage === undefined ? {} : { usage }) }),
    take: (part) => {
      if (part.type === 'error') throw part.error;
      if (part.type === 'text-delta' || part.type === 'reasoning-delta') {
        hasBegun = true;
        if (part.type === 'text-delta') text += part.text;
        hear({ kind: part.type === 'text-delta' ? 'text' : 'thinking', text: part.text });
      }
      if (part.type === 'tool-call') {
        hasBegun = true;
        const invalid = part.invalid === true ? { invalid: String(part.error) } : {};
        calls.push({ id: part.toolCallId, name: part.toolName, input: part.input, ...invalid });
      }
      if (part.type === 'finish-step') {
        usage = usageOf(part.usage);
        finish = finishOf(part);
      }
    },
  };
}

type Step = Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>;

function usageOf({ inputTokens, outputTokens, inputTokenDetails }: Step['usage']): Usage | undefined {
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    input: inputTokens ?? 0,
    output: outputTokens ?? 0,
    cached: inputTokenDetails.cacheReadTokens ?? 0,
    written: inputTokenDetails.cacheWriteTokens ?? 0,
  };
}

function finishOf({ finishReason, rawFinishReason }: Step): Answer['finish'] {
  switch (finishReason) {
    case 'tool-calls':
      return 'tools';
    case 'length':
      return 'length';
    case 'content-filter':
      return 'refused';
    case 'stop':
      return 'stop';
    case 'error':
    case 'other':
      return rawFinishReason === undefined ? 'unsaid' : rawFinishReason === 'refusal' ? 'refused' : 'stop';
    default:
      return finishReason satisfies never;
  }
}
