import type { Readable } from 'node:stream';

/** The lines of a text stream. Only line feeds end them: Node's own reader also cuts at U+2028, which JSON may hold. */
export async function* linesOf(source: Readable, signal: AbortSignal): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of source.setEncoding('utf8')) {
    signal.throwIfAborted();
    const pieces = `${rest}${chunk}`.split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces;
  }
  if (rest !== '') yield rest;
}
