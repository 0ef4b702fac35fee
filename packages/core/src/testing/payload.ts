// A PNG of one pixel: 88 characters of base64.
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPj/HwADBwIAMCbHYQAAAABJRU5ErkJggg==';

/** The beginning of every image payload of the kit, to look for where none may be. */
export const IMAGE_MARK: string = PIXEL.slice(0, 40);

/** An image as base64 of at least this length. */
export function imagePayload(length: number): string {
  return PIXEL.padEnd(Math.ceil(length / 4) * 4, 'A');
}

/** A signature as providers make them: opaque, and different for each text. */
export function signatureOf(text: string, step: number): string {
  let hash = step + 1;
  for (let at = 0; at < Math.min(text.length, 200); at += 1) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) >>> 0;
  return `sig_${step}_${hash.toString(36)}`;
}
