import { type CompactInput, type Policy, type Ports, PRESET_RULES, policyNamed, presetNamed } from 'epitome';
import { UsageError } from './errors.ts';
import type { Conversation } from './input/conversation.ts';
import { kindOf, parseJson } from './input/json.ts';
import { readConversation } from './input/open.ts';
import { readSource, type Source } from './input/read.ts';
import { knownModel } from './models/prices.ts';
import { compilePrompt } from './models/prompt.ts';
import { positive, type RunOptions, readSettings, seconds } from './options.ts';
import { plain } from './output/text.ts';
import { type Block, blockOf, blockOptions } from './settings/blocks.ts';

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
  await readPolicy(options);
  const ports = portsOf(options);
  const conversation = await readConversation(file, options, signal);
  const { policy, basis } = await policyFor(options.model ?? conversation.model, options);
  const system = await systemOf(options.system, signal);
  const tools = await toolsOf(options.tools, signal);
  const input: CompactInput = {
    format: conversation.format,
    messages: conversation.messages,
    system: system ?? conversation.system,
    tools: tools ?? conversation.tools,
    policy,
    cause: options.force ? 'manual' : 'automatic',
    ...(options.goal === undefined ? {} : { goal: options.goal }),
    ...(options.focus === undefined ? {} : { focus: options.focus }),
  };
  const notes = [
    ...(conversation.kind === 'session' ? conversation.notes : []),
    ...windowNotes(basis, policy.window, options.model ?? conversation.model),
  ];
  return { conversation, input, policy, ports, notes };
}

function windowNotes(basis: WindowBasis, window: number, model: string | undefined): readonly string[] {
  switch (basis) {
    case 'given':
      return [];
    case 'known':
      return [`window of ${window} tokens, that of ${plain(model ?? '')}; --window sets another`];
    case 'assumed':
      return [`window of ${plain(model ?? 'this model')} unknown, assuming 128k; --window sets it`];
    default:
      return basis satisfies never;
  }
}

const ASSUMED_WINDOW = 128_000;

type PolicyOptions = Pick<RunOptions, 'preset' | 'set' | 'window' | 'target' | 'config' | 'agent' | 'summarizer'>;

/** Where a window comes from: an option, the table of models, or nowhere. */
type WindowBasis = 'given' | 'known' | 'assumed';

/** The policy for a model: its window is taken where the options name none. */
async function policyFor(
  model: string | undefined,
  options: PolicyOptions,
): Promise<{ policy: Policy; basis: WindowBasis }> {
  const { policy, isAssumed } = await readPolicy(options);
  if (!isAssumed) return { policy, basis: 'given' };
  const window = (await knownModel(model ?? ''))?.window;
  if (window === undefined) return { policy, basis: 'assumed' };
  return { policy: (await readPolicy({ ...options, window: String(window) })).policy, basis: 'known' };
}

/** The policy that the options describe, and whether its window had to be assumed. */
export async function readPolicy(options: PolicyOptions): Promise<{ policy: Policy; isAssumed: boolean }> {
  const block = await blockIn(options);
  const preset = options.preset ?? block?.preset ?? 'epitome';
  if (block !== undefined && presetNamed(preset) !== presetNamed(block.preset)) {
    throw new UsageError(
      `The block of ${options.config} is for preset ${block.preset}, not ${preset}; leave --preset out.`,
    );
  }
  const settings = { ...(await optionsOf(block, options)), ...(await settingsOf(preset, options)) };
  const policy = policyNamed(preset, { window: ASSUMED_WINDOW, ...settings });
  return { policy, isAssumed: !('window' in settings) };
}

/** A block's options; a summarizer that was named takes the place of the block's model. */
async function optionsOf(
  block: Block | undefined,
  { summarizer }: PolicyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  if (block === undefined) return {};
  const { model, ...options } = await blockOptions(block);
  return summarizer === undefined && model !== undefined ? { ...options, model } : options;
}

/** The `compact:` block that `--config` and `--agent` name. */
async function blockIn({ config, agent }: Pick<RunOptions, 'config' | 'agent'>): Promise<Block | undefined> {
  if (config === undefined) {
    if (agent !== undefined) throw new UsageError('--agent picks a block of a file: name it with --config.');
    return undefined;
  }
  const { readBlockFile } = await import('./settings/block-file.ts');
  const block = blockOf([await readBlockFile(config)], agent);
  if (block === undefined) throw new UsageError(`${config} sets nothing for all agents; --agent picks one.`);
  return block;
}

/** Who is to write the summary: the one named, else the model of the block, else nobody. */
export async function summarizerNamed(options: Pick<RunOptions, 'summarizer' | 'config' | 'agent'>): Promise<string> {
  const model = options.summarizer ?? (await blockIn(options))?.fields.get('model')?.value;
  return String(model ?? 'mechanical');
}

async function settingsOf(
  preset: string,
  { set: given, window, target }: PolicyOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const named = {
    ...(window === undefined ? {} : { window: positive('--window', window) }),
    ...(target === undefined ? {} : { target: target === 'off' ? target : positive('--target', target) }),
  };
  const set = readSettings(preset, given ?? []);
  const twice = Object.keys(named).find((key) => key in set);
  if (twice !== undefined)
    throw new UsageError(`--${twice} and --set ${twice}=${set[twice]} set the same: leave one out.`);
  const settings: Readonly<Record<string, unknown>> = { ...named, ...set };
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

/** A system prompt from a file: JSON where it is, else the text. */
async function systemOf(file: string | undefined, signal: AbortSignal): Promise<unknown> {
  if (file === undefined) return undefined;
  const { text } = await fixedSource(file, signal);
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** Tool schemas from a file. They are JSON: what is none would be counted as words that nobody sends. */
async function toolsOf(file: string | undefined, signal: AbortSignal): Promise<unknown> {
  if (file === undefined) return undefined;
  const value = parseJson(await fixedSource(file, signal), 'a JSON array of tools');
  if (typeof value === 'object' && value !== null) return value;
  throw new UsageError(`${file} holds ${kindOf(value)}; --tools takes a JSON array or object of tools.`);
}

function fixedSource(file: string, signal: AbortSignal): Promise<Source> {
  if (file === '-') throw new UsageError('--system and --tools take a file; - is the conversation.');
  return readSource(file, signal);
}
