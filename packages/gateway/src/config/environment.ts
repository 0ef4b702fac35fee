/** Variables of the environment that say what a file may say; they win over it. */
export const VARIABLES: Readonly<
  Record<string, { readonly path: readonly string[]; readonly kind: 'text' | 'number' | 'list' }>
> = {
  EPITOME_GATEWAY_HOST: { path: ['listen', 'host'], kind: 'text' },
  EPITOME_GATEWAY_PORT: { path: ['listen', 'port'], kind: 'number' },
  EPITOME_GATEWAY_HOSTS: { path: ['hosts'], kind: 'list' },
  EPITOME_GATEWAY_SUMMARIZER: { path: ['summarizer'], kind: 'text' },
  EPITOME_GATEWAY_LOG: { path: ['log'], kind: 'text' },
  EPITOME_STORE: { path: ['store'], kind: 'text' },
};

/** Base addresses of the upstreams a gateway has where none is configured, and the variables that replace them. */
const STANDARD_UPSTREAMS = [
  {
    name: 'openai',
    dialects: ['openai-chat', 'openai-responses'],
    baseUrl: 'https://api.openai.com',
    variable: 'EPITOME_UPSTREAM_OPENAI',
  },
  {
    name: 'anthropic',
    dialects: ['anthropic'],
    baseUrl: 'https://api.anthropic.com',
    variable: 'EPITOME_UPSTREAM_ANTHROPIC',
  },
  {
    name: 'gemini',
    dialects: ['gemini'],
    baseUrl: 'https://generativelanguage.googleapis.com',
    variable: 'EPITOME_UPSTREAM_GEMINI',
  },
] as const;

type Environment = Readonly<Record<string, string | undefined>>;

/** The file's value with what the environment says put over it, and with upstreams where it names none. */
export function withEnvironment(value: unknown, env: Environment): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const merged: Record<string, unknown> = { ...value };
  for (const [variable, { path, kind }] of Object.entries(VARIABLES)) {
    const text = env[variable]?.trim();
    if (text) put(merged, path, readAs(text, kind));
  }
  merged['upstreams'] ??= STANDARD_UPSTREAMS.map(({ variable, baseUrl, dialects, name }) => ({
    name,
    dialects: [...dialects],
    baseUrl: env[variable]?.trim() || baseUrl,
  }));
  return merged;
}

/** The variable that says what stands at a path, where one does. */
export function variableFor(path: readonly PropertyKey[], file: unknown, env: Environment): string | undefined {
  const isSaid = (variable: string): boolean => Boolean(env[variable]?.trim());
  const found = Object.entries(VARIABLES).find(
    ([variable, { path: at }]) => isSaid(variable) && at.every((key, place) => path[place] === key),
  );
  if (found !== undefined) return found[0];
  const [first, place] = path;
  const isStandard = first === 'upstreams' && !(typeof file === 'object' && file !== null && 'upstreams' in file);
  const standard = isStandard ? STANDARD_UPSTREAMS[Number(place)]?.variable : undefined;
  return standard !== undefined && isSaid(standard) ? standard : undefined;
}

function readAs(text: string, kind: 'text' | 'number' | 'list'): unknown {
  if (kind === 'list') return text.split(',').map((each) => each.trim());
  // What is no number stays text, so that the problem names what was given.
  return kind === 'number' && /^\d+$/.test(text) ? Number(text) : text;
}

function put(target: Record<string, unknown>, [key = '', ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    target[key] = value;
    return;
  }
  const inner = target[key];
  const copy = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  put(copy, rest, value);
  target[key] = copy;
}
