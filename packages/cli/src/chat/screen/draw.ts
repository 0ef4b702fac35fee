import { widthOf } from '../../output/text.ts';
import type { Item } from './view.ts';

/** What is on the screen: lines printed for good, and the frame below them. */
export type Picture = { readonly items: readonly Item[]; readonly frame: readonly string[] };

/** A screen that is drawn. */
export type Drawing = {
  /** The picture has changed: it is drawn soon, however often this is said. */
  readonly changed: () => void;
  /** Draws at once, because the screen itself has changed. */
  readonly again: () => void;
  readonly end: () => void;
};

/** Where a screen is. */
export type Surface = { readonly columns: number; readonly write: (text: string) => unknown };

// Nothing is seen of a frame that stands shorter than this.
const PAUSE_MS = 16;

// Terminals that know it show all that stands between at once; the others pass it over.
const TOGETHER = ['\u001b[?2026h', '\u001b[?2026l'] as const;
const [HIDE_CURSOR, SHOW_CURSOR] = ['\u001b[?25l', '\u001b[?25h'];

/** Draws pictures: what is printed is written once and scrolls away, the frame is written over itself. */
export function draw(picture: () => Picture, surface: Surface): Drawing {
  let printed = 0;
  let shown: readonly string[] = [];
  let timer: NodeJS.Timeout | undefined;
  const paint = (when: 'always' | 'changed'): void => {
    clearTimeout(timer);
    timer = undefined;
    const { items, frame } = picture();
    const fresh = items.slice(printed).flatMap(({ lines }) => lines);
    if (when === 'changed' && fresh.length === 0 && frame.join('\n') === shown.join('\n')) return;
    const lines = [...fresh, ...frame].map((line) => `${line}\n`);
    const text = `${erasing(shown, surface.columns)}${lines.join('')}`;
    printed = items.length;
    shown = frame;
    surface.write(`${TOGETHER[0]}${text}${TOGETHER[1]}`);
  };
  surface.write(HIDE_CURSOR);
  paint('always');
  return {
    changed: () => {
      timer ??= setTimeout(paint, PAUSE_MS, 'changed');
    },
    again: () => paint('always'),
    end: () => {
      paint('changed');
      surface.write(SHOW_CURSOR);
    },
  };
}

/** Takes a frame away. A screen that became narrower has broken its lines: they take more rows than were written. */
function erasing(frame: readonly string[], columns: number): string {
  const rows = frame.reduce((sum, line) => sum + Math.max(Math.ceil(widthOf(bare(line)) / columns), 1), 0);
  return rows === 0 ? '' : `\u001b[${rows}A\r\u001b[J`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: looks are escape sequences
const LOOKS = /\u001b\[[0-9;]*m/g;

function bare(line: string): string {
  return line.replace(LOOKS, '');
}
