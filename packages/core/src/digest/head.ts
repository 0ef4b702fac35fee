import { stepsOf } from '../facts/shell.ts';
import type { Act } from './acts.ts';
import type { Local, Shelf } from './drafts.ts';
import { TAKEN_BACK } from './heading.ts';
import { clear, takeBack } from './struck.ts';

/** Follows what a command does to the commits of this session: a reset behind them and a revert take back what they changed. */
export function moveHead(act: Act, command: string, shelf: Shelf): void {
  const text = act.result?.text ?? '';
  for (const step of stepsOf(command)) {
    const [, verb = '', rest = ''] = STEP.exec(step) ?? [];
    if (verb === 'commit') commit(rest, text, shelf);
    else if (verb === 'reset') reset(act, rest, shelf);
    else if (verb === 'revert') revert(act, rest, shelf);
    // On another branch, or with others' commits, nobody can tell which is which.
    else if (verb !== '' && !(verb === 'checkout' && STAYING.test(rest))) shelf.local.length = 0;
  }
}

const STEP = /^\s*git (?:-C \S+ )?(commit|reset|revert|checkout|switch|rebase|merge|pull|am|cherry-pick)\b(.*)$/;
const STAYING = /^ (?:-- |-b |\.|\S*\.\w+(?: |$))/;
const MOST = 100;

function commit(rest: string, text: string, shelf: Shelf): void {
  const held = [...shelf.unkept]
    .filter(({ fresh, epoch }) => fresh > 0 && epoch === shelf.epoch)
    .map((draft) => ({ draft, times: draft.fresh, isNew: draft.made === shelf.epoch }));
  const hash = /^\[[^\]\n]{1,200} ([0-9a-f]{7,40})\] /m.exec(text)?.[1] ?? '';
  // Which files a commit holds is certain where it counts as many; a reset takes back whatever was changed.
  const counted = /^ ?(\d+) files? changed/m.exec(text)?.[1];
  const isKnown = counted === undefined || Number(counted) === held.length;
  const before = /--amend\b/.test(rest) ? shelf.local.pop() : undefined;
  shelf.local.push({
    hash,
    held: [...(before?.held ?? []), ...held],
    isKnown: before === undefined && isKnown,
  });
  if (shelf.local.length > MOST) shelf.local.shift();
}

/** Only as far as it says how far. */
function reset(act: Act, rest: string, shelf: Shelf): void {
  const { local } = shelf;
  const at = /^HEAD is now at ([0-9a-f]{7,40})\b/m.exec(act.result?.text ?? '')?.[1] ?? '';
  const known = at === '' ? -1 : local.findIndex(({ hash }) => isSame(hash, at));
  const [, times] = BACK.exec(rest) ?? [];
  const many = known >= 0 ? local.length - 1 - known : BACK.test(rest) ? Number(times || 1) : 0;
  if (many === 0) {
    if (/ (?!HEAD\b|-)[\w./-]+/.test(rest) && known < 0) local.length = 0;
    return;
  }
  const gone = local.splice(Math.max(0, local.length - many));
  if (!/--hard\b/.test(rest)) return;
  for (const each of gone.reverse()) takeAway(act, each);
}

const BACK = /\bHEAD(?:~(\d{0,3})|\^)(?=\s|$)/;

function revert(act: Act, rest: string, shelf: Shelf): void {
  const { local } = shelf;
  if (/--(?:abort|quit|skip|continue)\b/.test(rest)) return;
  const name = rest
    .split(' ')
    .filter((word) => word !== '' && !word.startsWith('-'))
    .at(-1);
  const [, times] = name === undefined ? [] : (BACK.exec(name) ?? []);
  const isBack = name !== undefined && (name === 'HEAD' || BACK.test(name));
  const at = isBack
    ? local.length - 1 - (name === 'HEAD' ? 0 : Number(times || 1))
    : local.findIndex(({ hash }) => isSame(hash, name ?? ''));
  const gone = local[at];
  if (gone?.isKnown === true) {
    takeAway(act, gone);
    local[at] = { ...gone, held: [] };
  }
  local.push({ hash: '', held: [], isKnown: false });
}

const isSame = (one: string, other: string): boolean =>
  one.length >= 7 && other.length >= 7 && (one.startsWith(other) || other.startsWith(one));

/** What a commit changed is as it was; what it made is gone. */
function takeAway(act: Act, { held }: Local): void {
  for (const { draft, times, isNew } of held) {
    if (draft.written.size > 0) takeBack(draft);
    else clear(draft);
    draft.fresh = 0;
    draft.last = act.source;
    const kept = (draft.verbs.get('changed') ?? 0) - times;
    if (kept > 0) draft.verbs.set('changed', kept);
    else draft.verbs.delete('changed');
    const verb = isNew ? 'deleted' : 'taken back';
    draft.verbs.set(isNew ? verb : TAKEN_BACK, 1);
    act.done.push({ verb, draft });
  }
}
