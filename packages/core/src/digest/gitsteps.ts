import type { Step } from './heading.ts';

/** Options of `git` that have a value behind them: of the rest, what follows is what the command is about. */
export const GIT_VALUED: RegExp =
  /^(?:-[a-z]*m|-[FX]|--(?:message|file|author|date|strategy|strategy-option|onto|template|cleanup))$/;

/** Whether a `git` command that went well asked for all that one that failed asked for, however it was called. */
export function coversGit(done: Step, failed: Step): boolean {
  if (endsIt(done, failed)) return true;
  if (done.task !== failed.task || !isSameList(meaningOf(done), meaningOf(failed))) return false;
  switch (failed.task) {
    case 'commit':
      // What is committed is what there is, whatever the message says.
      return isFrom(failed) || isFrom(done) || failed.args.every((path) => isAmong(path, done.args));
    case 'push':
    case 'pull':
    case 'fetch':
      return isSameRemote(done, failed);
    case 'add':
      return isAll(done) || (!isAll(failed) && failed.args.every((path) => isAmong(path, done.args)));
    case 'stash':
      return isSameList(stashed(done), stashed(failed));
    default:
      return isSameList(done.args, failed.args);
  }
}

/** What stopped in its middle ends with a commit, or by being gone on with; what was given up has not been done. */
function endsIt(done: Step, failed: Step): boolean {
  if (!/^(?:merge|rebase|cherry-pick|revert|am|pull)$/.test(failed.task)) return false;
  if (done.task === 'commit') return failed.task !== 'pull' && meaningOf(done).length === 0;
  const isOfPull = failed.task === 'pull' && /^(?:merge|rebase)$/.test(done.task);
  return (done.task === failed.task || isOfPull) && done.options.includes('--continue');
}

/** Options that ask for something else, as against those that tell how to do it. */
const meaningOf = ({ task, options }: Step): readonly string[] =>
  options.filter((option) => MEANING.test(option) && !(option === '-n' && HOOKLESS.test(task))).toSorted();
// There it leaves out hooks or a summary; elsewhere it only shows what would be done.
const HOOKLESS = /^(?:commit|merge|pull|rebase)$/;
const MEANING =
  /^(?:--(?:abort|quit|skip|continue|dry-run|check|stat|numstat|summary|tags|delete|mirror|prune|allow-empty|amend|squash|onto|root|cached|index|reverse|no-commit|show-current-patch|edit-todo|patch|intent-to-add|refresh)|-[dnRp])(?:=|$)/;

const isSameList = (one: readonly string[], other: readonly string[]): boolean => one.join('\n') === other.join('\n');

/** A message in a file is no path that is committed. */
const isFrom = ({ options }: Step): boolean => options.some((option) => /^(?:-F|--file)(?:=|$)/.test(option));
const isAll = ({ args, options }: Step): boolean =>
  args.includes('.') || args.includes(':/') || options.some((option) => /^(?:-A|--all)$/.test(option));

function isAmong(path: string, paths: readonly string[]): boolean {
  return (
    paths.length === 0 || paths.some((other) => other === path || path.startsWith(`${other.replace(/\/+$/, '')}/`))
  );
}

/** A call without names asks for the current branch at its usual place, which one with names spells out. */
function isSameRemote(done: Step, failed: Step): boolean {
  const [remote = USUAL, ...refs] = failed.args;
  const [other = USUAL, ...others] = done.args;
  const isWhole = done.options.includes('--all');
  if ((remote !== other && !isWhole) || (failed.options.includes('--all') && !isWhole)) return false;
  if (isWhole || (done.task === 'fetch' && others.length === 0)) return true;
  const targets = new Set(others.map(targetOf));
  return refs.every((ref) => targets.has(targetOf(ref)));
}

const USUAL = 'origin';
const targetOf = (ref: string): string => (ref.split(':').at(-1) ?? ref).replace(/^\+?(?:refs\/heads\/)?/, '');

/** What is put away or brought back: `pop` also drops what `apply` keeps. */
function stashed({ args }: Step): readonly string[] {
  const [verb = 'push', ...rest] = args;
  // What stands behind it is a message.
  if (verb === 'save') return ['push'];
  return verb === 'pop' ? ['apply', ...rest] : [verb, ...rest];
}
