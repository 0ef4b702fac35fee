import { withMessages } from '../dialects/reading.ts';
import { withoutItemId, withoutSeals } from './foreign.ts';
import { type Sending, shownTo } from './sending.ts';

/** The body to send; `undefined` where it is the client's own. */
export function bodyOf(sending: Sending): string | undefined {
  const { ask, chain, foreign, branch } = sending;
  const shown = shownTo(sending);
  if (branch.recordId === undefined && foreign === 0) return undefined;
  const isSealed = foreign > 0 && ask.dialect === 'openai-responses';
  const texts = shown.flatMap((entry) => {
    const text = entry.kind === 'original' ? (chain.texts[entry.source] ?? '') : entry.text;
    if ((entry.source ?? foreign) >= foreign) return [text];
    const open = withoutSeals(ask.dialect, text);
    if (open === undefined) return [];
    return [isSealed ? withoutItemId(open) : open];
  });
  const isSame = texts.length === chain.texts.length && texts.every((text, at) => text === chain.texts[at]);
  return isSame ? undefined : withMessages(ask.reading, texts);
}
