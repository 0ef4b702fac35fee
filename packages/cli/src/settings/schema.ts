import { z } from 'zod';
import type { BlockSource, CompactBlock } from './blocks.ts';
import { metaOf, numberSetting } from './rules.ts';

const text = z.string().trim().min(1);

const MCP_SERVER = z
  .union([
    z.strictObject({
      command: text,
      args: z.array(z.string()).optional(),
      env: z.record(z.string(), z.string()).optional(),
    }),
    z.strictObject({ url: z.url({ protocol: /^https?$/ }), headers: z.record(z.string(), z.string()).optional() }),
  ])
  .meta({ description: 'A command to start, or an address.' });

/** A `compact:` block: a preset and its options, in their own names or with underscores. */
export const COMPACT_BLOCK: z.ZodType<CompactBlock> = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.null()]),
);

const AGENT = z.strictObject({ compact: COMPACT_BLOCK.optional() });

/** Settings as they stand in a file; what is not there was not set. Single values are read by their keys. */
export type SettingsFile = {
  readonly compact?: CompactBlock | undefined;
  readonly agents?: BlockSource['agents'];
  readonly mcpServers?: Readonly<Record<string, McpServerSetting>> | undefined;
};

/** A server of the Model Context Protocol. */
type McpServerSetting =
  | {
      readonly command: string;
      readonly args?: readonly string[] | undefined;
      readonly env?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly url: string; readonly headers?: Readonly<Record<string, string>> | undefined };

const SHAPE = {
  compressionStrategy: z
    .enum(['since-last-prompt', 'percentage'])
    .optional()
    .meta(
      metaOf('compressionStrategy', 'What stays when a goal was chosen: the newest exchange, or the newest share.'),
    ),
  compressionInteractive: z
    .boolean()
    .optional()
    .meta(metaOf('compressionInteractive', 'Whether you are asked what you are working on before a compaction.')),
  compressionPromptTimeout: numberSetting('compressionPromptTimeout', 'Seconds the question waits for an answer.'),
  compressionTriggerTokens: numberSetting(
    'compressionTriggerTokens',
    'Tokens of the request above which it checks in.',
  ),
  compressionTriggerUtilization: numberSetting(
    'compressionTriggerUtilization',
    'Share of the window at which compaction is required.',
  ),
  compressionMinMessagesSinceLastCompress: numberSetting(
    'compressionMinMessagesSinceLastCompress',
    'Prompts and replies there must be since the last compaction.',
  ),
  compressionMinTimeBetweenPrompts: numberSetting(
    'compressionMinTimeBetweenPrompts',
    'Seconds there must be since the last compaction.',
  ),
  compressionFrequencyMultiplier: numberSetting(
    'compressionFrequencyMultiplier',
    'What "Check in less often" multiplies the thresholds by.',
  ),
  model: z
    .strictObject({
      name: text.optional().meta({ description: 'The model to talk to, as PROVIDER/MODEL.' }),
      window: z
        .int()
        .min(1000)
        .max(1_000_000_000)
        .optional()
        .meta({ description: "The model's context window in tokens, where the table of models does not know it." }),
      compressionThreshold: numberSetting(
        'model.compressionThreshold',
        'Deprecated name of compressionTriggerUtilization, which wins where both are set.',
      ),
    })
    .optional(),
  summarizer: text.optional().meta({
    description: 'Who writes summaries: model (the one of the chat), mechanical, or PROVIDER/MODEL.',
    default: 'model',
  }),
  tools: z
    .strictObject({
      disabled: z
        .array(text)
        .optional()
        .meta({ description: 'Names of tools the model is not given, such as shell.', default: [] }),
    })
    .optional(),
  mcpServers: z
    .record(z.string().regex(/^[\w.-]{1,64}$/), MCP_SERVER)
    .optional()
    .meta({
      description: 'Servers of the Model Context Protocol, by name: {command, args, env} or {url, headers}.',
      default: {},
    }),
  telemetry: z
    .strictObject({
      file: text
        .optional()
        .meta({ description: 'File that takes the event of each compaction, one JSON object a line.' }),
      openTelemetry: z
        .boolean()
        .optional()
        .meta({ description: 'Whether the event goes to OpenTelemetry, where an SDK is installed.', default: false }),
    })
    .optional(),
  checkIns: z
    .strictObject({
      timesLessOften: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .meta({ description: 'How often "Check in less often" was chosen; counted by the program.', default: 0 }),
      cumulativeReduction: z
        .number()
        .min(1)
        .max(1e12)
        .optional()
        .meta({ description: 'By what factor that made check-ins rarer; kept by the program.', default: 1 }),
    })
    .optional(),
  compact: COMPACT_BLOCK.optional().meta({
    description: 'How to compact: preset (default: selective) and its options, such as token_threshold.',
  }),
  agents: z
    .union([z.record(z.string(), AGENT), z.array(z.strictObject({ id: text, compact: COMPACT_BLOCK.optional() }))])
    .optional()
    .meta({
      description:
        'compact: blocks by agent, as a mapping or as a list with ids; a field they leave out comes from the global block.',
    }),
};

/** What a settings file may hold, by key. */
export const SETTINGS_SHAPE: Readonly<Record<string, z.ZodType>> = SHAPE;

/** Checks what a settings file holds. */
export const SETTINGS: z.ZodType<SettingsFile> = z.strictObject(SHAPE);

/** The published JSON Schema of a settings file. */
export function settingsSchema(): object {
  const schema = z.toJSONSchema(SETTINGS, { target: 'draft-7', io: 'input' });
  return { title: 'Settings of epitome', ...schema };
}
