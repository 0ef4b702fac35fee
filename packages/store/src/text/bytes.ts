import { Buffer } from 'node:buffer';

/** A text as bytes. `wide`: UTF-16, for text that UTF-8 cannot hold (half a surrogate pair). */
export type Encoded = { readonly bytes: Uint8Array; readonly wide: boolean };

/** Bytes of a text; every text comes back as it was. */
export function encodeText(text: string): Encoded {
  // Databases cut or refuse texts with NUL; bytes they take as they are.
  const wide = !text.isWellFormed();
  return { bytes: Buffer.from(text, wide ? 'utf16le' : 'utf8'), wide };
}

/** The text of bytes. */
export function decodeText(bytes: Uint8Array, wide: boolean): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString(wide ? 'utf16le' : 'utf8');
}
