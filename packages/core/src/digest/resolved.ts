import type { Verdict } from '../facts/verdict.ts';
import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';
import type { Draft } from './drafts.ts';
import type { Step, Trouble } from './heading.ts';

/** What is left of an open failure once another call went well: `undefined` where that call has nothing to do with it. */
export function settledBy(
  { heading: done, code }: { readonly heading: string; readonly code: ReadonlySet<string> },
  { place, trouble, telling, code: failed }: Draft,
): Trouble | undefined {
  if (trouble === undefined || trouble.fix !== '' || place.section !== 'recent_actions') return undefined;
  const fix = `later ok: ${named(done)}`;
  if (isSameCode(code, failed)) return { ...trouble, fix: 'then ok' };
  if (!place.heading.startsWith('$ ')) return isSameResource(done, place.heading) ? { ...trouble, fix } : undefined;
  const isMissing = trouble.failure === 'exit 127' || MISSING.test(telling?.text ?? '');
  const ran = passedIn(done);
  const left = trouble.left ?? stepsIn(place.heading).filter(isLoud);
  const open = left.filter((step) => !ran.some((other) => covers(other, step) || (isMissing && isLike(other, step))));
  if (open.length === left.length) return undefined;
  return open.length === 0 ? { ...trouble, fix } : { ...trouble, left: open };
}

const MISSING =
  /command not found|\bno (?:such )?(?:task|script|command|target)\b|missing script|unknown (?:sub)?command|not recognized as/i;

function named(heading: string): string {
  const plain = heading.replace(/[()]/g, '');
  return plain.length > NAMED ? `${plain.slice(0, plain.lastIndexOf(' ', NAMED))} …` : plain;
}

const NAMED = 60;

/** The words of a call that runs code of its own, such as a cell of a notebook or `python -c`. */
export function codeOf({ action, base, call: { input } }: Act): ReadonlySet<string> {
  if (action.kind !== 'command') return new Set();
  const isCode = SNIPPET.test(base) || (isObject(input) && typeof input['code'] === 'string');
  return new Set(isCode ? action.command.slice(0, SCRIPT).match(/\w{3,}/g) : []);
}

const SNIPPET = /^(?:python[\d.]*|node|deno|bun|ruby|perl|php|psql|sqlite3)\b.{0,60}?(?: -(?:c|e|r)? | ?<<)/;
const SCRIPT = 4000;

/** Code that was mended says mostly the same. */
function isSameCode(done: ReadonlySet<string>, failed: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of failed) if (done.has(word)) shared += 1;
  return shared > 1 && shared * 2 >= Math.min(done.size, failed.size);
}

/** The same tool on what its first argument names, such as an order's id. */
function isSameResource(done: string, failed: string): boolean {
  const one = RESOURCE.exec(done)?.[0];
  return one !== undefined && one === RESOURCE.exec(failed)?.[0];
}

const RESOURCE = /^[\w.-]+ [^\s,]*[\d_#@][^\s,]*(?=,|$)/;

/** What surely went well where a line did: all that `&&` joins, else the last command alone. */
function passedIn(heading: string): readonly Step[] {
  const steps = stepsIn(heading);
  return (/;|\|\|/.test(heading) ? steps.slice(-1) : steps).filter(isLoud);
}

/** The commands of a failed line that may be what failed: not its tests, where those count no failure. */
export function suspectsIn(heading: string, verdict: Verdict): readonly Step[] | undefined {
  const steps = stepsIn(heading).filter(isLoud);
  const left = steps.filter(({ program, task }) => !TESTS.test(`${program} ${task}`));
  return verdict === 'green' && left.length > 0 && left.length < steps.length ? left : undefined;
}

const TESTS = /\b(?:tests?|jest|vitest|mocha|pytest|rspec|ctest)\b/;

/** The commands of a heading, apart. */
function stepsIn(heading: string): readonly Step[] {
  if (!heading.startsWith('$ ')) return [];
  const lines: string[][] = [[]];
  for (const [token] of heading.slice(2, LONGEST).replace(/ …$/, '').matchAll(TOKEN)) {
    if (/^(?:&&|\|\|?|;)$/.test(token)) lines.push([]);
    else lines.at(-1)?.push(token);
  }
  return lines.map(stepOf);
}

const LONGEST = 400;
// A quote that is never closed runs to the end.
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\|?|;|[^\s;&|"']+|["'].*$/g;
const QUIET = /^(?:cd|echo|sleep|export|set|true|pwd|cat|wc|sort|uniq|tee|)$/;
const isLoud = ({ program }: Step): boolean => !QUIET.test(program);

function stepOf(words: readonly string[]): Step {
  const own = words.join(' ').replace(WRAPPERS, '').split(' ');
  const program = own[0]?.split('/').at(-1) ?? '';
  const rest = own.slice(SCRIPTS.test(program) && own[1] === 'run' ? 2 : 1);
  const named = RUNNERS.test(program) && /^\w/.test(rest[0] ?? '') ? (rest[0] ?? '') : '';
  // What mends and then finds nothing more is the same check.
  const task = named.replace(/[:-](?:fix|write)$/, '');
  const args = rest.slice(named === '' ? 0 : 1).filter((arg) => arg !== '--' && !LOUD.test(arg));
  return { program, task, args };
}

const WRAPPERS =
  /^(?:(?:\w+=\S*|npx|bunx|rtk|time|sudo|command|timeout \S+|(?:pnpm|yarn|npm|bundle) exec|(?:uv|poetry) run|python3? -m) )+/;
const SCRIPTS = /^(?:npm|pnpm|yarn|bun|mise|deno|composer)$/;
const RUNNERS =
  /^(?:npm|pnpm|yarn|bun|mise|deno|composer|make|just|task|cargo|go|dotnet|mvn|gradlew?|docker|git|gh|rake)$/;
const LOUD =
  /^(?:-v+|-q|-s|--verbose|--quiet|--silent|-count=\d+|--no-color|--nocapture|-race|--no-edit|--fix|--write)$/;

/** A run of the same task on as much or more; of a tool, also the project's script for it. */
function covers(done: Step, failed: Step): boolean {
  if (done.program !== failed.program || done.task !== failed.task)
    return isFinish(done, failed) || (isScript(done) && !PROJECT.test(failed.program) && isLike(done, failed));
  if (failed.program === 'git' && FREE.test(failed.task)) return true;
  if (purposesOf(failed).length === 0) return done.args.join(' ') === failed.args.join(' ');
  return done.args.every((arg) => ALL.test(arg) || failed.args.some((other) => isWithin(other, arg)));
}

// What is committed or pushed is what there is, whatever the message says.
const FREE = /^(?:commit|push|pull|fetch|merge|rebase|stash|add|apply|cherry-pick)$/;
const ALL = /^(?:\.|\.\/\.\.\.|--all|--workspace|-A)$/;

function isWithin(path: string, folder: string): boolean {
  return path === folder || (folder.includes('/') && path.startsWith(folder.replace(/(?:\.\.\.|\*+)$/, '')));
}

/** A merge that stopped ends with a commit. */
function isFinish(done: Step, failed: Step): boolean {
  return `${done.program} ${done.task}` === 'git commit' && /^(?:merge|rebase|cherry-pick)$/.test(failed.task);
}

const isScript = ({ program, args }: Step): boolean => PROJECT.test(program) && args.length === 0;
// What they call is named by the project; two names are two things.
const PROJECT = /^(?:npm|pnpm|yarn|bun|mise|deno|composer|make|just|task|rake)$/;

function isLike(done: Step, failed: Step): boolean {
  const purposes = purposesOf(failed);
  return purposesOf(done).some((purpose) => purposes.includes(purpose));
}

/** What a check is for: types, style or behaviour. A project's `check` may be any. */
function purposesOf({ program, task }: Step): readonly RegExp[] {
  return PURPOSES.filter((purpose) => purpose.test(`${program} ${task}`));
}

const PURPOSES = [
  /\b(?:tsc|tsgo|mypy|pyright|vet|build|compile|typecheck|type-check|check-types|check)\b/,
  /\b(?:lint|eslint|biome|ruff|flake8|clippy|golangci-lint|check)\b/,
  // Where tests are compiled with the rest, they passed because it was.
  /\b(?:tests?|jest|vitest|mocha|pytest|rspec|ctest|check|(?:go|cargo) build)\b/,
];
