import type { CompactionRecord, Preview } from 'epitome';
import { preview } from 'epitome';
import { planTable } from '../../output/table.ts';
import { columns, wrapLines } from '../../output/text.ts';
import { compactNow } from '../compaction.ts';
import type { Running } from '../state.ts';
import { schemaOf } from '../tools/tool.ts';
import { amount, money } from '../words.ts';
import { readNumbers } from './messages.ts';
import type { Command } from './table.ts';

/** What a plan was told to treat differently: ids of messages. */
type Marks = { readonly pinned: ReadonlySet<string>; readonly excluded: ReadonlySet<string> };

const NO_MARKS: Marks = { pinned: new Set(), excluded: new Set() };
const marksOf = new WeakMap<Running, Marks>();

/** `/plan [pin|exclude N… | apply [focus] | drop]`. */
export const plan: Command['run'] = async (running, { rest, signal }) => {
  if (!running.world.conversation.isStored()) return ['Nothing was said yet.'];
  const [what = '', ...words] = rest.split(/\s+/).filter(Boolean);
  if (what === 'drop') {
    marksOf.delete(running);
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
  const marks = marksOf.get(running) ?? NO_MARKS;
  const head = new Set(planned.head.flatMap((entry) => state.view.entries[entry]?.source ?? []));
  const numbersOf = (marked: ReadonlySet<string>): string =>
    ids.flatMap((id, index) => (marked.has(id) ? [index] : [])).join(', ');
  const notes = [
    ...(marks.pinned.size === 0 ? [] : [`pinned: ${numbersOf(marks.pinned)}`]),
    ...(marks.excluded.size === 0 ? [] : [`excluded: ${numbersOf(marks.excluded)}`]),
  ];
  return [
    ...planTable({ state, head, plan: planned }, columns() - 2),
    '',
    ...wrapLines(closing(running, planned), columns() - 2).split('\n'),
    ...notes,
    '/plan pin N keeps a message, /plan exclude N leaves it out, /plan apply does it.',
  ];
}

function closing({ state: { model } }: Running, { head, tokens, masks }: NonNullable<Preview['plan']>): string {
  const { prices } = model;
  const cost =
    prices === undefined ? '' : `, about ${money((tokens.head * prices.input + 2000 * prices.output) / 1e6)}`;
  const masked = masks.length === 0 ? '' : ` ${masks.length} tool results would become placeholders.`;
  const kept = amount(tokens.tail + tokens.fixed);
  return `${head.length} messages of ${amount(tokens.head)} tokens would become one summary; ${kept} tokens stay${cost}.${masked}`;
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
  const { pinned, excluded } = marksOf.get(running) ?? NO_MARKS;
  const without = (marked: ReadonlySet<string>): readonly string[] => [...marked].filter((id) => !chosen.includes(id));
  marksOf.set(running, {
    pinned: new Set(how === 'pin' ? [...pinned, ...chosen] : without(pinned)),
    excluded: new Set(how === 'exclude' ? [...excluded, ...chosen] : without(excluded)),
  });
  return undefined;
}

/** Leaves out what is excluded, compacts, and brings back what is pinned. Each is a record that undo takes back. */
async function apply(running: Running, focus: string, signal: AbortSignal): Promise<readonly string[]> {
  const { world, state } = running;
  const { pinned, excluded } = marksOf.get(running) ?? NO_MARKS;
  const ref = world.conversation.ref();
  if (excluded.size > 0) await leaveOut(running, excluded);
  await compactNow(running, { cause: 'manual', focus, goal: state.goal }, signal);
  marksOf.delete(running);
  const shown = new Set((await world.log.viewOf(ref)).entries.map(({ messageId }) => messageId));
  const back = [...pinned].filter((id) => !shown.has(id));
  if (back.length > 0) await world.log.restore(ref, back);
  const lines = [
    ...(back.length === 0 ? [] : [`${back.length} pinned messages stand as they were.`]),
    ...(excluded.size === 0 ? [] : [`${excluded.size} excluded messages are out of view; /undo brings them back.`]),
  ];
  return lines;
}

/** A record that hides messages and puts nothing in their place. */
async function leaveOut({ world }: Running, excluded: ReadonlySet<string>): Promise<void> {
  const ref = world.conversation.ref();
  const { input, snapshot } = await world.log.workOf(ref);
  const covers = input.ids.filter((id) => excluded.has(id));
  const last = covers.at(-1);
  const tip = input.ids.at(-1);
  if (last === undefined || tip === undefined) return;
  const after = input.ids.length - covers.length;
  const record: CompactionRecord = {
    kind: 'compaction',
    id: crypto.randomUUID(),
    at: world.clock.now(),
    status: 'compressed',
    preset: 'deliberate',
    cause: 'manual',
    reason: 'excluded',
    method: 'none',
    degraded: false,
    parentId: tip,
    lastSummarizedId: last,
    anchorId: last,
    tipId: tip,
    covers,
    replaces: [],
    inserts: [],
    edits: [],
    text: '',
    tokens: { before: 0, after: 0, fixed: 0, basis: 'estimated' },
    counts: { before: input.ids.length, after, compressed: covers.length, preserved: after },
    calls: 0,
    usage: { inputTokens: 0, outputTokens: 0 },
    findings: [],
  };
  await world.log.publish(ref, { snapshot, records: [record] });
}
