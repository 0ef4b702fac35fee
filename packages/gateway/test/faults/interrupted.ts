import type { Log, Store } from '@epitome/store';

/** Names the next moment at which something else happens, once. */
export type At = (
  moment: { readonly name: keyof Log; readonly when: 'before' | 'after' },
  run: () => Promise<unknown>,
) => void;

/** A store in front of whose next call of a name, or behind it, something else happens once. */
export function interrupted(inner: Store): { readonly store: Store; readonly at: At } {
  let next: Parameters<At> | undefined;
  const reached = async (name: unknown, when: 'before' | 'after'): Promise<void> => {
    if (next === undefined || next[0].name !== name || next[0].when !== when) return;
    const [, happens] = next;
    next = undefined;
    await happens();
  };
  const watched = (log: Log): Log =>
    new Proxy(log, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        return async (...given: unknown[]) => {
          await reached(name, 'before');
          const answer: unknown = await Reflect.apply(value, target, given);
          await reached(name, 'after');
          return answer;
        };
      },
    });
  return {
    store: { ...inner, forTenant: (tenant) => watched(inner.forTenant(tenant)) },
    at: (...moment) => {
      next = moment;
    },
  };
}
