import { gutterOf } from './gutter.ts';
import { fieldsInLine, type TextKind, unpacked } from './json.ts';
import { withoutRepeats } from './logs.ts';
import { withoutAuthority } from './orders.ts';

/** A text on one line. */
export function squeezed(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** A text without terminal codes, and without what a harness adds for the model's eyes only. */
export function plainText(text: string): string {
  const bare = text.includes('\u001b') ? text.replace(TERMINAL, '') : text;
  const lines = bare.includes('\r') ? bare.replace(/\r+\n?/g, '\n') : bare;
  return withoutBlocks(lines, NOTICE).text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: terminal codes are control characters
const TERMINAL = /\u001b\[[0-9;?]{0,20}[A-Za-z]|\u001b\][^\u0007\n]{0,200}\u0007?/g;
const NOTICE = /^(?:system-reminder|reminder|NOTE|usage)$/;
const OPENING = /<([A-Za-z][\w-]{1,40})(?:\s[^<>]{0,300})?>/g;
const PATH = /\bpath="([^"\n]{1,300})"/;

/** What stood in a tagged block, and the path its tag names. */
export type Block = { readonly text: string; readonly path: string; readonly name: string };

/** A text without the tagged blocks whose names match, and what stood in them. A tag that is never closed stays. */
export function withoutBlocks(
  text: string,
  names: RegExp,
): { readonly text: string; readonly blocks: readonly Block[] } {
  if (!text.includes('</')) return { text, blocks: [] };
  const blocks: Block[] = [];
  const open = new Set<string>();
  let kept = '';
  let from = 0;
  for (const { 0: tag, 1: name = '', index } of text.matchAll(OPENING)) {
    if (index < from || open.has(name) || !names.test(name)) continue;
    const end = text.indexOf(`</${name}>`, index);
    if (end < 0) {
      // Looked for once: a thousand of them must not be a thousand searches.
      open.add(name);
      continue;
    }
    kept += text.slice(from, index);
    blocks.push({ text: text.slice(index + tag.length, end), path: PATH.exec(tag)?.[1] ?? '', name });
    from = end + name.length + 3;
  }
  return { text: kept + text.slice(from), blocks };
}

/** Lines of a tool's output that say something: no gutters, no columns of a listing, no markers, only the new side of a diff. */
export function outputLines(text: string, kind: TextKind): readonly string[] {
  const plain = plainText(unpacked(text, kind));
  const isDiff = DIFF.test(plain.slice(0, 4000));
  const all = plain.split('\n');
  const gutter = kind === 'search' ? FOUND : isDiff ? BESIDE : (gutterOf(all) ?? NONE);
  const lines: string[] = [];
  let isEchoed = false;
  for (const whole of all) {
    const wasEchoed = isEchoed;
    isEchoed = SCRIPT.test(whole);
    if (isEchoed || (wasEchoed && whole.startsWith('> '))) continue;
    const raw = fieldsInLine(whole);
    const line = raw.length > LONGEST_LINE ? raw.slice(0, raw.lastIndexOf(' ', LONGEST_LINE) + 1) : raw;
    if (NOISE.test(line) || (isDiff && REMOVED.test(line))) continue;
    const bare = line.replace(LISTING, '').replace(CDATA, '').replace(gutter, '');
    lines.push(withoutAuthority(isDiff ? bare.replace(ADDED, '') : bare));
  }
  return joinedNames(withoutRepeats(lines));
}

/** Lines of which those that are a name each, as a listing has them, stand beside each other. */
function joinedNames(lines: readonly string[]): readonly string[] {
  const joined: string[] = [];
  let run: string[] = [];
  const close = (): void => {
    if (run.length < FEWEST_NAMES) for (const name of run) joined.push(name);
    else {
      let open = '';
      for (const name of run.map((line) => line.trim())) {
        if (open !== '' && open.length + name.length > WIDEST_NAMES) {
          joined.push(open);
          open = '';
        }
        open = open === '' ? name : `${open}, ${name}`;
      }
      joined.push(open);
    }
    run = [];
  };
  for (const line of lines) {
    if (NAME.test(line)) run.push(line);
    else {
      close();
      joined.push(line);
    }
  }
  close();
  return joined;
}

// Fewer may be said for themselves.
const FEWEST_NAMES = 4;
const WIDEST_NAMES = 160;
// No number alone, and nothing that code ends a line with.
const NAME = /^\s*(?:\p{L}:|…)?[./~]{0,4}(?=[\w@.+/-]*\p{L})[\p{L}\d_@.+/-]{1,80}[\p{L}\d_/*@]\s*$/u;

/** The lines of a search by the file in front of them, and those with none: all are of one file where only that was searched. */
export function hitsOf(
  lines: readonly string[],
  searched: string,
): { readonly hits: ReadonlyMap<string, readonly string[]>; readonly others: readonly string[] } {
  const hits = new Map<string, string[]>();
  const others: string[] = [];
  let heading = '';
  for (const line of lines) {
    const [, under] = heading === '' ? [] : (UNDER.exec(line) ?? []);
    const [, path = '', text = ''] = under === undefined ? (HIT.exec(line) ?? []) : [line, heading, under];
    if (under === undefined && line.trim() !== '') heading = HEADED.exec(line)?.[1] ?? '';
    else if (under !== undefined && others.at(-1)?.includes(heading)) others.pop();
    const found = hits.get(path);
    if (path === '') others.push(line);
    else if (found === undefined) hits.set(path, [fieldsInLine(text)]);
    else found.push(fieldsInLine(text));
  }
  return searched === '' || hits.size > 0 ? { hits, others } : { hits: new Map([[searched, others]]), others: [] };
}

// `src/a.ts:` alone, and `Line 12: text` under it.
const HEADED = /^\s*((?:…\/)?[\w@.+/-]{1,200}\.\w{1,8}):\s*$/;
const UNDER = /^\s*Line \d{1,6}: ?(.*)$/;
// `src/a.ts:12:text`, and `src/a.ts-13-text` of the lines around.
const HIT = /^((?:…\/)?[\w@.+/-]{1,200}\.\w{1,8})(?::\d{1,6}(?::\d{1,4})?:|-\d{1,6}-)[ \t]?(.*)$/;

// What npm and its like print before a script runs, and then the script itself: neither tells what came of it.
const SCRIPT = /^> \S{1,200}@\d[\w.+-]* \S+(?: [~/.][^\s]*| [A-Z]:\\.*)?$/;
const LONGEST_LINE = 4000;
const DIFF = /^(?:diff --git |@@ |--- a\/)|^[ \d]{1,12}\|[+-]/m;
const REMOVED = /^(?:-|@@|diff --git|index [0-9a-f]|\+\+\+ |(?:new|deleted) file mode|[ \d]{1,12}\|-)/;
const ADDED = /^\+/;
// In front of a search's lines, and of a diff's.
const FOUND = /^\s*\d{1,6}[:-][ \t]?/;
const BESIDE = /^[ \d]{2,13}\|[+ ]?|^\s*\d{1,6}→/;
const NONE = /^(?!)/;
const LISTING = /^[-dlbcps][-rwxsStT]{9}[@+.]?\s+\d+\s+\S+\s+\S+\s+\d+\s+\w+\s+\d+\s+[\d:]+\s+/;
const CDATA = /^><!\[CDATA\[|\]\]>$|\/{3}PROCESS-DONE:\d+:PROCESS-DONE\/{3}$/;
const NOISE =
  /^\s*(?:\W?(?:(?:the )?(?:command|process)[ \w]{0,30} )?exit(?:ed)?(?: with)?(?:[ _](?:exit )?(?:code|status))?\W{0,3}\d+\W{0,3}|<exited with .*|wall time:.*|output:|total \d+|\(open file:.*|\(current directory:.*|\(interactive session:.*|bash-\$|\*\*\* (?:begin|end) (?:patch|of file)|\(?end of file.*|<\/?(?:path|type|content|file|entries|file_diff|tool_use_error)>?(?:.{0,300}<\/(?:path|type)>)?|\S{1,200}[-:]\d+[-:]|--|(?:the file|file) .{0,300} (?:updated|created|written|edited)(?: successfully)?\.?(?: here's the result.*)?|here's the result of running.*|successfully (?:replaced|wrote|edited).*|success\. updated.*|todos have been modified.*|updated task.*|task #\d+ .*|plan updated|found \d+ (?:files?|match(?:es)?).*|no (?:files|matches) found|(?:total_lines|start_line|end_line|path|shell|command|display_lines|exit_code)=".*|<\/?(?:shell_output|stdout|stderr|file_content)\b.*|\.{3} \(\d+ more lines.*|note: the editor.*|\[\d+ more lines.*|\[\d+ matches limit.*|total output lines: \d+|requirement already satisfied: .*|echo (?:-e )?["']{2}|\(no output\)|\?\s+\S+\s+\[no test files\]|ok\s+\S+\s+(?:[\d.]+s|\(cached\))\s+\[no tests to run\]|<usage>.*|(?:total_tokens|tool_uses|duration_ms): \d+|agentid: .*|tokens: [\d.,]+k? sent.*|\/{2,}process-done.*|<\/[\w-]{1,40}>|% total +% received.*|(?:\d{1,3} +[\d.]+[kmg]? +){2}\d{1,3} +[\d.]+[kmg]?.*--:--.*?\d[\dkmg]*|dload +upload.*|ok)\s*$/i;
