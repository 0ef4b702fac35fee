import type { Shape } from './shape.ts';

/** A block of settings: the line that names it, and how far in that stands. */
type Block = { readonly name: string; readonly indent: number };

/**
 * Names the block that each line of a file stands in, such as `"retry": {`, `cache:` or `[cache]`: a setting without it may be
 * anybody's. To be asked for each line in its order.
 */
export function blockTeller(lines: readonly string[]): (at: number, line: string, shape: Shape) => Told {
  const open: Block[] = [];
  return (at, line, shape) => {
    if (line === '') return NOWHERE;
    const indent = indentOf(lines[at] ?? '');
    while ((open.at(-1)?.indent ?? -2) >= indent) open.pop();
    if (SECTION.test(line)) {
      open.length = 0;
      open.push({ name: line, indent: -1 });
      return isSetting(lines[at + 1]) ? NAMING : NOWHERE;
    }
    const own = open.at(-1);
    if (own?.indent === -1) return isSetting(line) ? { isName: false, name: own.name } : NOWHERE;
    const isName = (shape !== 'declaration' && BRACED.test(line)) || (shape === 'text' && COLON.test(line));
    if (isName && indentBehind(lines, at) > indent) {
      open.push({ name: line, indent });
      return NAMING;
    }
    // A list's member that begins here is one of many.
    if (/^[{[]/.test(line)) open.push({ name: '', indent });
    return shape === 'text' ? { isName: false, name: own?.name ?? '' } : NOWHERE;
  };
}

/** True for a line that says nothing without the settings behind it. */
export function isBlockName(line: string): boolean {
  return BRACED.test(line) || COLON.test(line) || SECTION.test(line);
}

/** Whether a line names a block of which lines follow, and the block it stands in where it is a setting of one. */
export type Told = { readonly isName: boolean; readonly name: string };

const NOWHERE: Told = { isName: false, name: '' };
const NAMING: Told = { isName: true, name: '' };

const BRACED = /^(?:"[^"\n]{1,60}"|'[^'\n]{1,60}'|[\w$-]{1,60}): ?\{$/;
const COLON = /^(?:- )?["']?[\w./@-]{1,60}["']?:$/;
const SECTION = /^\[{1,2}[\w .:"/-]{1,60}\]{1,2}$/;

const isSetting = (line = ''): boolean => /^[\w."-]{1,60}\s?= ?\S/.test(line);
const indentOf = (raw: string): number => raw.length - raw.trimStart().length;

/** How far in the next line stands that is not empty. */
function indentBehind(lines: readonly string[], at: number): number {
  for (let next = at + 1; next < Math.min(lines.length, at + NEAR); next += 1) {
    const raw = lines[next] ?? '';
    if (raw.trim() !== '') return indentOf(raw);
  }
  return 0;
}

const NEAR = 4;
