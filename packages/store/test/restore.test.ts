import { compact, FORMAT_NAMES, type FormatName, formatNamed, PRESET_NAMES, preview } from 'epitome';
import { builders, renderScript, soundScriptArbitrary } from 'epitome/testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isStoreError, type Log, memoryStore } from '../src/index.ts';
import { exchanges, fullView, shown } from './support/world.ts';

const store = memoryStore();
let tenants = 0;
const newLog = (): Log => store.forTenant(`tenant ${++tenants}`);

/** A log with one conversation of these messages. */
async function logOf(format: FormatName, natives: readonly unknown[]) {
  const log = newLog();
  const { id: conversation } = await log.create({ format });
  const { ids } = await log.append(
    { conversation },
    natives.map((native) => JSON.stringify(native)),
  );
  return { log, what: { conversation }, ids };
}

type Made = Awaited<ReturnType<typeof logOf>>;

/** Compacts as a request of this window would that is too long. */
async function compacted({ log, what }: Pick<Made, 'log' | 'what'>, options: Options): Promise<number> {
  const { policy = 'epitome', window = 4_000, cause = 'automatic' } = options;
  const { input, snapshot } = await log.workOf(what);
  const outcome = await compact({ ...input, policy: policy as 'branch', window, cause });
  await log.publish(what, { snapshot, records: outcome.records });
  return outcome.counts.compressed;
}

type Options = {
  readonly policy?: string;
  readonly window?: number;
  readonly cause?: 'automatic' | 'manual' | 'overflow';
};

/** Items as the Responses API stores them: each by an id. */
const stored = (native: unknown, at: number): unknown => {
  const { type, role } = native as { readonly type?: string; readonly role?: string };
  const kind = { reasoning: 'rs', function_call: 'fc' }[type ?? ''] ?? (role === 'assistant' ? 'msg' : undefined);
  return kind === undefined ? native : { ...(native as object), id: `${kind}_${at}` };
};

const keyOf = (native: unknown): string => JSON.stringify(native);

/** Rules that a view breaks, with the second half of R3, which a list alone does not tell. */
function broken(format: FormatName, view: readonly unknown[], all: readonly unknown[]): readonly string[] {
  const faults = formatNamed(format)
    .validate(view)
    .flatMap(({ severity, rule, detail }) => (severity === 'error' || rule === 'R3' ? [`${rule} ${detail}`] : []));
  if (format !== 'openai-responses') return faults;
  const isThought = (native: unknown): boolean => (native as { type?: string } | undefined)?.type === 'reasoning';
  all.forEach((native, at) => {
    if (!isThought(all[at - 1]) || isThought(native)) return;
    const place = view.findIndex((each) => keyOf(each) === keyOf(native));
    if (place >= 0 && keyOf(view[place - 1]) !== keyOf(all[at - 1])) faults.push(`R3 item ${at} without its reasoning`);
  });
  return faults;
}

describe('restore', () => {
  test('of any one message breaks no rule of the provider, or is refused and changes nothing (laws 1, 4)', async () => {
    const property = fc.asyncProperty(
      soundScriptArbitrary({ maxSteps: 12 }),
      fc.constantFrom(...FORMAT_NAMES),
      fc.constantFrom(...PRESET_NAMES),
      fc.constantFrom('manual' as const, 'overflow' as const),
      async (script, format, policy, cause) => {
        const natives = renderScript(script, format).messages.map((native, at) =>
          format === 'openai-responses' ? stored(native, at) : native,
        );
        const made = await logOf(format, natives);
        const { log, what, ids } = made;
        if ((await compacted(made, { policy, cause })) === 0) return;
        const before = await shown(log, what);
        const known = broken(format, before, natives);
        for (const id of new Set(ids)) {
          const refusal = await log.restore(what, [id]).then(
            () => undefined,
            (error: unknown) => (isStoreError(error) ? error.code : String(error)),
          );
          if (refusal !== undefined) {
            expect(['cannot-restore', 'bound-reasoning']).toContain(refusal);
            expect(await shown(log, what)).toEqual(before);
            continue;
          }
          const after = await shown(log, what);
          expect(broken(format, after, natives).filter((fault) => !known.includes(fault))).toEqual([]);
          expect(after).toEqual(await fullView(log, what));
          const seen = (await log.viewOf(what)).entries.map(({ messageId }) => messageId);
          expect(seen).toContain(id);
          await log.undo(what);
          expect(await shown(log, what)).toEqual(before);
        }
      },
    );
    await fc.assert(property, { numRuns: 40, endOnFailure: true });
  });

  test('a call or answer of the Responses API comes back with the reasoning it was stored with, and with its parallel calls (R3)', async () => {
    const natives = Array.from({ length: 6 }, (_, turn) => responsesTurn(turn))
      .flat()
      .map(stored);
    const made = await logOf('openai-responses', natives);
    const { log, what, ids } = made;
    expect(await compacted(made, { cause: 'manual' })).toBeGreaterThan(7);
    const before = await shown(log, what);
    const [, ...answered] = natives.slice(0, 8);
    for (const chosen of [1, 2, 3, 4, 5, 6, 7]) {
      await log.restore(what, [ids[chosen] ?? '']);
      const back = (await shown(log, what)).slice(1, 1 - before.length || undefined);
      expect(back).toEqual(chosen < 6 ? answered.slice(0, 5) : answered.slice(5));
      await log.undo(what);
      expect(await shown(log, what)).toEqual(before);
    }
  });

  test('messages come back whose summary went into a later one, and go with the undo', async () => {
    const made = await logOf('openai-chat', exchanges(0, 8).map(parsed));
    const { log, what, ids } = made;
    await compacted(made, { policy: 'branch', cause: 'manual' });
    const covered = ids.length - (await log.workOf(what)).input.ids.length;
    await log.append(what, exchanges(8, 16));
    await compacted(made, { policy: 'branch', cause: 'manual' });
    const before = await shown(log, what);
    const chosen = ids.slice(0, covered);
    await log.restore(what, chosen);
    const restored = await log.viewOf(what);
    expect(restored.entries.flatMap(({ messageId = [] }) => messageId).slice(0, covered)).toEqual(chosen);
    expect(restored.entries.filter(({ summary }) => summary !== undefined)).toHaveLength(1);
    const after = await shown(log, what);
    await log.undo(what);
    expect(await shown(log, what)).toEqual(before);
    await log.redo(what);
    expect(await shown(log, what)).toEqual(after);
  });

  test('a tool result of which a placeholder is shown comes back as it was, and undo puts the placeholder back', async () => {
    const made = await logOf('openai-chat', looks(0, 12));
    const { log, what, ids } = made;
    await compacted(made, { window: 12_000 });
    const before = await shown(log, what);
    expect(before).toHaveLength(ids.length);
    expect(before[2]).not.toEqual(looks(0, 1)[2]);
    for (const chosen of [1, 2]) {
      await log.restore(what, [ids[chosen] ?? '']);
      expect(await shown(log, what)).toEqual([...looks(0, 1), ...before.slice(4)]);
      expect(await shown(log, what)).toEqual(await fullView(log, what));
      await log.undo(what);
      expect(await shown(log, what)).toEqual(before);
    }
    const visible = log.restore(what, [ids[0] ?? '', ids[3] ?? '']);
    await expect(visible).rejects.toThrow('All of these messages are in view already.');
  });

  test('a result that had become a placeholder and then was summarized comes back as it was', async () => {
    const made = await logOf('openai-chat', looks(0, 12));
    const { log, what, ids } = made;
    await compacted(made, { window: 12_000 });
    await compacted(made, { cause: 'manual' });
    await log.restore(what, [ids[1] ?? '']);
    expect((await shown(log, what)).slice(1, 3)).toEqual(looks(0, 1).slice(1, 3));
  });

  test('what was restored outlives the next compaction, of placeholders or with a summary, and not the second', async () => {
    const made = await logOf('openai-chat', looks(0, 12));
    const { log, what, ids } = made;
    await compacted(made, { window: 12_000 });
    await log.restore(what, [ids[2] ?? '']);
    const result = looks(0, 1)[2];
    await log.append(what, looks(12, 20).map(texted));
    expect(await compacted(made, { window: 12_000 })).toBeGreaterThan(0);
    expect(await shown(log, what)).toContainEqual(result);
    await log.append(what, looks(20, 28).map(texted));
    expect(await compacted(made, { window: 12_000 })).toBeGreaterThan(0);
    expect(await shown(log, what)).not.toContainEqual(result);

    await compacted(made, { cause: 'manual' });
    expect(await shown(log, what)).not.toContainEqual(looks(0, 1)[0]);
    await log.restore(what, [ids[0] ?? '']);
    await log.append(what, looks(28, 34).map(texted));
    expect(await compacted(made, { window: 12_000, cause: 'overflow' })).toBeGreaterThan(0);
    expect(await shown(log, what)).toContainEqual(looks(0, 1)[0]);
  });

  test('what was restored goes at once where the request would not fit with it, or nothing else could go', async () => {
    const made = await logOf('openai-chat', looks(0, 12));
    const { log, what, ids } = made;
    await compacted(made, { cause: 'manual' });
    await log.restore(what, ids.slice(0, 30));
    expect((await shown(log, what)).length).toBeGreaterThan(30);
    await compacted(made, { window: 3_000 });
    const { input } = await log.workOf(what);
    expect(preview({ ...input, window: 3_000 }).tokens.before).toBeLessThan(3_000);
    await log.restore(what, ids.slice(0, -4));
    expect(await compacted(made, { window: 100_000, cause: 'manual' })).toBeGreaterThan(0);
  });

  test.each(['gemini', 'anthropic'] as const)(
    'a summary is acknowledged in front of a prompt only: %s',
    async (format) => {
      const { user, assistant, call, result } = builders[format];
      const step = [user('look it up'), call('c1', 'read'), result('c1', 'read', '42 '.repeat(200)), assistant('done')];
      const rest = Array.from({ length: 8 }, (_, at) => [
        user(`question ${at} ${'more '.repeat(50)}`),
        assistant('so'),
      ]);
      const made = await logOf(format, [...step, ...rest.flat()]);
      const { log, what, ids } = made;
      await compacted(made, { policy: 'branch', cause: 'manual' });
      const before = await shown(log, what);
      await log.restore(what, [ids[2] ?? '']);
      const restored = await shown(log, what);
      expect(restored.slice(1)).toEqual([...step.slice(1, 3), ...before.slice(2)]);
    },
  );
});

const parsed = (text: string): unknown => JSON.parse(text);
const texted = (native: unknown): string => JSON.stringify(native);

/** A prompt, parallel calls and an answer, each with its thinking. */
function responsesTurn(turn: number): readonly unknown[] {
  const { user, call, result, assistant } = builders['openai-responses'];
  const ids = [`call_${turn}_a`, `call_${turn}_b`];
  return [
    user(`question ${turn}`),
    { type: 'reasoning', summary: [], encrypted_content: `sealed ${turn}` },
    ...ids.map((id) => call(id, 'read', { path: id })),
    ...ids.map((id) => result(id, 'read', `found ${id} `.repeat(60))),
    { type: 'reasoning', summary: [], encrypted_content: `sealed again ${turn}` },
    assistant(`answer ${turn}`),
  ];
}

/** Turns that look something up. */
function looks(from: number, to: number): readonly unknown[] {
  const { user, call, result, assistant } = builders['openai-chat'];
  return Array.from({ length: to - from }, (_, index) => {
    const turn = from + index;
    const text = Array.from({ length: 150 }, (__, line) => `row ${turn}.${line} of the table`).join('\n');
    return [
      user(`question ${turn}`),
      call(`c${turn}`, 'read', { turn }),
      result(`c${turn}`, 'read', text),
      assistant('so'),
    ];
  }).flat();
}
