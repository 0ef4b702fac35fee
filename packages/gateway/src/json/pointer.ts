/**
 * The JSON pointer (RFC 6901) of the value that a place in a text belongs to, as far as the text can be read up to there. Only
 * for errors: it looks through everything in front of the place.
 */
export function pointerAt(text: string, place: number): string {
  const open: Level[] = [];
  for (let at = 0; at < Math.min(place, text.length); at += 1) {
    const character = text[at];
    if (character === '"') at = passString(text, { at, place, level: open.at(-1) });
    else if (character === '{') open.push({ kind: 'object', key: undefined });
    else if (character === '[') open.push({ kind: 'array', index: 0 });
    else if (character === '}' || character === ']') open.pop();
    else if (character === ',') moveOn(open.at(-1));
  }
  return shortened(open.flatMap(tokenOf).join(''));
}

type Level = { kind: 'object'; key: string | undefined } | { kind: 'array'; index: number };
type Passing = { readonly at: number; readonly place: number; readonly level: Level | undefined };

/** Where a string ends; it is the key of what follows where no key is known yet. */
function passString(text: string, { at, place, level }: Passing): number {
  let end = at + 1;
  while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1;
  if (level?.kind === 'object' && level.key === undefined && end < place) level.key = text.slice(at + 1, end);
  return end;
}

function moveOn(level: Level | undefined): void {
  if (level?.kind === 'array') level.index += 1;
  else if (level !== undefined) level.key = undefined;
}

function tokenOf(level: Level): readonly string[] {
  if (level.kind === 'array') return [`/${level.index}`];
  return level.key === undefined ? [] : [`/${level.key.replaceAll('~', '~0').replaceAll('/', '~1')}`];
}

// Keys are the client's, and may be of any length.
function shortened(pointer: string): string {
  return pointer.length <= 200 ? pointer : `${pointer.slice(0, 197)}...`;
}
