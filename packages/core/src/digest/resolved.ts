import type { Verdict } from '../facts/verdict.ts';
import { isObject } from '../formats/native.ts';
import type { Act } from './acts.ts';
import { correctedBy, type Given } from './asked.ts';
import { headedDirectory, isElsewhere } from './directories.ts';
import type { Draft } from './drafts.ts';
import { coversGit, GIT_VALUED } from './gitsteps.ts';
import type { Step, Trouble } from './heading.ts';

/** A call that went well: under which heading, the words of its code, the tests it counted, and where it says it ran. */
export type Settling = {
  readonly heading: string;
  readonly code: ReadonlySet<string>;
  readonly tests: number;
  readonly directory: string;
  readonly given: Given;
};

/** What is left of an open failure once another call went well: `undefined` where that call has nothing to do with it. */
export function settledBy(
  done: Settling,
  { place, trouble, telling, code: failed, given }: Draft,
): Trouble | undefined {
  if (trouble === undefined || trouble.fix !== '' || place.section !== 'recent_actions') return undefined;
  const { heading } = done;
  const fix = `later ok: ${named(heading)}`;
  if (isSameCode(done.code, failed)) return { ...trouble, fix: 'then ok' };
  if (!place.heading.startsWith('$ ')) {
    const call = correctedBy(done, { heading: place.heading, given, telling: telling?.text ?? '' });
    return call === undefined ? undefined : { ...trouble, fix: `later ok: ${call}` };
  }
  if (isElsewhere(done.directory, trouble.directory ?? headedDirectory(place.heading))) return undefined;
  const isMissing = trouble.failure === 'exit 127' || MISSING.test(telling?.text ?? '');
  const ran = passedIn(heading);
  const left = trouble.left ?? stepsIn(place.heading).filter(isLoud);
  const isSettled = (step: Step): boolean =>
    ran.some(
      (other) =>
        covers(other, step) ||
        (isMissing && isLike(other, step)) ||
        isSameSuite({ step: other, tests: done.tests }, { step, tests: trouble.tests ?? 0 }),
    );
  const open = left.filter((step) => !isSettled(step));
  if (open.length === left.length) return undefined;
  return open.length === 0 ? { ...trouble, fix } : { ...trouble, left: open };
}

type Counted = { readonly step: Step; readonly tests: number };

/** True where a run of all tests counts about as many as one that failed: the same ones, called otherwise. */
function isSameSuite(done: Counted, failed: Counted): boolean {
  if (failed.tests < FEW || done.tests < failed.tests || done.tests > failed.tests * GROWN) return false;
  if (done.step.args.length > 0 || done.step.options.length > 0 || !isTest(done.step) || !isTest(failed.step))
    return false;
  const [one, other] = [suiteOf(done.step), suiteOf(failed.step)];
  return other === '' || one === other;
}

// Of a handful as many may be others.
const FEW = 5;
const GROWN = 1.2;
const isTest = ({ program, task }: Step): boolean => TESTS.test(`${program} ${task}`);
const suiteOf = ({ program, task }: Step): string =>
  /\b(?:e2e|integration|acceptance|smoke|browser|playwright|cypress)\b/.exec(`${program} ${task}`)?.[0] ?? '';

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
    const words = lines.at(-1) ?? [];
    if (/^(?:&&|\|\|?|;)$/.test(token)) lines.push([]);
    // `--grep="a b"` is one word.
    else if (/^-.*=$/.test(words.at(-1) ?? '')) words.push(`${words.pop() ?? ''}${token}`);
    else words.push(token);
  }
  return lines.map(stepOf);
}

const LONGEST = 400;
// A quote that is never closed runs to the end.
const TOKEN = /"(?:[^"\\]|\\.)*"|'[^']*'|&&|\|\|?|;|[^\s;&|"']+|["'].*$/g;
const QUIET = /^(?:cd|echo|sleep|export|set|true|pwd|cat|wc|sort|uniq|tee|)$/;
const isLoud = ({ program }: Step): boolean => !QUIET.test(program);

function stepOf(words: readonly string[]): Step {
  const own = words.join(' ').replace(WRAPPERS, '').match(WORD) ?? [];
  const program = own[0]?.split('/').at(-1) ?? '';
  const isRun = (SCRIPTS.test(program) || program === 'vitest') && own[1] === 'run';
  const rest = own.slice(isRun ? 2 : 1);
  const named = RUNNERS.test(program) && /^\w/.test(rest[0] ?? '') ? (rest[0] ?? '') : '';
  // What mends and then finds nothing more is the same check.
  const task = named.replace(/[:-](?:fix|write)$/, '');
  const takes = program === 'git' ? isGitValue : isValue;
  return { program, task, ...argumentsOf(rest.slice(named === '' ? 0 : 1), takes) };
}

const WORD = /(?:[^\s"']|"(?:[^"\\]|\\.)*"|'[^']*'|["'](?=[^"']*$))+/g;

/** Options apart from what a command is about; a word behind an option that is no path is its value. */
function argumentsOf(
  words: readonly string[],
  takes: (option: string, next: string) => boolean,
): Pick<Step, 'options' | 'args'> {
  const options: string[] = [];
  const args: string[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    if (word === '--') continue;
    if (!/^-./.test(word)) args.push(word);
    else if (LOUD.test(word)) at += VALUED.test(word) && /^\w/.test(next) ? 1 : 0;
    else if (takes(word, next)) {
      options.push(`${word}=${next}`);
      at += 1;
    } else options.push(word);
  }
  return { options, args };
}

function isValue(option: string, next: string): boolean {
  if (option.includes('=') || next === '' || next.startsWith('-')) return false;
  return FILTER.test(option) || /^["']|^[^/.]+$/.test(next);
}

const isGitValue = (option: string, next: string): boolean => next !== '' && GIT_VALUED.test(option);

const WRAPPERS =
  /^(?:(?:\w+=\S*|npx|bunx|rtk|time|sudo|command|timeout \S+|(?:pnpm|yarn|npm|bundle) exec|(?:uv|poetry) run|python3? -m) )+/;
const SCRIPTS = /^(?:npm|pnpm|yarn|bun|mise|deno|composer)$/;
const RUNNERS =
  /^(?:npm|pnpm|yarn|bun|mise|deno|composer|make|just|task|cargo|go|dotnet|mvn|gradlew?|docker|git|gh|rake)$/;
const LOUD =
  /^(?:-v+|-q|-s|-x|--verbose|--quiet|--silent|-count=\d+|--no-color|--color|--nocapture|-race|--no-edit|--fix|--write|--run|--bail(?:=\d+)?|--maxfail(?:=\d+)?|--tb(?:=\w+)?|--reporter(?:=.*)?|--coverage|--no-coverage|--runInBand|--watch=false|--no-watch)$/;
const VALUED = /^--(?:reporter|tb|maxfail)$/;
// They pick tests by their names, joined by `|` or `or`.
const FILTER = /^(?:--grep|-g|-k|-t|--testNamePattern|--test-name-pattern|-run|--run)$/;

/** A run of the same task on as much or more; of a tool, also the project's script for it. */
function covers(done: Step, failed: Step): boolean {
  if (done.program === 'git' && failed.program === 'git') return coversGit(done, failed);
  if (done.program !== failed.program || done.task !== failed.task)
    return isScript(done) && !PROJECT.test(failed.program) && isLike(done, failed);
  if (TARGETED.test(failed.program)) return failed.args.length > 1 && done.args.at(-1) === failed.args.at(-1);
  if (purposesOf(failed).length === 0) return isSame(done, failed);
  return (
    isAllOf(done, failed) &&
    failed.options.every((option) => !OTHERWISE.test(option) || done.options.includes(option)) &&
    done.options.every((option) => failed.options.some((other) => isWider(option, other)))
  );
}

// With them it is another build, or a stricter check: what goes well without them says nothing of it.
const OTHERWISE =
  /^(?:--(?:release|profile|features|all-features|no-default-features|all-targets|workspace|all|target|prod|production|mode|env|environment|configuration|config|tags|strict|max-warnings|select|locked|frozen\S*|platform|deny)|-(?:tags|[cDPW]))(?:=|$)/;

const isSame = (one: Step, other: Step): boolean =>
  one.args.join(' ') === other.args.join(' ') && one.options.join(' ') === other.options.join(' ');

// From wherever it came, in the end it is there.
const TARGETED = /^(?:cp|mv|ln)$/;

/** True where a run is about all that one that failed was about. */
function isAllOf({ args }: Step, failed: Step): boolean {
  if (args.length === 0 || args.some((arg) => ALL.test(arg))) return true;
  return failed.args.length > 0 && failed.args.every((arg) => args.some((folder) => isWithin(arg, folder)));
}

/** True for an option that leaves out no more than another one did. */
function isWider(option: string, failed: string): boolean {
  if (option === failed || failed.startsWith(`${option}=`) || ALL.test(option)) return true;
  const [name = '', value = ''] = parted(option);
  const [other = '', less = ''] = parted(failed);
  if (name !== other || !FILTER.test(name) || !PICKED.test(value) || !PICKED.test(less)) return false;
  const picked = new Set(value.split(EITHER));
  return less.split(EITHER).every((one) => picked.has(one));
}

const parted = (option: string): readonly string[] => {
  const at = option.indexOf('=');
  return at < 0 ? [option] : [option.slice(0, at), option.slice(at + 1).replace(/^["']|["']$/g, '')];
};
const EITHER = /\s*\|\s*| or /;
// Not what leaves out or stands for something else.
const PICKED = /^(?!.*\b(?:not|and)\b)[^()[\]\\^$*+?{}!~]+$/;

const ALL = /^(?:\.|\.\/\.\.\.|--all|--workspace|-A)$/;

function isWithin(path: string, folder: string): boolean {
  return path === folder || (folder.includes('/') && path.startsWith(folder.replace(/(?:\.\.\.|\*+)$/, '')));
}

const isScript = ({ program, args, options }: Step): boolean =>
  PROJECT.test(program) && args.length === 0 && options.length === 0;
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
