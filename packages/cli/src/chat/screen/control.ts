import type { Chat } from '../chat.ts';
import { completionsOf } from '../commands/names.ts';
import type { Approval } from '../tools/toolbox.ts';
import { cleared, type Editor, edit } from './editor.ts';
import type { KeyName, Press } from './keys.ts';
import type { View } from './view.ts';

/** What a press leads to. */
export type Controlled = {
  readonly editor: Editor;
  readonly hint: string;
  readonly effect?: 'leave' | 'details';
};

/** What there is when something is pressed. */
export type Controls = {
  readonly chat: Chat;
  readonly view: View;
  readonly editor: Editor;
  readonly now: number;
  /** When the question was answered: the same key pressed twice is one choice. */
  readonly answeredAt: number;
  /** When an approval was asked for: who types at that moment has not read it. */
  readonly approvalAt: number;
  /** When Ctrl-C was pressed at rest. */
  readonly interruptedAt: number;
};

/** Said where a second Ctrl-C would leave. */
export const AGAIN = 'Ctrl-C again leaves';

// Fingers that bounce or are typing something else, and pairs of Ctrl-C.
const BOUNCE_MS = 400;
const TWICE_MS = 2000;

/** Sends a press where it belongs: to what is asked, to the chat, or into the text. */
export function press(controls: Controls, pressed: Press): Controlled {
  const { chat, view, editor } = controls;
  const same: Controlled = { editor, hint: '' };
  if (pressed.kind === 'key') {
    const done = pressedKey(controls, pressed.key);
    if (done !== undefined) return done;
  }
  const approval = view.approval === undefined ? undefined : approvalIn(controls, pressed);
  if (approval !== undefined) {
    if (approval !== 'too-soon') chat.approve(approval);
    return same;
  }
  if (view.question !== undefined && isForQuestion(controls, pressed)) {
    answer(chat, pressed);
    return same;
  }
  if (isBounce(controls, pressed)) return same;
  const { editor: next, sent } = edit(editor, pressed);
  if (sent !== undefined) chat.submit(sent);
  return { editor: next, hint: '' };
}

/** What a press says to a request for an approval; nothing where somebody is writing, who would allow what they never read. */
function approvalIn({ editor, now, approvalAt }: Controls, pressed: Press): Approval | 'too-soon' | undefined {
  if (pressed.kind === 'key') return pressed.key === 'escape' ? 'deny' : undefined;
  if (pressed.kind === 'paste' || editor.text !== '') return undefined;
  // A key that bounces is one.
  const [key = '', ...others] = new Set(pressed.text.toLowerCase());
  const answer = others.length === 0 ? APPROVALS.get(key) : undefined;
  return answer !== undefined && now - approvalAt < BOUNCE_MS ? 'too-soon' : answer;
}

const APPROVALS: ReadonlyMap<string, Approval> = new Map([
  ['1', 'once'],
  ['y', 'once'],
  ['2', 'always'],
  ['a', 'always'],
  ['3', 'deny'],
  ['n', 'deny'],
]);

/** Keys that mean the same wherever one is. */
function pressedKey(controls: Controls, key: KeyName): Controlled | undefined {
  const { chat, editor, now, interruptedAt } = controls;
  const same: Controlled = { editor, hint: '' };
  switch (key) {
    case 'interrupt': {
      if (chat.cancel()) return { ...same, hint: 'Stopping…' };
      if (editor.text !== '') return { editor: cleared(editor), hint: AGAIN };
      const isTwice = now - interruptedAt <= TWICE_MS;
      return isTwice ? { ...same, effect: 'leave' } : { ...same, hint: AGAIN };
    }
    case 'end-of-input':
      return editor.text === '' ? { ...same, effect: 'leave' } : same;
    case 'details':
      return { ...same, effect: 'details' };
    case 'tab':
      return completed(editor);
    default:
      return undefined;
  }
}

/** Completes a command; pressed again, goes on to the next one that may be meant. */
function completed(editor: Editor): Controlled {
  const { text, completed: before } = editor;
  const from = before?.to === text ? before.from : text;
  const names = completionsOf(from);
  const next = names[(names.indexOf(text.trimEnd()) + 1) % names.length];
  if (next === undefined) return { editor, hint: '' };
  const to = `${next} `;
  const hint = names.length === 1 ? '' : names.join(' ');
  return { editor: { ...editor, text: to, at: to.length, completed: { from, to } }, hint };
}

/** Somebody who is writing a message goes on writing it; digits and arrows on an empty line choose. */
function isForQuestion({ view, editor }: Controls, pressed: Press): boolean {
  if (pressed.kind === 'paste') return view.question?.kind === 'typing';
  if (view.question?.kind === 'typing') return true;
  // Esc means nothing to a text: it is for the question, whatever is written.
  if (editor.text !== '') return pressed.kind === 'key' && pressed.key === 'escape';
  return pressed.kind === 'key' ? KEYS.has(pressed.key) : /^[1-9]+$/.test(pressed.text);
}

const KEYS: ReadonlyMap<KeyName, 'up' | 'down' | 'enter' | 'escape' | 'backspace' | 'clear'> = new Map([
  ['up', 'up'],
  ['down', 'down'],
  ['enter', 'enter'],
  ['escape', 'escape'],
  ['backspace', 'backspace'],
  ['delete-start', 'clear'],
]);

function answer(chat: Chat, pressed: Press): void {
  if (pressed.kind !== 'key') {
    chat.answer({ kind: 'text', text: pressed.text });
    return;
  }
  const key = KEYS.get(pressed.key);
  if (key !== undefined) chat.answer({ kind: 'key', key });
}

function isBounce({ now, answeredAt, editor }: Controls, pressed: Press): boolean {
  if (now - answeredAt > BOUNCE_MS || editor.text !== '') return false;
  return pressed.kind === 'text' ? /^[1-9]+$/.test(pressed.text) : pressed.kind === 'key';
}
