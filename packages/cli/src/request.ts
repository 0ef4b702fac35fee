import { type CompactInput, type Policy, type Ports, PRESET_RULES, policyNamed, presetNamed } from 'epitome';
import { UsageError } from './errors.ts';
import type { Conversation } from './input/conversation.ts';
import { readConversation } from './input/open.ts';
import { readSource } from './input/read.ts';
import { compilePrompt } from './models/prompt.ts';
import { positive, type RunOptions, readSettings, seconds } from './options.ts';

/** Everything a run needs, read and checked. */
export type Prepared = {
  readonly conversation: Conversation;
  readonly input: CompactInput;
  readonly policy: Policy;
  readonly ports: Ports;
  /** Sentences the user should see whatever comes of the run. */
  readonly notes: readonly string[];
};

/** Reads the options and the conversation. Options are checked first: they are the cheaper mistake. */
export async function prepare(file: string | undefined, options: RunOptions, signal: AbortSignal): Promise<Prepared> {
  const { policy, isAssumed } = await readPolicy(options);
  const ports = portsOf(options);
  const conversation = await readConversation(file, options, signal);
  const system = await fixedOf(options.system, signal);
  const tools = await fixedOf(options.tools, signal);
  const input: CompactInput = {
    format: conversation.format,
    messages: conversation.messages,
    system: system ?? conversation.system,
    // Every format counts a list; a text is one entry of it.
    tools: typeof tools === 'string' ? [tools] : (tools ?? conversation.tools),
    policy,
    cause: options.force ? 'manual' : 'automatic',
    ...(options.goal === undefined ? {} : { goal: options.goal }),
    ...(options.focus === undefined ? {} : { focus: options.focus }),
  };
  const notes = [
    ...(conversation.kind === 'session' ? conversation.notes : []),
    ...(isAssumed ? [`window of ${conversation.model ?? 'this model'} unknown, assuming 128k`] : []),
  ];
  return { conversation, input, policy, ports, notes };
}

const ASSUMED_WINDOW = 128_000;

type PolicyOptions = Pick<RunOptions, 'preset' | 'set' | 'window' | 'target'>;

/** The policy that the options describe, and whether its window had to be assumed. */
export async function readPolicy(options: PolicyOptions): Promise<{ policy: Policy; isAssumed: boolean }> {
  const settings = await settingsOf(options);
  const policy = policyNamed(options.preset, { window: ASSUMED_WINDOW, ...settings });
  return { policy, isAssumed: !('window' in settings) };
}

async function settingsOf({ preset, set, window, target }: PolicyOptions): Promise<Readonly<Record<string, unknown>>> {
  const settings: Readonly<Record<string, unknown>> = {
    ...(window === undefined ? {} : { window: positive('--window', window) }),
    ...(target === undefined ? {} : { target: target === 'off' ? target : positive('--target', target) }),
    ...readSettings(preset, set ?? []),
  };
  const { prompt } = settings;
  const isTemplate = typeof prompt === 'string' && 'prompt' in PRESET_RULES[presetNamed(preset)];
  return isTemplate ? { ...settings, prompt: await compilePrompt(prompt) } : settings;
}

/** The limits of a summarizer that the options set. */
export function portsOf({ summarizerWindow, timeout }: Pick<RunOptions, 'summarizerWindow' | 'timeout'>): Ports {
  return {
    ...(summarizerWindow === undefined ? {} : { summarizerWindow: positive('--summarizer-window', summarizerWindow) }),
    ...(timeout === undefined ? {} : { timeoutMs: seconds('--timeout', timeout) * 1000 }),
  };
}

/** A system prompt or tools from a file: JSON where it is, else the text. */
async function fixedOf(file: string | undefined, signal: AbortSignal): Promise<unknown> {
  if (file === undefined) return undefined;
  if (file === '-') throw new UsageError('--system and --tools take a file; - is the conversation.');
  const { text } = await readSource(file, signal);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}
