import { render } from 'ink';
import { App, type Pictures } from './app.tsx';

/** A screen that draws itself. */
export type Drawing = { readonly end: () => void };

/** Draws pictures until it is ended. */
export function draw(pictures: Pictures): Drawing {
  const { unmount } = render(<App pictures={pictures} />, { exitOnCtrlC: false, patchConsole: false });
  return { end: unmount };
}
