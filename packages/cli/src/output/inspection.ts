import type { Inspection, PastCompaction } from '@epitome/transcripts';
import type { Costs } from '../costs.ts';
import { chartLines, short } from './chart.ts';
import { percent } from './sentences.ts';
import { fitColumns, plain, wrapLines } from './text.ts';

/** What an inspection says, with costs where prices are known. */
export type Inspected = { readonly inspection: Inspection; readonly costs?: Costs; readonly sessions: number };

/** An inspection for people. */
export function inspectionLines({ inspection, costs, sessions }: Inspected, columns: number): readonly string[] {
  const fit = (lines: readonly string[]): readonly string[] => lines.map((line) => fitColumns(line, columns));
  return [
    ...headLines(inspection, sessions).map((line) => wrapLines(line, columns)),
    '',
    'Tokens over the session, by message:',
    ...chartLines(inspection.timeline, columns),
    ...block('Tools', fit(toolLines(inspection))),
    ...block('Heaviest messages', fit(bigLines(inspection))),
    ...block('Said more than once', fit(duplicateLines(inspection))),
    ...block('Branches', fit(branchLines(inspection))),
    ...block(
      'Compactions in it',
      compactionLines(inspection).map((line) => wrapLines(line, columns)),
    ),
    ...block(
      'Cost',
      costLines(inspection, costs).map((line) => wrapLines(line, columns)),
    ),
    ...block('Could not be read', faultLines(inspection)),
  ];
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function headLines(inspection: Inspection, sessions: number): readonly string[] {
  const { source, id, title, models, cwd, messages, turns, calls, failedResults, tokens, reported } = inspection;
  const failed = failedResults > 0 ? `, ${failedResults} of them failed` : '';
  const most =
    reported === undefined || reported.mostPrompt === 0 ? '' : `, the longest of ${short(reported.mostPrompt)} tokens`;
  return [
    [source, plain(id ?? ''), title === undefined ? '' : `“${plain(title)}”`].filter((word) => word !== '').join('  '),
    [timesOf(inspection), plain(models.join(', ')), plain(cwd ?? '')].filter((word) => word !== '').join('  '),
    `${messages} messages in ${turns} turns, ${calls} calls${failed}, about ${short(tokens.total)} tokens`,
    ...(reported === undefined ? [] : [`${reported.requests || 'an unknown number of'} requests were reported${most}`]),
    ...(sessions > 1 ? [`one of ${sessions} sessions in the file; --session picks another`] : []),
  ].filter((line) => line !== '');
}

function timesOf({ startedAt, endedAt }: Inspection): string {
  if (startedAt === undefined) return '';
  const start = new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const minutes = endedAt === undefined ? 0 : Math.round((endedAt - startedAt) / 60_000);
  return minutes > 0 ? `${start} UTC, ${minutes} minutes` : `${start} UTC`;
}

function toolLines({ tools, tokens }: Inspection): readonly string[] {
  const shown = tools.slice(0, 10);
  const width = Math.max(...shown.map(({ name }) => name.length), 0);
  return shown.map(({ name, calls, tokens: own }) => {
    const share = percent(own / Math.max(tokens.total, 1));
    return `  ${plain(name).padEnd(width)}  ${String(calls).padStart(5)} calls  ${short(own).padStart(6)} tokens  ${share}`;
  });
}

function bigLines({ biggest }: Inspection): readonly string[] {
  return biggest.map(({ index, role, tool, tokens, begins }) => {
    return `  ${String(index).padStart(5)}  ${short(tokens).padStart(6)}  ${plain(tool ?? role)}  ${plain(begins)}`;
  });
}

function duplicateLines({ duplicates }: Inspection): readonly string[] {
  return duplicates.map(({ times, tokens, tool, begins }) => {
    return `  ${times} times, ${short(tokens)} tokens too many  ${plain(tool ?? '')}  ${plain(begins)}`;
  });
}

function branchLines({ branches, branch }: Inspection): readonly string[] {
  if (branches.length < 2) return [];
  return branches.slice(0, 20).map(({ name, entries, side }) => {
    return `  ${name === branch ? '*' : ' '} ${name}  ${entries} records${side === undefined ? '' : `  ${plain(side)}`}`;
  });
}

function compactionLines({ compactions }: Inspection): readonly string[] {
  return compactions.flatMap((compaction, index) => [
    `  ${index + 1}. ${sizesOf(compaction)}`,
    ...(Object.keys(compaction.facts).length === 0 ? [] : [`     facts kept: ${factsOf(compaction)}`]),
  ]);
}

function sizesOf({ messages, trigger, tokensBefore, tokensAfter }: PastCompaction): string {
  const before = tokensBefore === undefined ? '' : ` of ${short(tokensBefore)} tokens as reported`;
  return `${messages} messages${before} became ${short(tokensAfter)} tokens${trigger === undefined ? '' : ` (${plain(trigger)})`}`;
}

function factsOf({ facts }: PastCompaction): string {
  return Object.entries(facts)
    .map(([kind, { kept, total }]) => `${kind} ${kept} of ${total}`)
    .join(', ');
}

function costLines({ models }: Inspection, costs: Costs | undefined): readonly string[] {
  if (costs === undefined) {
    const named =
      models.length === 0 ? 'its model is not known' : `no prices are known for ${plain(models.join(', '))}`;
    return [`  ${named}; --prices input,output,cached,written gives them per million tokens`];
  }
  const saved = costs.plain > 0 ? percent(1 - costs.compacted / costs.plain) : '0%';
  return [
    ...(costs.reported === undefined
      ? []
      : [`  ${dollars(costs.reported)} for the tokens that were reported, at ${costs.model}`]),
    `  ${dollars(costs.plain)} if all messages go out with every call and the cache holds, at ${costs.model}`,
    `  ${dollars(costs.compacted)} with ${costs.compactions} compactions at half a window of ${short(costs.window)}: ${saved} less`,
  ];
}

function dollars(amount: number): string {
  return `$${amount < 0.1 ? amount.toFixed(4) : amount.toFixed(2)}`;
}

function faultLines({ faultCount, unknown }: Inspection): readonly string[] {
  const types = Object.entries(unknown).map(([type, count]) => `${plain(type)} ${count}`);
  return [
    ...(faultCount > 0 ? [`  ${faultCount} broken records`] : []),
    ...(types.length > 0 ? [`  unknown records: ${types.join(', ')}`] : []),
  ];
}
