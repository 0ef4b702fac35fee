import type { Route } from './routes.ts';

/** A route with the parameters of a path, or the methods there are for it. */
export type Match =
  | { readonly route: Route; readonly params: Readonly<Record<string, string>> }
  | { readonly allowed: readonly string[] };

/** The route of a path; `undefined` where no path of the API is like it. A path without parameters comes first. */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match | undefined {
  const found = routes.flatMap((route) => {
    const params = paramsOf(route.path, path);
    return params === undefined ? [] : [{ route, params }];
  });
  // What is not the name of a path of ours may still be the id of a conversation.
  const own = found.filter(({ route }) => route.method === method);
  const exact = own.find(({ params }) => Object.keys(params).length === 0) ?? own[0];
  if (exact !== undefined) return exact;
  return found.length === 0 ? undefined : { allowed: [...new Set(found.map(({ route }) => route.method))] };
}

/** Parameters by a pattern with names in braces, decoded one by one. */
export function paramsOf(pattern: string, path: string): Readonly<Record<string, string>> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = decodeURIComponent(given[at] ?? '');
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    if (name === undefined ? part !== value : value === '') return undefined;
    if (name !== undefined) params[name] = value;
  }
  return params;
}
