import { compact, type LogRecord } from 'epitome';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BranchRef, Log, Snapshot } from '../../src/index.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchange, exchanges, fullView, shown } from './world.ts';

/** Laws 23, 30 and 31 across branches that share a trunk. */
export function isolationLaws(subject: Subject): void {
  const { store, newTenant } = subject;
  const trunk = async (): Promise<{ log: Log; conversation: string }> => {
    const log = store().forTenant(newTenant());
    const { id: conversation } = await log.create({ format: 'openai-chat' });
    await log.append({ conversation }, exchanges(0, 8));
    await log.fork({ conversation }, { name: 'twin' });
    return { log, conversation };
  };

  describe('branches of one trunk', () => {
    test('are compacted once: a record of one that reaches the other supersedes what was computed there', async () => {
      const { log, conversation } = await trunk();
      let inner: Awaited<ReturnType<typeof compactBranch>> | undefined;
      const outer = await compactBranch(log, { conversation, branch: 'twin' }, async () => {
        inner = await compactBranch(log, { conversation });
      });
      expect([inner?.publication.kind, outer.publication.kind]).toEqual(['published', 'superseded']);
      expect(await shown(log, { conversation, branch: 'twin' })).toEqual(await shown(log, { conversation }));
      expect((await log.branches(conversation)).map(({ version }) => version)).toEqual([1, 1]);
    });

    test('compacted at the same moment commit one of the two', async () => {
      const { log, conversation } = await trunk();
      const made = await Promise.all(['main', 'twin'].map((branch) => computed(log, { conversation, branch })));
      const published = await Promise.all(
        made.map(({ ref, snapshot, records }) => log.publish(ref, { snapshot, records })),
      );
      expect(published.map(({ kind }) => kind).sort()).toEqual(['published', 'superseded']);
    });

    test('that left it behind their own prompts are each compacted, and keep to themselves', async () => {
      const { log, conversation } = await trunk();
      await log.append({ conversation, branch: 'twin' }, exchange(40));
      await log.append({ conversation }, exchange(50));
      const made = await Promise.all(['main', 'twin'].map((branch) => computed(log, { conversation, branch })));
      for (const { ref, snapshot, records } of made) {
        expect(await log.publish(ref, { snapshot, records })).toEqual({ kind: 'published', version: 1 });
      }
    });

    test('undo, redo and restore each for themselves; what is made from one later sees what it sees', async () => {
      const { log, conversation } = await trunk();
      const twin = { conversation, branch: 'twin' };
      const { records } = await compactBranch(log, { conversation });
      const compacted = await shown(log, { conversation });
      await log.undo(twin);
      expect(await shown(log, twin)).toHaveLength(16);
      expect(await shown(log, { conversation })).toEqual(compacted);
      await log.fork(twin, { name: 'child' });
      await log.fork({ conversation }, { name: 'other' });
      expect(await shown(log, { conversation, branch: 'child' })).toHaveLength(16);
      expect(await shown(log, { conversation, branch: 'other' })).toEqual(compacted);
      await log.redo({ conversation, branch: 'child' });
      expect(await shown(log, { conversation, branch: 'child' })).toEqual(compacted);
      expect(await shown(log, twin)).toHaveLength(16);
      const [first] = await log.messages({ conversation });
      await log.restore({ conversation }, [first?.id ?? '']);
      expect(await shown(log, { conversation })).toHaveLength(compacted.length + 1);
      expect(await shown(log, { conversation, branch: 'other' })).toEqual(compacted);
      const states = async (branch: string) =>
        (await log.records({ conversation, branch })).find(({ record }) => record.id === records[0]?.id)?.state;
      expect(await Promise.all(['main', 'twin', 'child', 'other'].map(states))).toEqual([
        'undone',
        'undone',
        'completed',
        'completed',
      ]);
    });

    test('that undid something do not get it back from a sibling', async () => {
      const { log, conversation } = await trunk();
      await compactBranch(log, { conversation });
      await log.undo({ conversation, branch: 'twin' });
      await compactBranch(log, { conversation });
      expect(await shown(log, { conversation, branch: 'twin' })).toHaveLength(16);
      const { publication } = await compactBranch(log, { conversation, branch: 'twin' });
      expect(publication.kind).toBe('published');
    });

    test('an edited history leaves a branch with what was undone there', async () => {
      const { log, conversation } = await trunk();
      await compactBranch(log, { conversation });
      await log.undo({ conversation });
      const natives = [...exchanges(0, 8).slice(0, 15), '{"role":"assistant","content":"another answer"}'];
      const { branch } = await log.append({ conversation, after: null }, natives);
      expect(await shown(log, { conversation, branch })).toHaveLength(16);
    });

    test('keep to themselves whatever is interleaved', async () => {
      const property = fc.asyncProperty(fc.array(deed, { minLength: 6, maxLength: 22 }), async (deeds) => {
        await new Interleaving(store().forTenant(newTenant())).run(deeds);
      });
      await fc.assert(property, { numRuns: Math.ceil(subject.runs / 3) });
    }, 120_000);
  });
}

const deed = fc.record({
  what: fc.constantFrom(
    'append',
    'append',
    'fork',
    'edit',
    'compute',
    'compute',
    'publish',
    'publish',
    'undo',
    'redo',
    'restore',
  ),
  branch: fc.nat(),
  at: fc.nat(),
});
type Deed = { readonly what: string; readonly branch: number; readonly at: number };
type Computed = {
  readonly ref: Required<BranchRef>;
  readonly snapshot: Snapshot;
  readonly records: readonly LogRecord[];
};

/** What a branch is expected to see: plain sets, without segments, places or sequence numbers. */
type Seen = { readonly ids: string[]; readonly records: Set<string>; isOwn: boolean };

class Interleaving {
  readonly #log: Log;
  readonly #branches = new Map<string, Seen>([['main', { ids: [], records: new Set(), isOwn: false }]]);
  /** Parent messages of records. */
  readonly #parents = new Map<string, string>();
  readonly #pending: (Computed & { readonly sight: string })[] = [];
  #said = 0;

  constructor(log: Log) {
    this.#log = log;
  }

  async run(deeds: readonly Deed[]): Promise<void> {
    await this.#log.create({ format: 'openai-chat', id: 'c' });
    await this.#append('main');
    for (const each of deeds) {
      const name = pick([...this.#branches.keys()], each.branch) ?? 'main';
      const before = await this.#views();
      const touched = await this.#act(name, each);
      const after = await this.#views();
      for (const [branch, view] of before) {
        if (!touched.has(branch)) expect([branch, after.get(branch)]).toEqual([branch, view]);
      }
      await this.#check();
    }
  }

  async #check(): Promise<void> {
    const infos = new Map((await this.#log.branches('c')).map((info) => [info.name, info]));
    expect([...infos.keys()].sort()).toEqual([...this.#branches.keys()].sort());
    for (const [branch, { ids, records }] of this.#branches) {
      expect((await this.#log.messages({ conversation: 'c', branch })).map(({ id }) => id)).toEqual(ids);
      const stored = (await this.#log.records({ conversation: 'c', branch }))
        .filter(({ state }) => state === 'completed' || state === 'undone')
        .map(({ record }) => record.id);
      expect(stored.sort()).toEqual([...records].sort());
      expect(infos.get(branch)?.version).toBe(records.size);
      expect(await shown(this.#log, { conversation: 'c', branch })).toEqual(
        await fullView(this.#log, { conversation: 'c', branch }),
      );
    }
  }

  async #views(): Promise<ReadonlyMap<string, readonly unknown[]>> {
    const views = new Map<string, readonly unknown[]>();
    for (const branch of this.#branches.keys())
      views.set(branch, await shown(this.#log, { conversation: 'c', branch }));
    return views;
  }

  /** Does a deed; gives the branches whose view it may change. */
  async #act(name: string, { what, at }: Deed): Promise<ReadonlySet<string>> {
    const own = new Set([name]);
    if (what === 'append') await this.#append(name);
    else if (what === 'fork') await this.#fork(name, at);
    else if (what === 'edit') return this.#edit(name, at);
    else if (what === 'compute') await this.#compute(name);
    else if (what === 'publish') return this.#publish();
    else await this.#own(name, { what, at });
    return own;
  }

  async #append(name: string): Promise<void> {
    const said = exchanges(this.#said, this.#said + 3);
    this.#said += 3;
    const { ids, branch } = await this.#log.append({ conversation: 'c', branch: name }, said);
    expect(branch).toBe(name);
    this.#seen(name).ids.push(...ids);
  }

  async #fork(from: string, at: number): Promise<void> {
    const { ids } = this.#seen(from);
    // As often as not at the tip: there a fork must look like what it left.
    const end = at % 2 === 0 ? ids.length : 1 + (at % ids.length);
    const name = `f${this.#branches.size}`;
    await this.#log.fork({ conversation: 'c', branch: from }, { name, at: ids[end - 1] ?? '' });
    this.#inherit(from, name, end);
    if (end < ids.length) return;
    expect(await shown(this.#log, { conversation: 'c', branch: name })).toEqual(
      await shown(this.#log, { conversation: 'c', branch: from }),
    );
  }

  async #edit(from: string, at: number): Promise<ReadonlySet<string>> {
    const { ids } = this.#seen(from);
    const end = 1 + (at % ids.length);
    if (end === ids.length) return new Set();
    const edited = `{"role":"user","content":"edit ${this.#said++}"}`;
    const after = ids[end - 1] ?? '';
    // Where other branches end there, it is one of them that goes on.
    const ending = [...this.#branches].flatMap(([name, seen]) => (seen.ids.at(-1) === after ? name : []));
    const { branch, ids: added } = await this.#log.append({ conversation: 'c', branch: from, after }, [edited]);
    if (ending.length === 0) this.#inherit(from, branch, end);
    else expect(ending).toContain(branch);
    this.#seen(branch).ids.push(...added);
    return new Set([branch]);
  }

  /** A new branch sees what the one it left sees, as far as it stands on what they share. */
  #inherit(from: string, name: string, end: number): void {
    const { ids, records, isOwn } = this.#seen(from);
    const shared = new Set(ids.slice(0, end));
    const kept = [...records].filter((id) => shared.has(this.#parents.get(id) ?? ''));
    this.#branches.set(name, { ids: ids.slice(0, end), records: new Set(kept), isOwn });
  }

  async #compute(name: string): Promise<void> {
    const ref = { conversation: 'c', branch: name };
    const made = await computed(this.#log, ref);
    const isChange = made.records.some((record) => record.kind === 'compaction' && record.status === 'compressed');
    if (isChange) this.#pending.push({ ...made, sight: [...this.#seen(name).records].sort().join() });
  }

  async #publish(): Promise<ReadonlySet<string>> {
    const next = this.#pending.shift();
    if (next === undefined) return new Set();
    const { ref, snapshot, records, sight } = next;
    const seen = this.#seen(ref.branch);
    const isCurrent = [...seen.records].sort().join() === sight;
    const { kind } = await this.#log.publish(ref, { snapshot, records });
    expect(kind).toBe(isCurrent ? 'published' : 'superseded');
    if (!isCurrent) return new Set();
    const reached = new Set<string>();
    for (const record of records) {
      const parent = record.kind === 'compaction' ? (record.parentId ?? '') : '';
      this.#parents.set(record.id, parent);
      for (const [branch, other] of this.#branches) {
        const isReached = branch === ref.branch || (!seen.isOwn && !other.isOwn && other.ids.includes(parent));
        if (isReached) other.records.add(record.id);
        if (isReached) reached.add(branch);
      }
    }
    return reached;
  }

  async #own(name: string, { what, at }: Pick<Deed, 'what' | 'at'>): Promise<void> {
    const seen = this.#seen(name);
    const ref = { conversation: 'c', branch: name };
    const chosen = pick(seen.ids, at) ?? '';
    const known = new Map((await this.#log.records(ref)).map(({ record }) => [record.id, record]));
    let made: readonly LogRecord[] = [];
    try {
      if (what === 'restore') made = await this.#log.restore(ref, [chosen]);
      else made = what === 'undo' ? await this.#log.undo(ref) : await this.#log.redo(ref);
    } catch (error) {
      const code = (error as { code?: string }).code;
      expect(['unknown-record', 'cannot-restore', 'bound-reasoning']).toContain(code);
      return;
    }
    for (const record of made) {
      seen.records.add(record.id);
      const parent = record.kind === 'undo' ? this.#parents.get(record.undoes) : record.parentId;
      this.#parents.set(record.id, parent ?? '');
      expect(known.has(record.id)).toBe(false);
    }
    seen.isOwn = true;
  }

  #seen(name: string): Seen {
    const seen = this.#branches.get(name);
    if (seen === undefined) throw new Error(`no branch ${name}`);
    return seen;
  }
}

async function computed(log: Log, ref: Required<BranchRef>): Promise<Computed> {
  const { input, snapshot } = await log.workOf(ref);
  const { records } = await compact(
    { ...input, policy: 'branch', window: 100_000, cause: 'manual' },
    {
      summarizer: () => Promise.resolve({ text: `Summary of ${input.ids.length} messages up to ${input.ids.at(-1)}.` }),
    },
  );
  return { ref, snapshot, records };
}

function pick<T>(list: readonly T[], at: number): T | undefined {
  return list[at % Math.max(1, list.length)];
}
