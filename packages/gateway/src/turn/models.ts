import type { Log } from '@epitome/store';
import { fieldsOf } from '../dialects/rules.ts';

/** Which model a conversation was with, and since when another one: up to the message `at`, everything is foreign to it. */
export type Models = { readonly model: string; readonly switches: readonly Switch[] };
type Switch = { readonly at: string; readonly model: string };

const MOST_SWITCHES = 64;

/** What a conversation's settings say of its models. */
export function modelsOf(settings: string | undefined): Models {
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

/** Notes that a conversation goes on with a model; what was known already is not written again. */
export async function noteModel(
  log: Log,
  known: { readonly conversation: string; readonly models: Models },
  now: { readonly model: string; readonly tip: string },
): Promise<Models> {
  const { conversation, models } = known;
  if (now.model === '' || models.model === now.model) return models;
  const isFirst = models.model === '';
  const switches = isFirst
    ? models.switches
    : [...models.switches, { at: now.tip, model: now.model }].slice(-MOST_SWITCHES);
  const next = { model: now.model, switches };
  const settings = fieldsOf(read((await log.conversation(conversation))?.settings));
  await log.setSettings(conversation, JSON.stringify({ ...settings, ...next }));
  return next;
}

/** How many messages at the start of a history were made by other models than the one it is with now. */
export function foreignLength({ switches }: Models, ids: readonly string[]): number {
  const places = new Set(switches.map(({ at }) => at));
  return places.size === 0 ? 0 : ids.findLastIndex((id) => places.has(id)) + 1;
}

function read(settings: string | undefined): unknown {
  try {
    return JSON.parse(settings ?? '{}');
  } catch {
    return {};
  }
}
