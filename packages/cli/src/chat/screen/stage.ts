import type { Chat } from '../chat.ts';
import type { Clock } from '../clock.ts';
import type { ChatEvent } from '../events.ts';
import { compactionDetails } from '../words.ts';
import { AGAIN, type Controlled, press } from './control.ts';
import type { Picture } from './draw.ts';
import { type Editor, emptyEditor } from './editor.ts';
import { frameLines, type Screen } from './frame.ts';
import type { Press } from './keys.ts';
import type { Opening } from './opening.ts';
import { styleFor } from './style.ts';
import { EMPTY_VIEW, printed, seen, type View } from './view.ts';
import { wrapText } from './wrap.ts';

/** Holds what is on the screen and takes what is pressed. */
export type Stage = {
  readonly picture: () => Picture;
  readonly tell: (event: ChatEvent) => void;
  readonly press: (pressed: Press) => void;
  readonly tick: () => void;
  readonly screen: () => Screen;
  readonly begin: (chat: Chat, opening: Opening) => void;
  readonly onLeave: (leave: () => void) => void;
  /** Who is told when the picture may have changed. */
  readonly onChange: (changed: () => void) => void;
  readonly finish: () => void;
};

type State = {
  view: View;
  editor: Editor;
  hint: Hint;
  chat?: Chat;
  answeredAt: number;
  approvalAt: number;
  interruptedAt: number;
  isFinished: boolean;
  leave: () => void;
  changed: () => void;
  /** Pressed before there was a chat. */
  readonly early: Press[];
};
type Hint = { readonly text: string; readonly at: number };

const NO_HINT: Hint = { text: '', at: 0 };
const NEVER = Number.NEGATIVE_INFINITY;
// As long as a second Ctrl-C counts.
const HINT_MS = 2000;

/** A stage with nothing on it. */
export function createStage(clock: Clock): Stage {
  const state = openingState(clock.now());
  const screen = screenOf(process.stdout);
  const changed = (): void => state.changed();
  const take = (pressed: Press): void => {
    for (const one of single(state, pressed)) pressOne(state, one, { screen, now: clock.now() });
    changed();
  };
  return {
    picture: () => pictureOf(state, screen(), clock.now()),
    screen,
    press: take,
    tick: () => {
      if (state.chat !== undefined && clock.now() - state.hint.at > HINT_MS) state.hint = NO_HINT;
      changed();
    },
    tell: (event) => {
      hear(state, event, { screen, now: clock.now() });
      changed();
    },
    begin: (chat, { lines, history, proposed = '' }) => {
      const editor = { ...emptyEditor(history), text: proposed, at: proposed.length };
      Object.assign(state, { chat, editor, hint: NO_HINT, view: printed(state.view, lines) });
      for (const pressed of state.early.splice(0)) take(pressed);
      changed();
    },
    onLeave: (leave) => void Object.assign(state, { leave }),
    onChange: (tell) => void Object.assign(state, { changed: tell }),
    finish: () => {
      state.isFinished = true;
      changed();
    },
  };
}

function openingState(now: number): State {
  return {
    view: EMPTY_VIEW,
    editor: emptyEditor(),
    hint: { text: 'Opening…', at: now },
    answeredAt: NEVER,
    approvalAt: NEVER,
    interruptedAt: NEVER,
    isFinished: false,
    leave: () => {},
    changed: () => {},
    early: [],
  };
}

type Now = { readonly screen: () => Screen; readonly now: number };

function screenOf(stdout: NodeJS.WriteStream): () => Screen {
  const style = styleFor(process.env);
  return () => ({ width: Math.max(stdout.columns || 80, 20), rows: Math.max(stdout.rows || 24, 6), style });
}

function pictureOf({ view, editor, hint, isFinished }: State, screen: Screen, now: number): Picture {
  const frame = isFinished ? [] : frameLines({ view, editor, hint: hint.text, now }, screen);
  return { items: view.items, frame };
}

function hear(state: State, event: ChatEvent, { screen, now }: Now): void {
  const wasAsked = state.view.question !== undefined;
  state.view = seen(state.view, event, screen());
  if (event.kind === 'approval-start') state.approvalAt = now;
  if (wasAsked && state.view.question === undefined) state.answeredAt = now;
  if (event.kind === 'compaction-end' || event.kind === 'settled') state.hint = NO_HINT;
  if (state.view.isOver) state.leave();
}

/** Keys that come fast come together; to a question each is one. */
function single({ view }: State, pressed: Press): readonly Press[] {
  if (pressed.kind !== 'text' || view.question?.kind !== 'choosing') return [pressed];
  return [...pressed.text].map((text) => ({ kind: 'text', text }));
}

function pressOne(state: State, pressed: Press, { screen, now }: Now): void {
  const { chat, ...rest } = state;
  if (chat === undefined) {
    state.early.push(pressed);
    return;
  }
  apply(state, press({ ...rest, chat, now }, pressed), { screen, now });
}

function apply(state: State, { editor, hint, effect }: Controlled, { screen, now }: Now): void {
  state.editor = editor;
  state.hint = { text: hint, at: now };
  state.interruptedAt = effect === undefined && hint === AGAIN ? now : NEVER;
  if (effect === 'leave') state.leave();
  if (effect !== 'details') return;
  const { width, style } = screen();
  const details = compactionDetails(state.view.lastCompaction, state.view.undone);
  const lines = details.flatMap((line) => wrapText(line, { width, style, hang: '    ' }));
  state.view = printed(state.view, ['', ...lines]);
}
