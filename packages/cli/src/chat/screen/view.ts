import type { QuestionState } from 'epitome/goals';
import { fitColumns, harmless, plain } from '../../output/text.ts';
import { isCommand } from '../commands/table.ts';
import { type Compacted, type CompactionEnd, isCompacted } from '../compaction-end.ts';
import type { Activity, ChatEvent } from '../events.ts';
import type { Meter } from '../meter.ts';
import type { ApprovalRequest } from '../tools/tool.ts';
import { compactionLines, failedLine, retryLine } from '../words.ts';
import { markdownLines, wholeBlocks } from './markdown.ts';
import type { Canvas } from './style.ts';
import { wrapText } from './wrap.ts';

/** Something that was said or done: printed once, never again. */
export type Item = { readonly id: number; readonly lines: readonly string[] };

/** What a screen shows of a chat. */
export type View = {
  readonly items: readonly Item[];
  /** The part of an answer that is still being written. */
  readonly live: string;
  readonly hasBegun: boolean;
  readonly activity: Activity;
  readonly since: number;
  readonly tool: string;
  readonly waiting: readonly string[];
  readonly meter?: Meter;
  readonly question?: QuestionState;
  readonly approval?: ApprovalRequest;
  /** The last one that changed something, and how many were taken back since. */
  readonly lastCompaction?: Compacted;
  readonly undone: number;
  readonly isOver: boolean;
};

/** Nothing yet. */
export const EMPTY_VIEW: View = {
  items: [],
  live: '',
  hasBegun: false,
  activity: 'resting',
  since: 0,
  tool: '',
  waiting: [],
  undone: 0,
  isOver: false,
};

/** The view with lines printed below all others. */
export function printed(view: View, lines: readonly string[]): View {
  return lines.length === 0 ? view : { ...view, items: [...view.items, { id: view.items.length, lines }] };
}

/** What an event makes of a view. */
export function seen(view: View, event: ChatEvent, canvas: Canvas): View {
  switch (event.kind) {
    case 'sent':
      return printed(view, promptLines(event.text, canvas));
    case 'taken':
      return taken(view, event.text, canvas);
    case 'answer-text':
      return grown(view, event.text, canvas);
    case 'answer-end':
      return ended(view, event.ended, canvas);
    case 'tool-end':
      return printed({ ...view, tool: '' }, toolLines(event, canvas));
    case 'approval-start':
      return asking(view, event.request, canvas);
    case 'compaction-end':
      return printed(compacted(view, event.end), resultLines(event.end, canvas));
    case 'retry':
      // Said once: who waits sees that it goes on.
      return event.attempt > 1 && event.waitMs < SHORT_MS
        ? view
        : printed(view, remark(retryLine(event.fault, event.waitMs), canvas));
    case 'failed':
      return printed(view, remark(failedLine(event.fault), canvas));
    case 'said':
      return printed(view, saidLines(event, canvas));
    default:
      return noted(view, event);
  }
}

/** Events that print nothing. */
type Silent = Exclude<ChatEvent, { readonly kind: Printing }>;
type Printing =
  | 'sent'
  | 'taken'
  | 'answer-text'
  | 'answer-end'
  | 'tool-end'
  | 'approval-start'
  | 'compaction-end'
  | 'retry'
  | 'failed'
  | 'said';

function noted(view: View, event: Silent): View {
  switch (event.kind) {
    case 'queued':
      return { ...view, waiting: [...view.waiting, event.text] };
    case 'activity':
      return { ...view, activity: event.activity, since: event.since };
    case 'answer-start':
      return { ...view, live: '', hasBegun: false };
    case 'tool-start':
      return { ...view, tool: event.what };
    case 'approval-end':
      return dropped(view, 'approval');
    case 'question':
      return event.state.kind === 'answered' ? dropped(view, 'question') : { ...view, question: event.state };
    case 'meter':
      return { ...view, meter: event.meter };
    case 'exit':
      return { ...view, isOver: true };
    case 'settled':
      return { ...view, waiting: [] };
    case 'compaction-start':
      return view;
    case 'undone':
      return { ...view, undone: view.undone + 1 };
    case 'redone':
      return { ...view, undone: Math.max(view.undone - 1, 0) };
    default:
      return event satisfies never;
  }
}

function compacted(view: View, end: CompactionEnd): View {
  return isCompacted(end) ? { ...view, lastCompaction: end, undone: 0 } : view;
}

const MOST_APPROVAL_LINES = 8;

/** Asks for an approval. What does not fit under the question is printed above it: all of it must have been seen. */
function asking(view: View, approval: ApprovalRequest, canvas: Canvas): View {
  const lines = approvedLines(approval, canvas);
  const asked = { ...view, approval };
  return lines.length <= MOST_APPROVAL_LINES ? asked : printed(asked, ['', ...lines]);
}

/** What is to be allowed, whole, with the line breaks it has. */
function approvedLines({ what }: ApprovalRequest, { width, style }: Canvas): readonly string[] {
  const text = harmless(what).replaceAll('\t', '  ');
  return wrapText(text, { width: width - 2, style, looks: ['code'] }).map((line) => `  ${line}`);
}

/** The beginning of it, for the question itself. */
export function approvedStart(request: ApprovalRequest, canvas: Canvas): readonly string[] {
  const lines = approvedLines(request, canvas);
  if (lines.length <= MOST_APPROVAL_LINES) return lines;
  const more = canvas.style(`  … all ${lines.length} lines stand above`, 'warning');
  return [...lines.slice(0, MOST_APPROVAL_LINES - 1), more];
}

/** What waited is being done; a command stands above what it says. */
function taken(view: View, text: string, { width, style }: Canvas): View {
  const left = { ...view, waiting: without(view.waiting, text) };
  return isCommand(text) ? printed(left, ['', style(fitColumns(`> ${plain(text)}`, width), 'dim')]) : left;
}

const SHORT_MS = 5000;

function dropped(view: View, name: 'question' | 'approval'): View {
  const { [name]: _, ...rest } = view;
  return rest;
}

function without(waiting: readonly string[], text: string): readonly string[] {
  const at = waiting.indexOf(text);
  return at < 0 ? waiting : waiting.toSpliced(at, 1);
}

const MOST_PROMPT_LINES = 12;

/** A message of the user's; a long one by its beginning. */
export function promptLines(text: string, { width, style }: Canvas): readonly string[] {
  const first = style('> ', 'accent', 'bold');
  const beginning = harmless(text.slice(0, 4000)).replaceAll('\t', '  ');
  const lines = wrapText(beginning, { width: width - 2, style, looks: ['bold'] });
  const shown = lines.slice(0, MOST_PROMPT_LINES);
  const isLong = shown.length < lines.length || beginning.length < text.length;
  const more = isLong ? [`  ${style(`… ${text.length} characters in all`, 'dim')}`] : [];
  return ['', ...shown.map((line, index) => `${index === 0 ? first : '  '}${line}`), ...more];
}

/** An answer as it came before. */
export function answerLines(text: string, canvas: Canvas): readonly string[] {
  return ['', ...markdownLines(text.trim(), canvas)];
}

function grown(view: View, text: string, canvas: Canvas): View {
  const { whole, rest } = wholeBlocks(view.live + text);
  const begun = { ...view, live: rest, hasBegun: true };
  if (whole.trim() === '') return view.hasBegun ? begun : { ...begun, live: (whole + rest).replace(/^\n+/, '') };
  const lines = trimmed(markdownLines(whole, canvas));
  return printed(begun, ['', ...lines]);
}

/** Without empty lines at both ends: the gap between blocks is ours. */
function trimmed(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line !== '');
  return first < 0 ? [] : lines.slice(first, lines.findLastIndex((line) => line !== '') + 1);
}

const ENDS = {
  whole: undefined,
  'cut-off': 'The answer reached the model’s limit of length.',
  unfinished: 'The answer ended without an end; it may not be whole.',
  cancelled: undefined,
  discarded: undefined,
} as const;

function ended(view: View, how: keyof typeof ENDS, canvas: Canvas): View {
  const rest = trimmed(markdownLines(view.live, canvas));
  const note = ENDS[how];
  const lines = [...(rest.length === 0 ? [] : ['', ...rest]), ...(note === undefined ? [] : remark(note, canvas))];
  return printed({ ...view, live: '', hasBegun: false }, lines);
}

const MOST_TOOL_LINES = 4;

function toolLines(
  { what, text, ok }: Extract<ChatEvent, { kind: 'tool-end' }>,
  { width, style }: Canvas,
): readonly string[] {
  const mark = ok ? style('✓', 'good') : style('✗', 'bad');
  const output = text.split('\n').filter((line) => line.trim() !== '');
  const shown = output.slice(0, MOST_TOOL_LINES).map((line) => `  ${style(fitColumns(plain(line), width - 2), 'dim')}`);
  const more = output.length - MOST_TOOL_LINES;
  return [
    '',
    `${mark} ${fitColumns(plain(what), width - 2)}`,
    ...shown,
    ...(more > 0 ? [`  ${style(`… ${more} more lines`, 'dim')}`] : []),
  ];
}

function remark(text: string, { width, style }: Canvas): readonly string[] {
  const lines = wrapText(plain(text), { width: width - 2, style, looks: ['warning'] });
  return lines.map((line, index) => `${index === 0 ? style('! ', 'warning', 'bold') : '  '}${line}`);
}

function saidLines({ lines, tone }: Extract<ChatEvent, { kind: 'said' }>, canvas: Canvas): readonly string[] {
  if (tone === 'warning') return lines.flatMap((line) => remark(line, canvas));
  const { width, style } = canvas;
  return ['', ...lines.flatMap((line) => wrapText(harmless(line), { width, style, hang: '    ' }))];
}

function resultLines(end: CompactionEnd, canvas: Canvas): readonly string[] {
  const { width, style } = canvas;
  const [first = '', ...rest] = compactionLines(end).map(harmless);
  if (!isCompacted(end)) return [first, ...rest].flatMap((line) => remark(line, canvas));
  return [
    '',
    ...wrapText(first, { width, style, hang: '  ', looks: ['good', 'bold'] }),
    ...rest.flatMap((line) => wrapText(line, { width, style, first: '  ', hang: '  ' })),
    ...wrapText('Ctrl-O shows the summary, /undo takes it back.', {
      width,
      style,
      first: '  ',
      hang: '  ',
      looks: ['dim'],
    }),
  ];
}
