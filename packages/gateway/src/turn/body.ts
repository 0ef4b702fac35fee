import { withMessages } from '../dialects/reading.ts';
import type { Shown } from './branch.ts';
import { textOf } from './bytes.ts';
import { withoutItemId, withoutSeals } from './foreign.ts';
import type { Left } from './models.ts';
import type { TurnAsk } from './plane.ts';

/** What a body is written from. */
export type Writing = {
  readonly ask: Pick<TurnAsk, 'dialect' | 'reading' | 'chain'>;
  /** What is shown of the client's history. */
  readonly shown: readonly Shown[];
  readonly left: Left;
};

/** The body to send; `undefined` where it is the client's own. */
export function bodyOf({ ask, shown, left }: Writing): string | undefined {
  const { chain } = ask;
  const { foreign, stray } = left;
  // Nearly all requests go out as they came: that is seen without writing anything.
  if (foreign === 0 && stray.size === 0 && isWhole(shown, chain.texts.length)) return undefined;
  const isSealed = foreign > 0 && ask.dialect === 'openai-responses';
  const texts = shown.flatMap((entry) => {
    const text = textOf(entry, ask);
    const { source = foreign } = entry;
    if (source >= foreign && !stray.has(source)) return [text];
    const open = withoutSeals(ask.dialect, text);
    if (open === undefined) return [];
    return [isSealed ? withoutItemId(open) : open];
  });
  const isSame = texts.length === chain.texts.length && texts.every((text, at) => text === chain.texts[at]);
  return isSame ? undefined : withMessages(ask.reading, texts);
}

function isWhole(shown: readonly Shown[], length: number): boolean {
  return shown.length === length && shown.every(({ kind, source }, at) => kind === 'original' && source === at);
}
