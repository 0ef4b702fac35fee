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
