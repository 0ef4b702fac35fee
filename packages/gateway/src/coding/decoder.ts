import { Transform } from 'node:stream';
import zlib from 'node:zlib';

/** What undoes a content coding; `none` where nothing is to be undone, `undefined` where nobody here can. */
export function decoderOf(coding: string): Transform | 'none' | undefined {
  switch (coding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return 'none';
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'deflate':
      return zlib.createInflate();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'zstd': {
      // Newer versions of Node have it.
      const make: unknown = Reflect.get(zlib, 'createZstdDecompress');
      const made: unknown = typeof make === 'function' ? make() : undefined;
      return made instanceof Transform ? made : undefined;
    }
    default:
      return undefined;
  }
}

/** Lets go of a decoder: what it still says is of no interest. */
export function leaveDecoder(decoder: Transform): void {
  decoder.removeAllListeners();
  decoder.on('error', () => {});
  decoder.destroy();
}
