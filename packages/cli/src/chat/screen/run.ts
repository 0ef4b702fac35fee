import type { Chat } from '../chat.ts';
import { type Clock, openClock } from '../clock.ts';
import type { ChatEvent } from '../events.ts';
import { type OpenChat, openChat } from '../open.ts';
import type { ChatOptions } from '../options.ts';
import { compactionDetails } from '../words.ts';
import type { Picture, Pictures } from './app.tsx';
import { AGAIN, type Controlled, press } from './control.ts';
import { draw } from './draw.tsx';
import { type Editor, emptyEditor } from './editor.ts';
import { frameLines, type Screen } from './frame.ts';
import type { Press } from './keys.ts';
import { type Opening, openingLines } from './opening.ts';
import { styleFor } from './style.ts';
import { takeKeyboard, ticking } from './terminal.ts';
import { EMPTY_VIEW, printed, seen, type View } from './view.ts';
import { wrapText } from './wrap.ts';

/** A chat on the whole terminal. Returns the exit code. */
export async function runScreen(options: ChatOptions, signal: AbortSignal): Promise<number> {
  const clock = await openClock(process.env);
  const stage = createStage(clock);
  const drawing = draw(stage.pictures);
  const left = new Promise<void>((resolve) => {
    stage.onLeave(resolve);
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const giveBack = takeKeyboard(stage.press);
  const stopTicking = ticking(clock, stage.tick);
  process.stdout.on('resize', stage.changed);
  let open: OpenChat | undefined;
  try {
    open = await openChat(options, {
      env: process.env,
      folder: process.cwd(),
      clock,
      tell: stage.tell,
      asked: { kind: 'user' },
      isInteractive: true,
      signal,
    });
    stage.begin(open.chat, await openingLines(open, { screen: stage.screen(), isDemo: options.demo === true }));
    await left;
    open.chat.cancel();
    return 0;
  } finally {
    process.stdout.off('resize', stage.changed);
    stopTicking();
    stage.finish();
    // The last picture is drawn before the screen is given back.
    await new Promise((resolve) => setImmediate(resolve));
    drawing.end();
    giveBack();
    await open?.chat.settled();
    await open?.close();
    if (open !== undefined) farewell(open);
  }
}

function farewell({ ground }: OpenChat): void {
  const { conversation } = ground;
  if (conversation.isStored() && ground.isKept) {
    console.log(`Kept. epitome chat --resume ${conversation.id.slice(0, 8)} goes on with it.`);
  }
}

type Stage = {
  readonly pictures: Pictures;
  readonly tell: (event: ChatEvent) => void;
  readonly press: (pressed: Press) => void;
  readonly tick: () => void;
  readonly changed: () => void;
  readonly screen: () => Screen;
  readonly begin: (chat: Chat, opening: Opening) => void;
  readonly onLeave: (leave: () => void) => void;
  readonly finish: () => void;
};

// As long as a second Ctrl-C counts.
const HINT_MS = 2000;

/** Holds what is on the screen and what is pressed. */
function createStage(clock: Clock): Stage {
  const style = styleFor(process.env);
  const screen = (): Screen => ({
    width: Math.max(process.stdout.columns || 80, 20),
    rows: Math.max(process.stdout.rows || 24, 6),
    style,
  });
  let view: View = EMPTY_VIEW;
  let editor: Editor = emptyEditor();
  let hint = { text: 'Opening…', at: clock.now() };
  let chat: Chat | undefined;
  let [answeredAt, interruptedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  let leave = (): void => {};
  let isFinished = false;
  const early: Press[] = [];
  const listeners = new Set<() => void>();
  const picture = (): Picture => {
    const frame = isFinished
      ? ''
      : frameLines({ view, editor, hint: hint.text, now: clock.now() }, screen()).join('\n');
    return { items: view.items, frame };
  };
  let current = picture();
  const changed = (): void => {
    const next = picture();
    if (next.frame === current.frame && next.items === current.items) return;
    current = next;
    for (const listener of listeners) listener();
  };
  const apply = ({ editor: next, hint: said, effect }: Controlled): void => {
    editor = next;
    hint = { text: said, at: clock.now() };
    interruptedAt = effect === undefined && said === AGAIN ? clock.now() : Number.NEGATIVE_INFINITY;
    if (effect === 'leave') leave();
    if (effect === 'details') {
      const { width } = screen();
      view = printed(view, [
        '',
        ...compactionDetails(view.lastCompaction).flatMap((line) => wrapText(line, { width, style, hang: '    ' })),
      ]);
    }
    changed();
  };
  const take = (begun: Chat, pressed: Press): void => {
    // Keys that come fast come together; to a question each is one.
    const isQuick = pressed.kind === 'text' && view.question?.kind === 'choosing' && pressed.text.length > 1;
    const presses: readonly Press[] = isQuick ? [...pressed.text].map((text) => ({ kind: 'text', text })) : [pressed];
    for (const one of presses) {
      apply(press({ chat: begun, view, editor, now: clock.now(), answeredAt, interruptedAt }, one));
    }
  };
  return {
    pictures: {
      current: () => current,
      subscribe: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    screen,
    changed,
    tick: () => {
      if (chat !== undefined && clock.now() - hint.at > HINT_MS) hint = { text: '', at: 0 };
      changed();
    },
    tell: (event) => {
      const wasAsked = view.question !== undefined;
      view = seen(view, event, screen());
      if (wasAsked && view.question === undefined) answeredAt = clock.now();
      if (event.kind === 'compaction-end' || event.kind === 'settled') hint = { text: '', at: 0 };
      if (view.isOver) leave();
      changed();
    },
    press: (pressed) => {
      if (chat === undefined) early.push(pressed);
      else take(chat, pressed);
    },
    begin: (begun, { lines, history, proposed = '' }) => {
      chat = begun;
      hint = { text: '', at: 0 };
      view = printed(view, lines);
      editor = { ...emptyEditor(history), text: proposed, at: proposed.length };
      for (const pressed of early.splice(0)) take(begun, pressed);
      changed();
    },
    onLeave: (call) => {
      leave = call;
    },
    finish: () => {
      isFinished = true;
      changed();
    },
  };
}
