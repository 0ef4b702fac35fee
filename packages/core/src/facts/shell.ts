import { setBackBy } from './git.ts';
import { remakes } from './remade.ts';

/** `taken back`: what was changed there is as it was before; `given back`: that is there again. */
export type FileStatus = 'read' | 'created' | 'changed' | 'deleted' | 'taken back' | 'given back';

/** What happened to a file. `name`: what it was called, where its path was put together. */
export type FileEffect = {
  readonly path: string;
  readonly status: FileStatus;
  readonly name?: string;
  /** All below a directory, `''` for wherever the command ran; where it is deleted, all that a pattern such as `d/*.json` fits. */
  readonly isTree?: true;
};

/** Files that a shell command reads, makes, changes or deletes, as far as its words show it. */
export function shellEffects(command: string): readonly FileEffect[] {
  const steps = stepsOf(command);
  const effects: FileEffect[] = [];
  let directory = '';
  let seen = 0;
  for (const [at, step] of steps.entries()) {
    const moved = CHANGED.exec(step);
    if (moved !== null) directory = joined(directory, moved[1] ?? moved[2] ?? moved[3] ?? '');
    for (const effect of stepEffects(step)) {
      if (effect.isTree !== true && !isFile(effect)) continue;
      seen += 1;
      if (seen > MOST) return effects;
      if (effect.status === 'deleted' && isRemade(effect.path, steps, at + 1)) continue;
      effects.push(placed(effect, directory));
    }
  }
  return effects;
}

// A directory that only the shell knows is none.
const CHANGED = /^\s*\(?\s*(?:cd|pushd) (?:"([^"$`\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'&;|$`)]{1,200}))\s*$/;

function placed(effect: FileEffect, directory: string): FileEffect {
  if (directory === '') return effect;
  const path = joined(directory, effect.path);
  return path === effect.path ? effect : { ...effect, path, name: effect.path };
}

/** A path from a directory; one that is whole already stays as it is. */
export function joined(directory: string, path: string): string {
  if (directory === '' || /^(?:[/~]|[A-Za-z]:\\)/.test(path)) return path;
  const parts = directory.split('/').filter((part, at) => at === 0 || part !== '');
  for (const part of path.split('/')) {
    if (part === '..' && parts.length > 1) parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}

/** What was deleted and then made anew is not gone. */
function isRemade(path: string, steps: readonly string[], from: number): boolean {
  for (let at = from; at < steps.length; at += 1) if (remakes(steps[at] ?? '', path)) return true;
  return false;
}

const LONGEST = 4000;
const MOST = 40;
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

const HOME = /^\$(?:HOME|\{HOME\})(?=\/)/;

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
    } else if (words.length > 0 || !/^(?:sudo|time|command|\w+=.*|\\?)$/.test(word))
      words.push(word.replace(HOME, '~'));
  }
  return [...(words[0] === 'git' ? gitEffects(words) : verbEffects(words)), ...effects];
}

function verbEffects(words: readonly string[]): readonly FileEffect[] {
  const [name = '', ...rest] = words;
  const paths = rest.filter((word) => !word.startsWith('-'));
  const last = paths.at(-1);
  switch (name) {
    case 'rm':
    case 'unlink':
    case 'trash':
    case 'trash-put':
      return paths.map((path) => deletion(path, rest));
    case 'find':
      return foundAway(rest);
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
    case 'cat':
    case 'nl':
    case 'head':
    case 'tail':
      return paths.filter((path) => /[./]/.test(path)).map((path) => ({ path, status: 'read' }));
    default:
      return [];
  }
}

/** `*.json` fits files; where directories go as well, all below those it fits. */
function deletion(path: string, options: readonly string[]): FileEffect {
  if (!/[*?]/.test(path) || !/^[\w./~@+*?-]+$/.test(path)) return { path, status: 'deleted' };
  const isDeep = options.some((word) => /^-\w*[rR]|^--recursive$/.test(word));
  return { path: isDeep ? `${path}/**` : path, status: 'deleted', isTree: true };
}

/** `find src -name '*.snap' -type f -delete`: only where nothing else says which files. */
function foundAway(rest: readonly string[]): readonly FileEffect[] {
  const [directory = '', ...tests] = rest;
  if (tests.at(-1) !== '-delete' || !/^[\w./~@+-]+$/.test(directory)) return [];
  const named = tests.slice(0, -1).join(' ');
  const pattern = FOUND.exec(named)?.[1];
  return pattern === undefined
    ? []
    : [{ path: `${directory.replace(/(?<=.)\/$/, '')}/**/${pattern}`, status: 'deleted', isTree: true }];
}

const FOUND = /^(?:-type f )?-name ([\w.@+*?-]+)(?: -type f)?$/;

/** Options of `git` itself, such as the directory it runs in. */
function gitEffects(words: readonly string[]): readonly FileEffect[] {
  const [directory, rest] = words[1] === '-C' ? [words[2] ?? '', words.slice(3)] : ['', words.slice(1)];
  const back = setBackBy(rest);
  if (rest.includes('--cached')) return [];
  if (back === undefined) return verbEffects(rest).map((effect) => placed(effect, directory));
  const { status, paths } = back;
  return paths.map((path) => {
    const isTree = /^\.{1,2}\/?$|\/$/.test(path) || (status !== 'changed' && !/[^/.]\.\w+$|^\.\w/.test(path));
    const whole = joined(directory, path.replace(/(?<=.)\/$/, ''));
    return isTree ? { path: whole === '.' ? '' : whole, status, isTree } : { path: whole, status };
  });
}

/** `sed -n '1,40p' file` reads, `sed -i s/a/b/ file` changes; the script is no file. */
function sedEffects(rest: readonly string[], paths: readonly string[]): readonly FileEffect[] {
  const status = rest.some((word) => /^-\w*i|^--in-place/.test(word)) ? 'changed' : 'read';
  return paths
    .slice(rest.includes('-e') ? 0 : 1)
    .filter((path) => /[./]/.test(path) && !/^s?[|/#,]/.test(path.replace(/^\/[\w.]+\//, '')))
    .map((path) => ({ path, status }));
}

function isFile({ path, status }: FileEffect): boolean {
  return (
    path.length > (status === 'deleted' ? 0 : 1) &&
    path.length < 300 &&
    !/^\.{1,2}$|[$*?`<>(){}\n]|^\/dev\/|^-|^&|^\d+$/.test(path)
  );
}
