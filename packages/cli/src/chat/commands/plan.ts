import type { Marks } from '@epitome/store';
import { type Preview, preview } from 'epitome';
import { planTable } from '../../output/table.ts';
import { columns, counted, wrapLines } from '../../output/text.ts';
import { compactNow } from '../compaction.ts';
import type { Running } from '../state.ts';
import { schemaOf } from '../tools/tool.ts';
import { amount, money } from '../words.ts';
import { readNumbers } from './messages.ts';
import type { Command } from './table.ts';

const NO_MARKS: Marks = { pinned: new Set(), excluded: new Set() };

/** `/plan [pin|exclude N… | apply [focus] | drop]`. */
export const plan: Command['run'] = async (running, { rest, signal }) => {
  if (!running.world.conversation.isStored()) return ['Nothing was said yet.'];
  const [what = '', ...words] = rest.split(/\s+/).filter(Boolean);
  if (what === 'drop') {
    delete running.state.marks;
    return ['No message is pinned or excluded any more.'];
  }
  if (what === 'apply') return apply(running, words.join(' '), signal);
  if (what === 'pin' || what === 'exclude') {
    const wrong = await mark(running, what, words.join(' '));
    if (wrong !== undefined) return [wrong];
  } else if (what !== '') return ['/plan takes pin N…, exclude N…, apply [focus] or drop.'];
  return show(running);
};

type Seen = { readonly seen: Preview; readonly ids: readonly string[] };

async function look({ world, state }: Running): Promise<Seen> {
  const policy = await world.policies.policy(state.model.window);
  const { input } = await world.log.workOf(world.conversation.ref(), { reuse: policy.reuse });
  const tools = world.toolbox.tools.map(schemaOf);
  const goal = state.goal === '' ? {} : { goal: state.goal };
  const seen = preview(
    { ...input, policy, cause: 'manual', system: world.system, tools, ...goal },
    { now: world.clock.now },
  );
  const ids = (seen.state?.view.entries ?? []).map(({ source }) =>
    source === undefined ? '' : (input.ids[source] ?? ''),
  );
  return { seen, ids };
}

async function show(running: Running): Promise<readonly string[]> {
  const { seen, ids } = await look(running);
  const { plan: planned, state } = seen;
  if (state === undefined || planned === undefined) return ['Nothing would be compacted: what there is must stay.'];
  const { marks = NO_MARKS } = running.state;
  const head = new Set(planned.head.flatMap((entry) => state.view.entries[entry]?.source ?? []));
  const fates = new Map(ids.flatMap((id, index) => markOf(marks, id).map((mark) => [index, mark] as const)));
  return [
    ...planTable({ state, head, plan: planned, marks: fates }, columns() - 2),
    '',
    ...wrapLines(closing(running, planned, figuresOf({ state, planned, fates })), columns() - 2).split('\n'),
    '/plan pin N keeps a message, /plan exclude N leaves it out, /plan apply does it.',
  ];
}

function markOf({ pinned, excluded }: Marks, id: string): readonly ('pinned' | 'excluded')[] {
  return pinned.has(id) ? ['pinned'] : excluded.has(id) ? ['excluded'] : [];
}

type Planned = NonNullable<Preview['plan']>;
type Figures = { readonly messages: number; readonly head: number; readonly stays: number };
type Marked = {
  readonly state: NonNullable<Preview['state']>;
  readonly planned: Planned;
  readonly fates: ReadonlyMap<number, 'pinned' | 'excluded'>;
};

/** What becomes of how many tokens, with what is pinned and excluded. */
function figuresOf({ state, planned: { head, tokens }, fates }: Marked): Figures {
  const { messages: sizes } = state.sizes;
  const sum = (entries: readonly number[]): number => entries.reduce((all, entry) => all + (sizes[entry] ?? 0), 0);
  const summarized = head.filter((entry) => !fates.has(entry));
  const inHead = new Set(head);
  const pinned = [...fates].flatMap(([entry, mark]) => (mark === 'pinned' && inHead.has(entry) ? [entry] : []));
  const out = [...fates].flatMap(([entry, mark]) => (mark === 'excluded' && !inHead.has(entry) ? [entry] : []));
  return {
    messages: summarized.length,
    head: sum(summarized),
    stays: tokens.tail + tokens.fixed + sum(pinned) - sum(out),
  };
}

function closing({ state: { model } }: Running, { masks }: Planned, { messages, head, stays }: Figures): string {
  const { prices } = model;
  const cost = prices === undefined ? '' : `, about ${money((head * prices.input + 2000 * prices.output) / 1e6)}`;
  const masked = masks.length === 0 ? '' : ` ${masks.length} tool results would become placeholders.`;
  const what = `${counted(messages, 'message')} of ${amount(head)} tokens`;
  return `${what} would become one summary; ${amount(stays)} tokens stay${cost}.${masked}`;
}

/** Marks messages; what may not be parted from them goes with them. Gives a sentence where that cannot be. */
async function mark(running: Running, how: 'pin' | 'exclude', text: string): Promise<string | undefined> {
  const { seen, ids } = await look(running);
  const numbers = readNumbers(text) ?? [];
  const atoms = seen.state?.atoms;
  const isKnown = numbers.length > 0 && numbers.every((number) => (ids[number] ?? '') !== '');
  if (!isKnown || atoms === undefined) return `/plan ${how} takes numbers of messages in the table, such as 3 5-7.`;
  const chosen = numbers.flatMap((number) => {
    const atom = atoms.list[atoms.atomOf[number] ?? -1];
    return atom === undefined ? [] : ids.slice(atom.first, atom.last + 1).filter(Boolean);
  });
  if (how === 'exclude' && atoms.livePrompt !== undefined && chosen.includes(ids[atoms.livePrompt] ?? '-')) {
    return 'The newest prompt cannot be excluded: it is what the model answers.';
  }
  const { pinned, excluded } = running.state.marks ?? NO_MARKS;
  const without = (marked: ReadonlySet<string>): readonly string[] => [...marked].filter((id) => !chosen.includes(id));
  running.state.marks = {
    pinned: new Set(how === 'pin' ? [...pinned, ...chosen] : without(pinned)),
    excluded: new Set(how === 'exclude' ? [...excluded, ...chosen] : without(excluded)),
  };
  return undefined;
}

/** Compacts with the marks: one record, which one undo takes back. */
async function apply(running: Running, focus: string, signal: AbortSignal): Promise<readonly string[]> {
  const { state } = running;
  const { marks = NO_MARKS } = state;
  await compactNow(running, { cause: 'manual', focus, goal: state.goal, marks }, signal);
  if (signal.aborted) return [];
  delete state.marks;
  return marks === NO_MARKS ? [] : [`${markWords(marks).join(', ')}; /undo takes all of it back.`];
}

function markWords({ pinned, excluded }: Marks): readonly string[] {
  return [
    ...(pinned.size === 0 ? [] : [`${counted(pinned.size, 'pinned message')} kept whole`]),
    ...(excluded.size === 0 ? [] : [`${counted(excluded.size, 'excluded message')} out of view`]),
  ];
}
