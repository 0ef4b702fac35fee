import { viewQuestion } from 'epitome/goals';
import { fitColumns, plain, widthOf } from '../../output/text.ts';
import { COMMANDS, completionsOf } from '../commands/names.ts';
import { meterWords } from '../words.ts';
import type { Editor } from './editor.ts';
import { markdownLines } from './markdown.ts';
import type { Canvas } from './style.ts';
import { approvedStart, type View } from './view.ts';
import { cut, fold, wrapText } from './wrap.ts';

/** Everything the lower part of the screen is drawn from. */
export type Scene = {
  readonly view: View;
  readonly editor: Editor;
  /** A word to whoever pressed something that needs one. */
  readonly hint: string;
  readonly now: number;
};

/** A screen to draw on. */
export type Screen = Canvas & { readonly rows: number };

/** The lines below what was printed: the open answer, what is asked or under way, the input, the status. */
export function frameLines(scene: Scene, screen: Screen): readonly string[] {
  const lower = [
    ...centreLines(scene, screen),
    ...waitingLines(scene.view, screen),
    ...inputLines(scene.editor, screen),
    ...helpLines(scene, screen),
    statusLine(scene.view, screen),
  ];
  // A frame as high as the screen would make the terminal scroll with every stroke.
  const room = Math.max(screen.rows - lower.length - 2, 0);
  const open = markdownLines(scene.view.live, screen).filter(
    (line, index, all) => line !== '' || index < all.length - 1,
  );
  const tail = scene.view.live.trim() === '' || room === 0 ? [] : ['', ...open].slice(-room);
  return [...tail, '', ...lower].slice(-(screen.rows - 1));
}

function centreLines(scene: Scene, screen: Screen): readonly string[] {
  const { view, now } = scene;
  if (view.approval !== undefined) return approvalLines(scene, screen);
  if (view.question !== undefined) return questionBlock(view.question, screen);
  const label = labelOf(view);
  if (label === '') return [];
  const { style, width } = screen;
  const seconds = Math.max(0, Math.floor((now - view.since) / 1000));
  const frame = SPINNER[Math.floor((now - view.since) / 100) % SPINNER.length] ?? '';
  return [`${style(frame, 'accent')} ${style(fitColumns(`${label} ${seconds}s · Ctrl-C stops`, width - 2), 'dim')}`];
}

const SPINNER = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];

function labelOf({ activity, tool, hasBegun }: View): string {
  switch (activity) {
    case 'resting':
      return '';
    case 'answering':
      return hasBegun ? 'Answering…' : 'Thinking…';
    case 'tool':
      return plain(tool) || 'Working…';
    case 'waiting':
      return 'Waiting to ask again…';
    case 'asking':
      return 'Looking at what you are working on…';
    case 'compacting':
      return 'Summarizing…';
    default:
      return activity satisfies never;
  }
}

function approvalLines({ view: { approval }, editor }: Scene, screen: Screen): readonly string[] {
  if (approval === undefined) return [];
  const { width, style } = screen;
  const keys = editor.text === '' ? APPROVAL_KEYS : 'You are writing: send or clear that, then say y, a or n. Esc: no';
  return [
    style(fitColumns(plain(approval.title), width), 'bold'),
    ...approvedStart(approval, screen),
    ...wrapText(keys, { width, style, first: '  ', hang: '  ' }),
  ];
}

const APPROVAL_KEYS = '1 or y: once · 2 or a: always in this chat · 3, n or Esc: no';

function questionBlock(state: NonNullable<View['question']>, { width, style }: Screen): readonly string[] {
  const { heading, isWarning, options, input, footer } = viewQuestion(state);
  const looks = isWarning ? (['warning', 'bold'] as const) : (['bold'] as const);
  return [
    ...wrapText(heading, { width, style, looks }),
    ...options.flatMap(({ number, text, isSelected }) => {
      const mark = isSelected ? style('❯ ', 'accent') : '  ';
      const lines = wrapText(text, { width: width - 5, style, looks: isSelected ? ['bold'] : [] });
      return lines.map((line, index) => (index === 0 ? `${mark}${number}. ${line}` : `     ${line}`));
    }),
    ...(input === undefined ? [] : [`  > ${lastColumns(input, width - 6)}${style(' ', 'inverse')}`]),
    ...wrapText(footer, { width, style, first: '  ', hang: '  ', looks: ['dim'] }),
  ];
}

function lastColumns(text: string, width: number): string {
  const pieces = cut([...text].reverse().join(''), Math.max(width, 4));
  return [...(pieces[0] ?? '')].reverse().join('');
}

const MOST_WAITING = 3;

function waitingLines({ waiting }: View, { width, style }: Screen): readonly string[] {
  const shown = waiting.slice(0, MOST_WAITING);
  const lines = shown.map((text) => style(fitColumns(`  waiting: ${plain(text.slice(0, 400))}`, width), 'dim'));
  const more = waiting.length - shown.length;
  return more > 0 ? [...lines, style(`  … and ${more} more`, 'dim')] : lines;
}

const MOST_INPUT_ROWS = 8;

/** The text being written, with its cursor, by the rows around it. */
function inputLines({ text, at }: Editor, { width, style }: Screen): readonly string[] {
  const room = Math.max(width - 3, 8);
  const rows: string[] = [];
  let cursorRow = 0;
  let offset = 0;
  for (const line of text.split('\n')) {
    const hasCursor = at >= offset && at <= offset + line.length;
    const shown = hasCursor ? withCursor(line, at - offset, room) : { rows: fold(line, room), row: 0 };
    if (hasCursor) cursorRow = rows.length + shown.row;
    for (const row of shown.rows)
      rows.push(hasCursor ? row.replace(MARKED, (_, char: string) => style(char, 'inverse')) : row);
    offset += line.length + 1;
  }
  const start = Math.max(0, Math.min(cursorRow - MOST_INPUT_ROWS + 2, rows.length - MOST_INPUT_ROWS));
  const visible = rows.slice(start, start + MOST_INPUT_ROWS);
  const mark = style('> ', 'accent', 'bold');
  return visible.map((row, index) => `${start + index === 0 ? mark : '  '}${row}`);
}

// Marks around the character under the cursor; private characters that no font shows.
const MARKED = /\ue000([^\ue001]*)\ue001/;

function withCursor(
  line: string,
  at: number,
  room: number,
): { readonly rows: readonly string[]; readonly row: number } {
  const under = [...line.slice(at)][0] ?? ' ';
  const rows = [...fold(at >= line.length ? `${line} ` : line, room)];
  let [row, left] = [0, at];
  while (row < rows.length - 1 && left >= (rows[row]?.length ?? 0)) {
    left -= rows[row]?.length ?? 0;
    row += 1;
  }
  const own = rows[row] ?? '';
  rows[row] = `${own.slice(0, left)}\ue000${under}\ue001${own.slice(left + under.length)}`;
  return { rows, row };
}

const MOST_COMPLETIONS = 6;

function helpLines({ editor, hint }: Scene, { width, style }: Screen): readonly string[] {
  if (hint !== '') return wrapText(hint, { width, style, looks: ['dim'] });
  const names = completionsOf(editor.text).slice(0, MOST_COMPLETIONS);
  return names.map((name) => {
    const command = COMMANDS.find((each) => [each.name, ...(each.aliases ?? [])].includes(name.slice(1)));
    return style(fitColumns(`  ${name} ${command?.takes ?? ''}  ${command?.help ?? ''}`, width), 'dim');
  });
}

/** Figures from left to right, as many as fit. */
function statusLine({ meter }: View, { width, style }: Screen): string {
  if (meter === undefined) return style('Enter sends · /help', 'dim');
  const whole = meterWords(meter);
  const words = widthOf(whole.join(' · ')) <= width ? whole : meterWords(meter, 'short');
  const fitting = words.filter((_, index) => widthOf(words.slice(0, index + 1).join(' · ')) <= width);
  return style(fitting.join(' · '), 'dim');
}
