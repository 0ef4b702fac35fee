import { decodeAll, textOf } from '@epitome/transcripts';
import type { Message } from 'epitome';
import {
  diffFacts,
  EMPTY_LEDGER,
  extractFacts,
  type FactKind,
  type Ledger,
  ledgerKey,
  mergeFacts,
  rankFacts,
  type Survival,
} from 'epitome/facts';
import { UsageError } from '../errors.ts';
import { conversationIn } from '../input/open.ts';
import { type Input, openInput } from '../input/read.ts';
import { clearMessages } from '../output/cleared.ts';
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
  const ledger = ledgerOf(await messagesIn(await openInput(files.before, signal)));
  const after = await contentOf(await openInput(files.after, signal));
  const found = without(diffFacts(ledger, after.text), after.facts);
  const lost = options.kind === undefined ? found : only(found, options.kind);
  const lines = options.json ? [JSON.stringify(asData(lost))] : asTable(lost, ledger, options);
  await writeOut(`${lines.join('\n')}\n`);
  return 0;
}

async function messagesIn(input: Input): Promise<readonly Message[]> {
  const { messages, format } = await conversationIn(input, {});
  return clearMessages(decodeAll(messages, format));
}

function ledgerOf(messages: readonly Message[]): Ledger {
  return mergeFacts(
    EMPTY_LEDGER,
    messages.flatMap((message, index) => extractFacts(message, index)),
  );
}

/** What a conversation says and its facts, or the text of a file that is none, such as a hand-over document. */
async function contentOf(input: Input): Promise<{ text: string; facts: Ledger }> {
  try {
    const messages = await messagesIn(input);
    return { text: textOf(messages), facts: ledgerOf(messages) };
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    return { text: (await input.source()).text, facts: EMPTY_LEDGER };
  }
}

/** What is lost, less the facts that are there in other words: a command stands in its arguments as JSON writes it. */
function without(found: Lost, { entries }: Ledger): Lost {
  return Object.fromEntries(
    Object.entries(found).map(([kind, { total, lost: gone, left }]) => {
      const lost = gone.filter((entry) => !Object.hasOwn(entries, ledgerKey(entry)));
      return [kind, { total, kept: total - left - lost.length, lost, left }];
    }),
  );
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
