import type { FormatName } from '../model/format.ts';
import type { Media } from '../model/message.ts';

/** Tokens of a media part by the provider's rule. */
export function estimateMedia(_media: Media, _rule: FormatName): number {
  return 765;
}
