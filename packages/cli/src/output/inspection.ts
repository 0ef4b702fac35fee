import type { Inspection } from '@epitome/transcripts';
import type { Costs } from '../costs.ts';
import { chartLines, short, sparkline } from './chart.ts';
import { costLines } from './cost-lines.ts';
import { compactionLines } from './past-compactions.ts';
import { percent } from './sentences.ts';
import { faultNotes } from './session-notes.ts';
import { counted, fitColumns, fitEnd, plain, widest, widthOf, wrapLines } from './text.ts';

/** What an inspection says, with costs where prices are known. */
export type Inspected = { readonly inspection: Inspection; readonly costs?: Costs; readonly sessions: number };

/** An inspection for people. */
export function inspectionLines({ inspection, costs, sessions }: Inspected, columns: number): readonly string[] {
  const fit = (lines: readonly string[]): readonly string[] => lines.map((line) => fitColumns(line, columns));
  const wrap = (lines: readonly string[]): readonly string[] => lines.map((line) => wrapLines(line, columns));
  return [
    ...wrap(headLines(inspection, sessions)),
    ...fit(promptLines(inspection)),
    '',
    'Tokens over the session, by message:',
    ...wrap(chartLines(inspection.timeline, columns)),
    ...block(columns < NARROW ? 'Tools' : 'Tools, with their tokens over time', fit(toolLines(inspection, columns))),
    ...block('Heaviest messages', fit(bigLines(inspection, columns))),
    ...block('Said more than once', fit(duplicateLines(inspection, columns))),
    ...block('Branches', fit(branchLines(inspection))),
    ...block('Compactions in it (facts left/there)', compactionLines(inspection, columns)),
    ...block('Cost', wrap(costLines(inspection, costs))),
    ...block('Could not be read', wrap(faultNotes(inspection).map((line) => `  ${line}`))),
  ];
}

function block(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function headLines(inspection: Inspection, sessions: number): readonly string[] {
  const { source, id, title, models, cwd, messages, turns, calls, failedResults, tokens, reported } = inspection;
  const failed = failedResults > 0 ? `, ${failedResults} of them failed` : '';
  const fixed = tokens.fixed > 0 ? `, ${short(tokens.fixed)} of them system prompt and tools` : '';
  const most =
    reported === undefined || reported.mostPrompt === 0 ? '' : `, the longest of ${short(reported.mostPrompt)} tokens`;
  return [
    [source, plain(id ?? ''), title === undefined ? '' : `“${plain(title)}”`].filter((word) => word !== '').join('  '),
    [timesOf(inspection), plain(models.join(', ')), plain(cwd ?? '')].filter((word) => word !== '').join('  '),
    `${counted(messages, 'message')} in ${counted(turns, 'turn')}, ${counted(calls, 'call')}${failed}, about ${short(tokens.total)} tokens${fixed}`,
    ...(reported === undefined || reported.requests === 0
      ? []
      : [`${counted(reported.requests, 'request')} to a model reported${most}`]),
    ...(sessions > 1 ? [`one of ${sessions} sessions in the file; --session picks another`] : []),
  ].filter((line) => line !== '');
}

function promptLines({ prompts: { first, last } }: Inspection): readonly string[] {
  return [
    ...(first === undefined ? [] : [`first prompt: ${plain(first)}`]),
    ...(last === undefined ? [] : [`last prompt:  ${plain(last)}`]),
  ];
}

function timesOf({ startedAt, endedAt }: Inspection): string {
  if (startedAt === undefined) return '';
  const start = new Date(startedAt).toISOString().slice(0, 16).replace('T', ' ');
  const minutes = endedAt === undefined ? 0 : Math.round((endedAt - startedAt) / 60_000);
  if (minutes <= 0) return `${start} UTC`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const days = Math.floor(hours / 24);
  const long = days > 0 ? `${days} d ${hours % 24} h` : `${hours} h ${rest} min`;
  return `${start} UTC, ${hours === 0 ? `${minutes} min` : long}`;
}

const MOST_TOOLS = 12;
// Below it the line over time is left out: name, calls and weight say more.
const NARROW = 64;

function toolLines({ tools, tokens }: Inspection, columns: number): readonly string[] {
  const shown = tools.slice(0, MOST_TOOLS);
  const names = shown.map(({ name }) => fitColumns(plain(name), columns < NARROW ? 18 : 32));
  const width = widest(names);
  const most = shown.flatMap(({ overTime }) => overTime).reduce((largest, tokens) => Math.max(largest, tokens), 1);
  const lines = shown.map(({ calls, tokens: own, overTime }, index) => {
    const name = names[index] ?? '';
    const share = percent(own / Math.max(tokens.total, 1)).padStart(4);
    const line = columns < NARROW ? '' : `  ${sparkline(overTime, most)}`;
    return `  ${name}${' '.repeat(width - widthOf(name))}  ${String(calls).padStart(4)}x ${short(own).padStart(5)} ${share}${line}`;
  });
  return tools.length > shown.length ? [...lines, `  and ${tools.length - shown.length} more`] : lines;
}

function bigLines({ biggest, cwd }: Inspection, columns: number): readonly string[] {
  return biggest.map(({ index, role, tool, tokens, begins }) => {
    const head = `  ${String(index).padStart(5)}  ${short(tokens).padStart(5)}  ${plain(tool ?? role)}  `;
    return head + subjectOf(begins, cwd, columns - widthOf(head));
  });
}

function duplicateLines({ duplicates, cwd }: Inspection, columns: number): readonly string[] {
  return duplicates.map(({ times, tokens, tool, begins }) => {
    const from = tool === undefined ? '' : `${plain(tool)}  `;
    const head = `  ${times} times, ${short(tokens)} tokens too many  ${from}`;
    return head + subjectOf(begins, cwd, columns - widthOf(head));
  });
}

/** What a message is about. Of a path the end says which file it is, and the folder of the session goes without saying. */
function subjectOf(begins: string, cwd: string | undefined, room: number): string {
  const text = plain(begins);
  if (!PATH.test(text)) return text;
  return fitEnd(cwd !== undefined && text.startsWith(`${cwd}/`) ? text.slice(cwd.length + 1) : text, room);
}

const PATH = /^(?:~?\/|[A-Za-z]:[\\/])\S*$/;

const MOST_BRANCHES = 20;

function branchLines({ branches, branch }: Inspection): readonly string[] {
  if (branches.length < 2) return [];
  const lines = branches.slice(0, MOST_BRANCHES).map(({ name, entries, shared, side, begins }) => {
    const own = shared > 0 ? `${entries} records, ${shared} of them shared` : counted(entries, 'record');
    const what = [side === undefined ? '' : plain(side), plain(begins)].filter((word) => word !== '').join(': ');
    return `  ${name === branch ? '*' : ' '} ${name}  ${own}  ${what}`;
  });
  return branches.length > MOST_BRANCHES ? [...lines, `    and ${branches.length - MOST_BRANCHES} more`] : lines;
}
