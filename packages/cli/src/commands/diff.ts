import { decodeAll, textOf } from '@epitome/transcripts';
import {
  diffFacts,
  EMPTY_LEDGER,
  extractFacts,
  type FactKind,
  type Ledger,
  mergeFacts,
  rankFacts,
  type Survival,
} from 'epitome/facts';
import { UsageError } from '../errors.ts';
import { readConversation } from '../input/open.ts';
import { readSource } from '../input/read.ts';
import { percent } from '../output/sentences.ts';
import { columns, fitColumns, plain } from '../output/text.ts';
import { writeOut } from '../output/write.ts';

/** Options of `diff`. */
export type DiffOptions = { readonly json?: true; readonly all?: true; readonly kind?: string };

type Lost = Readonly<Partial<Record<FactKind, Survival>>>;

/** Shows which facts of one conversation another, or any text, lacks. Returns the exit code. */
export async function runDiff(
  files: { readonly before: string; readonly after: string },
  options: DiffOptions,
  signal: AbortSignal,
): Promise<number> {
  if (files.before === '-' && files.after === '-') throw new UsageError('Only one of the two can come from stdin.');
  const conversation = await readConversation(files.before, {}, signal);
  const messages = decodeAll(conversation.messages, conversation.format);
  const facts = messages.flatMap((message, index) => extractFacts(message, index));
  const ledger = mergeFacts(EMPTY_LEDGER, facts);
  const found = diffFacts(ledger, await textIn(files.after, signal));
  const lost = options.kind === undefined ? found : only(found, options.kind);
  const lines = options.json ? [JSON.stringify(asData(lost))] : asTable(lost, ledger, options);
  await writeOut(`${lines.join('\n')}\n`);
  return 0;
}

/** The text of a conversation, or of a file that is none, such as a hand-over document. */
async function textIn(file: string, signal: AbortSignal): Promise<string> {
  try {
    const conversation = await readConversation(file, {}, signal);
    return textOf(decodeAll(conversation.messages, conversation.format));
  } catch (cause) {
    if (!(cause instanceof UsageError) || file === '-') throw cause;
    return (await readSource(file, signal)).text;
  }
}

function only(found: Lost, kind: string): Lost {
  const entry = Object.entries(found).find(([name]) => name === kind);
  if (entry === undefined)
    throw new UsageError(
      `There are no facts of kind ${JSON.stringify(kind)}; there are ${Object.keys(found).join(', ') || 'none'}.`,
    );
  return { [entry[0]]: entry[1] };
}

function asData(lost: Lost): object {
  return Object.fromEntries(
    Object.entries(lost).map(([kind, { total, kept, lost: gone }]) => [
      kind,
      {
        total,
        kept,
        lost: gone.map(({ value, first, last, status }) => ({
          value,
          first,
          last,
          ...(status === undefined ? {} : { status }),
        })),
      },
    ]),
  );
}

const SHOWN = 5;

function asTable(lost: Lost, ledger: Ledger, { all }: DiffOptions): readonly string[] {
  const rows = Object.entries(lost);
  if (rows.length === 0) return ['No facts in the first.'];
  const use = new Map(rankFacts(ledger).map(({ entry, use: likely }) => [entry, likely]));
  const total = rows.reduce((sum, [, row]) => sum + row.total, 0);
  const kept = rows.reduce((sum, [, row]) => sum + row.kept, 0);
  return [
    `${kept} of ${total} facts are in the second (${percent(kept / Math.max(total, 1))}).`,
    ...rows.flatMap(([kind, row]) => {
      const gone = [...row.lost].sort((one, other) => (use.get(other) ?? 0) - (use.get(one) ?? 0));
      const shown = all ? gone : gone.slice(0, SHOWN);
      const more = gone.length > shown.length ? [`    and ${gone.length - shown.length} more; --all lists them`] : [];
      return [
        `  ${kind.padEnd(9)} ${String(row.kept).padStart(5)} of ${String(row.total).padStart(5)} kept`,
        ...shown.map(({ value, first }) => fitColumns(`    - ${plain(value)}  (message ${first})`, columns())),
        ...more,
      ];
    }),
  ];
}
