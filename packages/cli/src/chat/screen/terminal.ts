import type { Clock } from '../clock.ts';
import { createKeyReader, type Press } from './keys.ts';

const BEGIN = '\u001b[?2004h\u001b[>1u';
const END = '\u001b[<u\u001b[?2004l\u001b[?25h';
// A lone Esc is told from the beginning of a sequence by what follows at once.
const ESCAPE_MS = 30;

/** Takes the keyboard: raw, with pastes marked and keys told apart where the terminal can. Gives it back by the function. */
export function takeKeyboard(pressed: (press: Press) => void): () => void {
  const { stdin, stdout } = process;
  const reader = createKeyReader();
  let timer: NodeJS.Timeout | undefined;
  const read = (chunk: string): void => {
    clearTimeout(timer);
    for (const press of reader.read(chunk)) pressed(press);
    timer = setTimeout(() => {
      for (const press of reader.flush()) pressed(press);
    }, ESCAPE_MS);
  };
  stdin.setEncoding('utf8');
  stdin.setRawMode(true);
  stdin.on('data', read);
  stdin.resume();
  stdout.write(BEGIN);
  // However the process ends, the terminal is left as it was.
  const restore = (): void => void stdout.write(END);
  process.once('exit', restore);
  return () => {
    process.off('exit', restore);
    clearTimeout(timer);
    stdin.off('data', read);
    stdin.setRawMode(false);
    stdin.pause();
    restore();
  };
}

/** Calls back while something moves, some times a second. */
export function ticking(clock: Clock, tick: () => void): () => void {
  let callOff = (): void => {};
  const next = (): void => {
    callOff = clock.after(TICK_MS, () => {
      tick();
      next();
    });
  };
  next();
  return () => callOff();
}

const TICK_MS = 100;
