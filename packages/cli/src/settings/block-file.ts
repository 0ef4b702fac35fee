import { resolve } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageOf, UsageError } from '../errors.ts';
import type { BlockSource } from './blocks.ts';
import { readSettingsText } from './file.ts';
import { COMPACT_BLOCK } from './schema.ts';

// Configurations of other programs hold much else beside their blocks.
const BLOCKS = z.looseObject({
  compact: COMPACT_BLOCK.optional(),
  agents: z
    .union([
      z.record(z.string(), z.looseObject({ compact: COMPACT_BLOCK.optional() })),
      z.array(z.looseObject({ id: z.string(), compact: COMPACT_BLOCK.optional() })),
    ])
    .optional(),
});

/** The `compact:` blocks of any YAML or JSON file; what else stands there is passed over. */
export async function readBlockFile(name: string): Promise<BlockSource> {
  const file = resolve(name);
  const text = await readSettingsText(file);
  if (text.trim() === '') throw new UsageError(`${name} cannot be read as a configuration: there is nothing in it.`);
  const result = BLOCKS.safeParse(yamlOf(name, text));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new UsageError(`${name}: ${issue?.path.map(String).join('.') || 'the file'} is no block of "field: value".`);
  }
  const { compact, agents } = result.data;
  if (compact === undefined && agents === undefined) {
    throw new UsageError(`${name} has no compact: block, neither a global one nor one of an agent.`);
  }
  return { file, compact, agents };
}

function yamlOf(name: string, text: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const [line = ''] = messageOf(cause).split('\n');
    throw new UsageError(`${name} is no YAML: ${line}`, { cause });
  }
}
