import type { Log } from '@epitome/store';
import { fieldsOf } from '../dialects/rules.ts';

/**
 * Which models a conversation is with: the first one, and others from the messages on at which they were asked. Branches differ,
 * and the same message may be put to several: then each of them may have made what follows it.
 */
export type Models = { readonly model: string; readonly switches: readonly Switch[] };
type Switch = { readonly at: string; readonly model: string };

/** A request's model and history, and whether its last message was put to a model before. */
type Asking = { readonly model: string; readonly ids: readonly string[]; readonly isAgain: boolean };

const MOST_SWITCHES = 64;

/** What a conversation's settings say of its models. */
function modelsOf(settings: string | undefined): Models {
  const { model, switches } = fieldsOf(read(settings));
  const list = Array.isArray(switches) ? switches : [];
  return {
    model: typeof model === 'string' ? model : '',
    switches: list.flatMap((each): readonly Switch[] => {
      const { at, model: to } = fieldsOf(each);
      return typeof at === 'string' && typeof to === 'string' ? [{ at, model: to }] : [];
    }),
  };
}

type Noting = {
  readonly conversation: string;
  readonly tree: { models: Models | undefined; readonly isSealed: boolean };
};

/** How many messages at the start of a history were made by other models than the one asked now, which is noted. */
export async function foreignLength(log: Log, { tree, conversation }: Noting, asking: Asking): Promise<number> {
  if (asking.model === '') return 0;
  // Where nothing is sealed, nothing is foreign to anybody; else another process may have taken the turn before this one.
  if (!tree.isSealed && tree.models !== undefined && withAsked(tree.models, asking) === tree.models) return 0;
  const settings = (await log.conversation(conversation))?.settings;
  const models = modelsOf(settings);
  const next = withAsked(models, asking);
  if (next !== models) await log.setSettings(conversation, JSON.stringify({ ...fieldsOf(read(settings)), ...next }));
  tree.models = next;
  const foreign = runsOf(next, asking.ids).findLast((run) => !run.models.has(asking.model));
  return foreign?.end ?? 0;
}

function withAsked(models: Models, { model, ids, isAgain }: Asking): Models {
  if (models.model === '') return { ...models, model };
  const before = runsOf(models, ids).at(-1)?.models ?? new Set([models.model]);
  const at = ids.at(-1);
  if (before.has(model) || at === undefined) return models;
  const asked = isAgain ? [...before, model] : [model];
  const switches = [...models.switches, ...asked.map((each) => ({ at, model: each }))];
  return { ...models, switches: switches.slice(-MOST_SWITCHES) };
}

/** Messages up to `end` that only these models can have made. */
type Run = { readonly end: number; readonly models: ReadonlySet<string> };

/** A history in runs of the same models; the last one is what is still to be said. */
function runsOf({ model, switches }: Models, ids: readonly string[]): readonly Run[] {
  const asked = new Map<string, Set<string>>();
  for (const { at, model: other } of switches) asked.set(at, (asked.get(at) ?? new Set()).add(other));
  const runs: Run[] = [];
  let models: ReadonlySet<string> = new Set([model]);
  if (asked.size > 0) {
    for (const [at, id] of ids.entries()) {
      const next = asked.get(id);
      if (next === undefined) continue;
      runs.push({ end: at + 1, models });
      models = next;
    }
  }
  return [...runs, { end: ids.length, models }];
}

function read(settings: string | undefined): unknown {
  try {
    return JSON.parse(settings ?? '{}');
  } catch {
    return {};
  }
}
