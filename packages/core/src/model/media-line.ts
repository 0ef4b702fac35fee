import type { Media } from './message.ts';

/** What stands in place of a media part where only text can stand. */
export function mediaLine({ media, mimeType, bytes }: Media): string {
  const size = bytes === undefined ? '' : `, ${Math.ceil(bytes / 1024)} kB`;
  return `[${media}${mimeType === undefined ? '' : ` ${mimeType}`}${size}]`;
}
