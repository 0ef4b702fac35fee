import { type Plan, type Policy, preview } from 'epitome';
import { readModelName } from '../models/provider.ts';
import type { RunOptions } from '../options.ts';
import { type Foreseen, passedAhead } from '../output/passed.ts';
import { rangesOf } from '../output/ranges.ts';
import { percent, reasonSentence } from '../output/sentences.ts';
import { sessionData } from '../output/session-notes.ts';
import { planTable } from '../output/table.ts';
import { columns, counted, wrapLines } from '../output/text.ts';
import { writeOut } from '../output/write.ts';
import { type Prepared, prepare, summarizerNamed } from '../request.ts';

/** Options of `plan`. */
export type PlanOptions = RunOptions & { readonly json?: true };

/** Shows what a compaction would do. Returns the exit code. */
export async function runPlan(file: string | undefined, options: PlanOptions, signal: AbortSignal): Promise<number> {
  const summarizer = await summarizerNamed(options);
  if (summarizer !== 'mechanical') readModelName(summarizer);
  const prepared = await prepare(file, options, signal);
  const { conversation, input, ports } = prepared;
  const seen = conversation.isKeptByServer ? passedAhead(input, ports) : preview(input, ports);
  if (!options.quiet) for (const note of prepared.notes) console.error(note);
  const lines = options.json ? [JSON.stringify(asData(prepared, seen))] : asTable(prepared, seen);
  await writeOut(`${lines.join('\n')}\n`);
  return seen.status === 'failed-token-count' ? 3 : 0;
}

function asData({ conversation, policy }: Prepared, seen: Foreseen): object {
  const { status, reason, tokens, decision, plan } = seen;
  const head = headOf(seen);
  return {
    status,
    reason,
    tokens,
    ranges: rangesOf(head),
    firstKept: plan === undefined ? 0 : (head.at(-1) ?? sourceOf(seen, plan.firstKept) - 1) + 1,
    preset: policy.preset,
    window: policy.window,
    format: conversation.format,
    formatBasis: conversation.formatBasis,
    ...(conversation.kind === 'session' ? { session: sessionData(conversation.session) } : {}),
    messages: {
      before: conversation.messages.length,
      compressed: head.length,
      preserved: conversation.messages.length - head.length,
    },
    decision,
    split: plan?.split ?? null,
    masks: plan?.masks ?? [],
  };
}

/** Native messages that would be replaced, ascending. */
function headOf(seen: Foreseen): readonly number[] {
  return (seen.plan?.head ?? []).map((entry) => sourceOf(seen, entry));
}

function sourceOf({ state }: Foreseen, entry: number): number {
  return state?.view.entries[entry]?.source ?? state?.view.entries.length ?? entry;
}

function asTable({ conversation, policy }: Prepared, seen: Foreseen): readonly string[] {
  const { status, reason, tokens, decision, plan, state } = seen;
  const head = new Set(headOf(seen));
  const share = `${percent(tokens.before / policy.window)} of a window of ${policy.window}`;
  const title = [
    `${policy.preset} on ${conversation.format}: ${status === 'compressed' ? `would compact (${reason})` : 'nothing to compact'}`,
    ...(status === 'noop' ? [reasonSentence(reason, decision, policy)] : []),
    `${tokens.before} tokens, ${share}; ${tokens.fixed} of them fixed`,
  ].map((line) => wrapLines(line, columns()));
  return [
    ...title,
    '',
    ...(state === undefined ? [] : planTable({ state, head, ...(plan === undefined ? {} : { plan }) }, columns())),
    ...(plan === undefined ? [] : ['', wrapLines(closing(plan, head, policy), columns())]),
  ];
}

function closing({ split, tokens, masks }: Plan, head: ReadonlySet<number>, policy: Policy): string {
  const shed = Math.ceil(masks.reduce((sum, { sheds }) => sum + sheds, 0));
  const what =
    masks.length === 1
      ? '1 tool result would become a placeholder'
      : `${masks.length} tool results would become placeholders`;
  const masked = masks.length === 0 ? '' : `${what}, ${shed} tokens less.`;
  const count = head.size;
  if (count === 0) return masked;
  const size = `of up to ${policy.summaryMaxTokens} tokens`;
  const runs = rangesOf([...head]).length;
  if (split === 'earliest-run' && runs > 1)
    return `About ${count} messages would become ${runs} summaries ${size} each.`;
  return `${counted(count, 'message')} of ${Math.ceil(tokens.head)} tokens would become one summary ${size}. ${masked}`.trimEnd();
}
