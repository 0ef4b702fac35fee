import { aborted, following } from '../../aborted.ts';
import { NOT_SAVED } from '../../errors.ts';
import { openClock } from '../clock.ts';
import { farewell } from '../greeting.ts';
import { type OpenChat, openChat } from '../open.ts';
import type { ChatOptions } from '../options.ts';
import { draw } from './draw.ts';
import { openingLines } from './opening.ts';
import { createStage } from './stage.ts';
import { takeKeyboard, ticking } from './terminal.ts';

/** A chat on the whole terminal. Returns the exit code. */
export async function runScreen(options: ChatOptions, signal: AbortSignal): Promise<number> {
  const clock = await openClock(process.env);
  const stage = createStage(clock);
  const drawing = draw(stage.picture, process.stdout);
  stage.onChange(drawing.changed);
  const leaving = following(signal);
  stage.onLeave(() => leaving.abort());
  const { signal: over } = leaving;
  const giveBack = takeKeyboard(stage.press);
  const stopTicking = ticking(clock, stage.tick);
  process.stdout.on('resize', drawing.again);
  let open: OpenChat | undefined;
  try {
    open = await openChat(options, {
      env: process.env,
      folder: process.cwd(),
      clock,
      tell: stage.tell,
      asked: { kind: 'user' },
      isInteractive: true,
      signal: over,
    });
    stage.begin(open.chat, await openingLines(open, { screen: stage.screen(), isDemo: options.demo === true }));
    await aborted(over);
    open.chat.end();
    await open.chat.settled();
    return open.ground.conversation.isSaved() ? 0 : NOT_SAVED;
  } finally {
    process.stdout.off('resize', drawing.again);
    stopTicking();
    stage.finish();
    drawing.end();
    giveBack();
    await open?.chat.settled();
    await open?.close();
    if (open !== undefined) for (const line of farewell(open)) console.log(line);
  }
}
