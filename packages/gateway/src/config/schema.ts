import { z } from 'zod';
import { SCOPES } from '../model/call.ts';
import { DIALECTS } from '../model/dialect.ts';
import { bytes, duration, tokens } from './amounts.ts';

const NAME = /^[a-z0-9][a-z0-9._-]{0,62}$/i;
const name = z.string().regex(NAME, 'it takes a name of 1 to 63 letters, digits, dots, - and _');
const price = z.number().min(0).max(1_000_000);
const window = tokens({ min: 256, max: 1_000_000_000 });

const secret = z
  .union([z.strictObject({ env: z.string().min(1) }), z.strictObject({ file: z.string().min(1) })], {
    error: 'it takes { env: NAME } or { file: PATH }; a key is never written into a configuration',
  })
  .describe('Where a key is taken from: a variable of the environment, or a file. Never the key itself.');

const header = z.string().regex(/^[\t\x20-\x7e]*$/, 'it takes printable ASCII characters');

const upstream = z.strictObject({
  name,
  baseUrl: z
    .string()
    .refine(isBaseUrl, 'it takes an http or https address without user, query and fragment')
    .describe("Where it is, with any path in front of the protocol's own, such as https://api.openai.com."),
  dialects: z.array(z.enum(DIALECTS)).min(1),
  key: secret.optional(),
  headers: z
    .record(z.string().regex(/^[a-z0-9-]+$/, 'names are written in small letters, digits and -'), header)
    .optional(),
  allowPrivate: z.boolean().optional().describe('Whether its name may resolve to an address of a private network.'),
});

const model = z.strictObject({
  match: z.string().min(1).describe("A model's name; * stands for any run of characters."),
  window: window.optional(),
  prices: z
    .strictObject({ input: price, output: price, cachedRead: price.optional(), cacheWrite: price.optional() })
    .optional()
    .describe('Dollars per million tokens.'),
});

const policy = z.strictObject({
  when: z
    .strictObject({
      model: z.string().min(1).optional(),
      dialect: z.enum(DIALECTS).optional(),
      upstream: name.optional(),
      path: z.string().startsWith('/').optional(),
      key: z.string().min(1).optional(),
    })
    .optional()
    .describe(
      'Which requests it is for; all of them where absent. In model and path * stands for any run of characters.',
    ),
  mode: z.enum(['on', 'off']).optional(),
  preset: z.string().min(1).optional(),
  window: window.optional(),
  target: tokens({ min: 1, max: 1_000_000_000 }).optional(),
  goal: z.string().min(1).max(2000).optional(),
  options: z.record(z.string(), z.unknown()).optional().describe('Further options of the preset, by name.'),
});

const budget = z.strictObject({
  tokensPerDay: tokens({ min: 1, max: 1e12 }).optional(),
  dollarsPerDay: z.number().positive().max(1e9).optional(),
  requestsPerMinute: z.int().min(1).max(1_000_000).optional(),
});

const key = z.strictObject({
  id: name,
  hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, 'it takes the SHA-256 of the key as 64 hexadecimal digits')
    .optional(),
  secret: secret.optional(),
  tenant: name.optional().describe('Whose conversations it works on; its own id where absent.'),
  scopes: z.array(z.enum(SCOPES)).min(1).default(['proxy', 'read']),
  expires: z
    .string()
    .refine((text) => Number.isFinite(Date.parse(text)), 'it takes a date such as 2027-01-31 or 2027-01-31T12:00:00Z')
    .optional(),
  budget: budget.optional(),
});

/** Bytes of conversations that are remembered where nobody says otherwise: enough for several hundred sessions. */
export const USUAL_MEMORY: number = 96 * 1024 ** 2;

const limits = z.strictObject({
  bodyBytes: bytes({ min: 1024, max: 1024 ** 3 }).default(64 * 1024 ** 2),
  depth: z.int().min(8).max(10_000).default(256),
  ratio: z.number().min(1).max(10_000).default(100).describe('Most bytes that one compressed byte may become.'),
  connectionsPerAddress: z.int().min(1).max(1_000_000).default(1024),
  memory: bytes({ min: 1024 ** 2, max: 1024 ** 4 })
    .default(USUAL_MEMORY)
    .describe('Bytes of conversations that are remembered between requests. What is not is read from the store again.'),
});

const wait = (standard: number): z.ZodDefault<ReturnType<typeof duration>> =>
  duration({ min: 1, max: 86_400_000 }).default(standard);

const timeouts = z.strictObject({
  header: wait(10_000),
  body: wait(60_000),
  idle: wait(75_000),
  upstream: wait(300_000).describe('For the first byte of an answer, and between two.'),
  shutdown: wait(30_000),
});

/** What a configuration file may say. The JSON Schema of files is made from this. */
export const fileSchema = z
  .strictObject({
    listen: z
      .strictObject({ host: z.string().min(1).default('127.0.0.1'), port: z.int().min(0).max(65_535).default(4141) })
      .prefault({}),
    upstreams: z.array(upstream).optional().describe('In order; the first that speaks a dialect serves its paths.'),
    models: z
      .array(model)
      .default([])
      .describe('Windows and prices that are known better here; the first match holds.'),
    policies: z.array(policy).default([]).describe('Later rules add to earlier ones.'),
    keys: z.array(key).default([]).describe('Client keys. Without any, callers bring the key of their provider.'),
    sharedTenant: name
      .optional()
      .describe(
        "Without client keys: all callers work on this tenant, not each on that of its provider's key. Loopback only.",
      ),
    hosts: z
      .array(z.string().min(1))
      .default([])
      .describe('Names a Host header may have beside localhost and its addresses.'),
    limits: limits.prefault({}),
    timeouts: timeouts.prefault({}),
    summarizer: z.string().min(1).default('mechanical').describe('mechanical (no model), or PROVIDER/MODEL.'),
    store: z.string().min(1).optional().describe('A path, or postgres://…; the store of the user where absent.'),
    log: z.enum(['silent', 'error', 'warn', 'info', 'debug']).default('info'),
  })
  .describe('Configuration of the Epitome gateway.');

/** A configuration file, checked, its defaults filled in. */
export type FileConfig = z.output<typeof fileSchema>;

/** The JSON Schema of configuration files, for editors. */
export function configJsonSchema(): Readonly<Record<string, unknown>> {
  return z.toJSONSchema(fileSchema, { io: 'input', target: 'draft-2020-12' });
}

function isBaseUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === '';
}
