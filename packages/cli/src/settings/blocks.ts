import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { isCompactionError, type Policy, PRESET_RULES, policyNamed, presetNamed } from 'epitome';
import { messageOf, UsageError } from '../errors.ts';
import { compilePrompt } from '../models/prompt.ts';
import { readAmount, toCamelCase } from '../options.ts';

/** Fields of a `compact:` block as they stand in a file; `null` counts as not set. */
export type CompactBlock = Readonly<Record<string, string | number | boolean | null>>;

/** Blocks of one file: the global one, and those of agents. */
export type BlockSource = {
  readonly file: string;
  readonly compact?: CompactBlock | undefined;
  readonly agents?:
    | Readonly<Record<string, { readonly compact?: CompactBlock | undefined }>>
    | readonly { readonly id: string; readonly compact?: CompactBlock | undefined }[]
    | undefined;
};

/** One field, and the file that set it. */
type Field = { readonly value: string | number | boolean; readonly file: string };

/** Fields by the option they set, together with the preset they are options of. */
export type Block = { readonly preset: string; readonly fields: ReadonlyMap<string, Field> };

/**
 * The block of an agent, or the global one: later files win over earlier ones and an agent's over the global one, field by
 * field; a field that is not set never overwrites one that is. `undefined` where no file has one.
 */
export function blockOf(sources: readonly BlockSource[], agent?: string): Block | undefined {
  const layers = [
    ...sources.map(({ file, compact }) => ({ file, compact })),
    ...(agent === undefined
      ? []
      : sources.map((source) => ({ file: source.file, compact: agentBlock(source, agent) }))),
  ];
  if (agent !== undefined && !sources.some((source) => agentNames(source).includes(agent))) {
    const known = sources.flatMap(agentNames);
    const there = known.length === 0 ? 'no agents are set up' : `there are ${[...new Set(known)].join(', ')}`;
    throw new UsageError(`There is no agent ${JSON.stringify(agent)}; ${there}.`);
  }
  const fields = new Map<string, Field>();
  for (const { file, compact = {} } of layers) {
    for (const [name, value] of Object.entries(compact))
      if (value !== null) fields.set(toCamelCase(name), { value, file });
  }
  if (fields.size === 0) return undefined;
  const preset = String(fields.get('preset')?.value ?? 'selective');
  fields.delete('preset');
  return { preset, fields };
}

/** Options of the preset that a block's fields are, with its prompt compiled. */
export async function blockOptions({ preset, fields }: Block): Promise<Readonly<Record<string, unknown>>> {
  const rules = PRESET_RULES[presetNamed(preset)];
  const entries = await Promise.all(
    [...fields].map(async ([key, { value, file }]): Promise<readonly [string, unknown]> => {
      if (!Object.hasOwn(rules, key)) {
        throw new UsageError(
          `${file}: compact has no field ${JSON.stringify(key)} for preset ${preset}; there are preset, ${Object.keys(rules).join(', ')}.`,
        );
      }
      if (key === 'prompt') return [key, await promptOf(String(value), file)];
      return [key, typeof value === 'string' ? (readAmount(value) ?? value) : value];
    }),
  );
  return Object.fromEntries(entries);
}

/** The policy a block describes. */
export async function blockPolicy(block: Block, window: number): Promise<Policy> {
  const options = await blockOptions(block);
  try {
    return policyNamed(block.preset, { window, ...options });
  } catch (cause) {
    const [field] = block.fields.values();
    if (!isCompactionError(cause) || field === undefined) throw cause;
    throw new UsageError(`${field.file}: ${messageOf(cause)}`, { cause });
  }
}

/** Templates lie beside the file that names them: a project's must not read what is elsewhere. */
async function promptOf(template: string, file: string): Promise<Awaited<ReturnType<typeof compilePrompt>>> {
  const folder = dirname(file);
  if (!template.startsWith('@')) return compilePrompt(template, folder);
  const path = resolve(folder, template.slice(1));
  const way = relative(folder, path);
  if (way.startsWith('..') || isAbsolute(way)) {
    throw new UsageError(`${file}: the prompt ${JSON.stringify(template)} must be a file in the same folder.`);
  }
  return compilePrompt(`@${path}`, folder);
}

function agentNames({ agents = {} }: BlockSource): readonly string[] {
  return Array.isArray(agents) ? agents.map(({ id }) => id) : Object.keys(agents);
}

function agentBlock({ agents = {} }: BlockSource, name: string): CompactBlock | undefined {
  if (isList(agents)) return agents.find(({ id }) => id === name)?.compact;
  return Object.hasOwn(agents, name) ? agents[name]?.compact : undefined;
}

type Agents = NonNullable<BlockSource['agents']>;

function isList(agents: Agents): agents is Extract<Agents, readonly unknown[]> {
  return Array.isArray(agents);
}
