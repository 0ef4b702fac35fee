import { Box, Static, Text } from 'ink';
import { type ReactNode, useSyncExternalStore } from 'react';
import type { Item } from './view.ts';

/** What is on the screen: lines printed for good, and the frame below them. */
export type Picture = { readonly items: readonly Item[]; readonly frame: string };

/** Where a screen gets its picture from. */
export type Pictures = { readonly current: () => Picture; readonly subscribe: (changed: () => void) => () => void };

/** Draws pictures. Lines are broken already: nothing is left to lay out. */
export function App({ pictures }: { readonly pictures: Pictures }): ReactNode {
  const { items, frame } = useSyncExternalStore(pictures.subscribe, pictures.current);
  return (
    <>
      <Static items={[...items]}>{(item) => <Lines key={item.id} text={item.lines.join('\n')} />}</Static>
      <Lines text={frame} />
    </>
  );
}

function Lines({ text }: { readonly text: string }): ReactNode {
  return (
    <Box>
      <Text wrap="truncate">{text}</Text>
    </Box>
  );
}
