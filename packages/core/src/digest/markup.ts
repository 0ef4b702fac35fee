/** A line of a page or a drawing that only says how something looks: its elements, classes, sizes and strokes. */
export function isDrawing(line: string): boolean {
  if (line.length > LONGEST || !MARKED.test(line)) return false;
  return !SAYS.test(line.replace(LOOKS, ' ').replace(TAG, ' '));
}

const LONGEST = 4000;
const MARKED = /^(?:<\/?[a-z]|\/?>|[\w:-]{1,30}=["'{])/;
const LOOKS =
  /(?<![\w-])(?:class(?:Name)?|style|fill[\w-]{0,12}|stroke[\w-]{0,12}|viewBox|xmlns(?::\w{1,12})?|d|width|height|clip[\w-]{0,6}|mask[\w-]{0,12}|[cr]?[xy][12]?|r|points|transform|opacity|preserveAspectRatio|aria-hidden|focusable|type|version)=(?:"[^"]{0,4000}"?|'[^']{0,4000}'?|\{["'`]?[^{}"'`]{0,300}["'`]?\})/g;
const TAG = /<\/?[a-z][a-z0-9-]{0,20}(?![\w.])|\/?>/g;
const SAYS = /[\p{L}\p{N}]/u;

/** A text in which what a program is told by the way is what it says of the matter: its title, its body and the place; else nothing. */
export function withoutDirectives(text: string): string {
  if (!text.includes('::')) return text;
  return text.replace(DIRECTIVE, (_all, attributes: string) => {
    const given = new Map(
      Array.from(attributes.matchAll(ATTRIBUTE), ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']),
    );
    const said = [given.get('title'), given.get('body') ?? given.get('text')].filter(
      (part) => part !== undefined && part !== '',
    );
    const [file, line] = [given.get('file') ?? '', given.get('start') ?? ''];
    const place = file === '' ? '' : ` (${file}${line === '' ? '' : `:${line}`})`;
    return said.length === 0 ? '' : `${said.map((part) => unescaped(part ?? '')).join('. ')}${place}`;
  });
}

// A line of its own, as Markdown's directives are: `::code-comment{title="…" file="…"}`.
const DIRECTIVE = /^[ \t]*:{2,3}[a-z][\w-]{0,40}(?:\[[^\]\n]{0,200}\])?\{([^\n]{0,4000})\}[ \t]*$/gm;
const ATTRIBUTE = /(?<![\w-])([\w-]{1,40})=(?:"((?:[^"\\]|\\.){0,4000})"|([^\s"}]{1,300}))/g;
const unescaped = (text: string): string => text.replace(/\\(["\\])/g, '$1').replace(/\\n/g, ' ');

/** Text without what is drawn in it, and the drawn lines by the path in front of them: a map of files, a tree, a framed table. */
export function withoutDrawn(text: string): {
  readonly text: string;
  readonly drawn: readonly { readonly path: string; readonly lines: readonly string[] }[];
} {
  if (!DRAWN.test(text)) return { text, drawn: [] };
  const kept: string[] = [];
  const drawn: { path: string; lines: string[] }[] = [];
  let open: string[] = [];
  const close = (): void => {
    if (open.length < FEWEST_DRAWN) for (const line of open) kept.push(line);
    else {
      const path = DRAWN_FILE.exec(kept.at(-1)?.trim() ?? '')?.[1] ?? '';
      if (path !== '') kept.pop();
      drawn.push({ path, lines: open.map((line) => line.replace(STROKE, '')) });
    }
    open = [];
  };
  for (const line of text.split('\n')) {
    if (DRAWN_LINE.test(line)) open.push(line);
    else {
      close();
      kept.push(line);
    }
  }
  close();
  return { text: kept.join('\n'), drawn };
}

const DRAWN = /^[ \t]*[│⋮├└┌╭╰█]/m;
const DRAWN_LINE = /^[ \t]*[│⋮├└┌╭╰█]/;
const STROKE = /^[ \t]*[│⋮█]/;
const DRAWN_FILE = /^([\w@.+/-]{1,200}\.\w{1,8}):$/;
const FEWEST_DRAWN = 3;
