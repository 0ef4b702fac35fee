import type { CompactionItem, Details, EntryItem, Fault, Item, SessionItem, UsageItem } from '../model/item.ts';
import { defined, objectOf, objectsOf, textOf } from '../model/json.ts';
import type { Branch, Compaction, Entry, Request, Session, Total } from '../model/session.ts';

// A file that is broken throughout needs no longer list.
const MOST_FAULTS = 100;
const MAIN = '';

/** Makes a session of items. Parents are looked for among what came before, so that no file can make a circle. */
export class SessionBuilder {
  readonly #start: SessionItem;
  #details: Details;
  readonly #entries: Entry[] = [];
  readonly #newestChild: number[] = [];
  /** Entry that an id stands for; that of a record without a message is the nearest one in front of it. */
  readonly #ids = new Map<string, number>();
  /** Where the next entry without a parent goes, by side. */
  readonly #heads = new Map<string, number>();
  readonly #compactions: Compaction[] = [];
  readonly #requests: Request[] = [];
  readonly #models = new Set<string>();
  readonly #skipped = new Map<string, number>();
  readonly #unknown = new Map<string, number>();
  readonly #faults: Fault[] = [];
  readonly #totals: Total[] = [];
  #faultCount = 0;
  #duplicates = 0;
  #strays = 0;

  constructor(start: SessionItem) {
    this.#start = start;
    this.#details = {};
    this.#amend(start.details);
  }

  /** Takes one more item of the session. */
  add(item: Exclude<Item, SessionItem>): void {
    switch (item.kind) {
      case 'entry':
        this.#addEntry(item);
        return;
      case 'link':
        this.#ids.set(item.id, this.#resolve(item.parent));
        return;
      case 'details':
        this.#amend(item.details);
        return;
      case 'compaction':
        this.#addCompaction(item);
        return;
      case 'rewind':
        this.#heads.set(MAIN, 'before' in item ? this.#inFrontOf(item.before) : this.#withoutPrompts(item.prompts));
        return;
      case 'usage':
        this.#addUsage(item);
        return;
      case 'skip':
        count(item.isKnown ? this.#skipped : this.#unknown, item.type);
        return;
      case 'fault':
        this.#faultCount += 1;
        if (this.#faults.length < MOST_FAULTS) this.#faults.push(item);
        return;
      default:
        item satisfies never;
    }
  }

  /** The session. */
  finish(): Session {
    const { source, format } = this.#start;
    const { format: found = format, model = this.#usualModel(), ...details } = this.#details;
    const startedAt = details.startedAt ?? this.#entries.find(({ time }) => time !== undefined)?.time;
    return {
      ...details,
      ...defined({ model, startedAt }),
      source,
      format: found,
      entries: this.#entries,
      branches: this.#branches(),
      compactions: this.#compactions,
      requests: this.#requests,
      totals: this.#totals,
      models: [...this.#models],
      skipped: Object.fromEntries(this.#skipped),
      unknown: Object.fromEntries(this.#unknown),
      faults: this.#faults,
      faultCount: this.#faultCount,
      duplicates: this.#duplicates,
      strays: this.#strays,
    };
  }

  #addEntry(item: EntryItem): void {
    const known = item.id === undefined ? undefined : this.#ids.get(item.id);
    const before = known === undefined ? undefined : this.#entries[known];
    if (before !== undefined && known !== undefined && before.id === item.id) {
      if (item.revises) {
        this.#revise(known, item);
        return;
      }
      this.#duplicates += 1;
      if (textOf(before.natives) === textOf(item.natives)) return;
    }
    const side = item.side ?? MAIN;
    const parent = this.#placeOf(item, side);
    const index = this.#entries.push(entryOf(item, parent)) - 1;
    if (parent >= 0) this.#newestChild[parent] = index;
    if (item.id !== undefined) this.#ids.set(item.id, index);
    this.#heads.set(side, index);
    if (item.isSummary && parent >= 0) this.#noteSummary(item, parent);
    this.#noteRequest(item, index);
  }

  #placeOf(item: EntryItem, side: string): number {
    const head = this.#heads.get(side) ?? -1;
    if (item.parent === undefined) return head;
    // Older programs begin a new tree with the summary of the one before.
    if (item.parent === null) return item.isSummary ? head : -1;
    const parent = this.#resolve(item.parent, head);
    return parent < 0 ? parent : this.#behindStep(parent);
  }

  /**
   * Parallel calls and their results hang on different records of one answer. What hangs on any of them goes behind all
   * of them; only where something else has followed is it a branch.
   */
  #behindStep(parent: number): number {
    const step = this.#entries[parent]?.step;
    let at = parent;
    for (let child = this.#newestChild[at]; child !== undefined; child = this.#newestChild[at]) {
      const found = this.#entries[child]?.step;
      if (found === undefined || (found !== '' && found !== step)) return parent;
      at = child;
    }
    return at;
  }

  #resolve(parent: string | null | undefined, otherwise: number = this.#heads.get(MAIN) ?? -1): number {
    if (parent === null) return -1;
    if (parent === undefined) return otherwise;
    const found = this.#ids.get(parent);
    if (found === undefined) this.#strays += 1;
    return found ?? otherwise;
  }

  #revise(index: number, item: EntryItem): void {
    const before = this.#entries[index];
    if (before === undefined) return;
    this.#entries[index] = entryOf(item, before.parent);
    this.#noteRequest(item, index);
  }

  #noteRequest({ usage, model }: EntryItem, index: number): void {
    if (model !== undefined) this.#models.add(model);
    if (usage !== undefined) this.#pushRequest({ entry: index, usage, ...defined({ model }) });
  }

  /** One request is told with each record of its answer; the last has the final figures. */
  #pushRequest(request: Request): void {
    const last = this.#requests.at(-1);
    const step = this.#entries[request.entry]?.step ?? '';
    const isSame =
      last !== undefined && (last.entry === request.entry || (step !== '' && this.#entries[last.entry]?.step === step));
    if (isSame) this.#requests[this.#requests.length - 1] = request;
    else this.#requests.push(request);
  }

  #addUsage({ usage, model, isTotal, requests }: UsageItem): void {
    if (model !== undefined) this.#models.add(model);
    if (isTotal) this.#totals.push({ usage, ...defined({ model, requests }) });
    else
      this.#requests.push({
        entry: this.#entries.length - 1,
        usage,
        ...defined({ model: model ?? this.#details.model }),
      });
  }

  #amend(details: Details): void {
    if (details.model !== undefined && details.model !== '') this.#models.add(details.model);
    // What was said first names the session; a later model or system prompt is the one in force.
    const { id = details.id, cwd = details.cwd, startedAt = details.startedAt } = this.#details;
    this.#details = { ...this.#details, ...details, ...defined({ id, cwd, startedAt }) };
  }

  #addCompaction(item: CompactionItem): void {
    const { kind: _kind, id, parent, firstKept, ...rest } = item;
    const behind = this.#resolve(parent);
    if (id !== undefined) this.#ids.set(id, behind);
    const kept = firstKept === undefined ? undefined : this.#ids.get(firstKept);
    this.#compactions.push({ behind, ...rest, ...defined({ firstKept: kept }) });
  }

  /** A summary among the messages is the text of the compaction in front of it. */
  #noteSummary(item: EntryItem, parent: number): void {
    const summary = plainText(item.natives);
    const last = this.#compactions.at(-1);
    if (last?.behind !== parent) this.#compactions.push({ behind: parent, summary });
    else if (last.summary === undefined) this.#compactions[this.#compactions.length - 1] = { ...last, summary };
  }

  /** The model of most requests of the main conversation; a program's own name for no model at all is none. */
  #usualModel(): string | undefined {
    const counts = new Map<string, number>();
    for (const { entry, model = '' } of this.#requests) {
      if (model !== '' && !model.startsWith('<') && this.#entries[entry]?.side === undefined) count(counts, model);
    }
    const [most] = [...counts].sort(([, one], [, other]) => other - one);
    return most?.[0] ?? [...this.#models].find((name) => !name.startsWith('<'));
  }

  #inFrontOf(id: string): number {
    const found = this.#ids.get(id);
    return found === undefined ? -1 : (this.#entries[found]?.parent ?? -1);
  }

  #withoutPrompts(prompts: number): number {
    let at = this.#heads.get(MAIN) ?? -1;
    for (let left = prompts; left > 0 && at >= 0; at = this.#entries[at]?.parent ?? -1) {
      if (this.#entries[at]?.isPrompt) left -= 1;
    }
    return at;
  }

  #branches(): readonly Branch[] {
    const main = this.#heads.get(MAIN);
    const leaves = this.#entries.flatMap((_, index) => (this.#newestChild[index] === undefined ? [index] : []));
    const others = leaves.filter((leaf) => leaf !== main).reverse();
    return [
      ...(main === undefined ? [] : [{ name: 'main', leaf: main }]),
      ...others.map((leaf, index) => ({
        name: `b${index + 2}`,
        leaf,
        ...defined({ side: this.#entries[leaf]?.side }),
      })),
    ];
  }
}

function entryOf(item: EntryItem, parent: number): Entry {
  const { id, natives, side, step, time, isPrompt = false, isSummary = false, isAside } = item;
  return { parent, natives, isPrompt, isSummary, ...defined({ id, side, step, time, isAside: isAside || undefined }) };
}

function count(counts: Map<string, number>, type: string): void {
  counts.set(type, (counts.get(type) ?? 0) + 1);
}

function plainText(natives: readonly unknown[]): string {
  const texts = natives.flatMap((native) => {
    const { content } = objectOf(native);
    return typeof content === 'string' ? [content] : objectsOf(content).map(({ text }) => text);
  });
  return texts.filter((text) => typeof text === 'string').join('\n');
}
