export type FileStatus = 'read' | 'created' | 'changed' | 'deleted';

/** What happened to a file. `name`: what it was called, where its path was put together. */
export type FileEffect = { readonly path: string; readonly status: FileStatus; readonly name?: string };

/** Files that a shell command reads, makes, changes or deletes, as far as its words show it. */
export function shellEffects(command: string): readonly FileEffect[] {
  const effects: FileEffect[] = [];
  for (const step of stepsOf(command)) {
    for (const effect of stepEffects(step)) if (isFile(effect.path)) effects.push(effect);
    if (effects.length >= MOST) break;
  }
  return effects;
}

const LONGEST = 4000;
const MOST = 20;
const HEREDOC = /<<-?\s*['"]?(\w+)/;
const STEP_END = /&&|\|\||[;|\n]/;
const WORD = /"([^"\n]{0,300})"|'([^'\n]{0,300})'|(\d?>>?&?)|([^\s"'>]+)/g;

/** Simple commands without what a here-document holds; one behind a pipe is a step of its own. */
export function stepsOf(command: string): readonly string[] {
  const steps: string[] = [];
  let end: string | undefined;
  for (const line of command.slice(0, LONGEST).split('\n')) {
    if (end !== undefined) {
      if (line.trim() === end) end = undefined;
      continue;
    }
    end = HEREDOC.exec(line)?.[1];
    if (!STEP_END.test(line)) steps.push(line);
    else for (const step of quoted(line).split(STEP_END)) steps.push(unquoted(step));
  }
  return steps;
}

// Inside quotes nothing ends a step.
function quoted(line: string): string {
  return line.replace(/"[^"\n]{0,300}"|'[^'\n]{0,300}'/g, (text) =>
    text.replace(/[&|;]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) + 0xe000)),
  );
}

function unquoted(step: string): string {
  return step.replace(/[\ue026\ue03b\ue07c]/g, (mark) => String.fromCharCode(mark.charCodeAt(0) - 0xe000));
}

function stepEffects(step: string): readonly FileEffect[] {
  const words: string[] = [];
  const effects: FileEffect[] = [];
  let redirect = '';
  WORD.lastIndex = 0;
  for (let match = WORD.exec(step); match !== null; match = WORD.exec(step)) {
    const [, double, single, arrow, bare] = match;
    const word = double ?? single ?? bare ?? '';
    if (arrow !== undefined) redirect = arrow;
    else if (redirect !== '') {
      if (!redirect.endsWith('&') && !redirect.startsWith('2'))
        effects.push({ path: word, status: redirect.includes('>>') ? 'changed' : 'created' });
      redirect = '';
    } else if (words.length > 0 || !/^(?:sudo|time|command|\w+=.*|\\?)$/.test(word)) words.push(word);
  }
  return [...verbEffects(words), ...effects];
}

function verbEffects(words: readonly string[]): readonly FileEffect[] {
  const [name = '', ...rest] = words[0] === 'git' ? words.slice(1) : words;
  const paths = rest.filter((word) => !word.startsWith('-'));
  const last = paths.at(-1);
  switch (name) {
    case 'rm':
      return paths.map((path) => ({ path, status: 'deleted' }));
    case 'mv':
      return last === undefined || paths.length < 2
        ? []
        : [
            ...paths.slice(0, -1).map((path) => ({ path, status: 'deleted' as const })),
            { path: last, status: 'created' },
          ];
    case 'cp':
      return last === undefined || paths.length < 2 ? [] : [{ path: last, status: 'created' }];
    case 'touch':
      return paths.map((path) => ({ path, status: 'created' }));
    case 'tee':
      return paths.map((path) => ({ path, status: rest.includes('-a') ? 'changed' : 'created' }));
    case 'sed':
      return sedEffects(rest, paths);
    case 'checkout':
    case 'restore':
      return words[0] === 'git' ? takenBack(name, rest).map((path) => ({ path, status: 'changed' })) : [];
    case 'cat':
    case 'nl':
    case 'head':
    case 'tail':
      return words[0] === 'git'
        ? []
        : paths.filter((path) => /[./]/.test(path)).map((path) => ({ path, status: 'read' }));
    default:
      return [];
  }
}

/** Files that git sets back: `git checkout -- a.ts`, `git restore a.ts`. */
function takenBack(name: string, rest: readonly string[]): readonly string[] {
  const dashes = rest.indexOf('--');
  if (dashes >= 0) return rest.slice(dashes + 1);
  if (name === 'checkout' || rest.some((word) => /^(?:--staged|-S|--source.*|-s)$/.test(word))) return [];
  return rest.filter((word) => !word.startsWith('-'));
}

/** `sed -n '1,40p' file` reads, `sed -i s/a/b/ file` changes; the script is no file. */
function sedEffects(rest: readonly string[], paths: readonly string[]): readonly FileEffect[] {
  const status = rest.some((word) => /^-\w*i|^--in-place/.test(word)) ? 'changed' : 'read';
  return paths
    .slice(rest.includes('-e') ? 0 : 1)
    .filter((path) => /[./]/.test(path) && !/^s?[|/#,]/.test(path.replace(/^\/[\w.]+\//, '')))
    .map((path) => ({ path, status }));
}

function isFile(path: string): boolean {
  return path.length > 1 && path.length < 300 && !/[$*?`<>(){}\n]|^\/dev\/|^-|^&|^\d+$/.test(path);
}
