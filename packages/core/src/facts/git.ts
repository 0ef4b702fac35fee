/** What a `git` command sets back: files, or all below a directory; or what it puts back again. */
export type SetBack = {
  readonly status: 'taken back' | 'given back' | 'changed';
  /** `.` stands for all there is. */
  readonly paths: readonly string[];
};

/** Reads the words behind `git`: `checkout -- a.ts`, `restore src`, `reset --hard`, `stash`. */
export function setBackBy(words: readonly string[]): SetBack | undefined {
  const [name, ...rest] = words;
  switch (name) {
    case 'checkout':
      return checkedOut(rest);
    case 'restore':
      return restored(rest);
    case 'reset':
      return rest.includes('--hard') ? { status: 'taken back', paths: ['.'] } : undefined;
    case 'stash':
      return stashed(rest);
    default:
      return undefined;
  }
}

const plain = (words: readonly string[]): readonly string[] => words.filter((word) => !word.startsWith('-'));

/** A branch has no ending; what comes from another commit or one side of a merge is no longer what was written either. */
function checkedOut(rest: readonly string[]): SetBack | undefined {
  if (rest.some((word) => /^(?:-[bB]|--orphan|--detach)$/.test(word))) return undefined;
  const status = rest.some((word) => /^--(?:ours|theirs|merge)$/.test(word)) ? 'changed' : 'taken back';
  const dashes = rest.indexOf('--');
  const paths = dashes < 0 ? plain(rest).filter((word) => NAMED.test(word)) : rest.slice(dashes + 1);
  return paths.length === 0 ? undefined : { status, paths };
}

const NAMED = /^\.{1,2}\/?$|^\.{0,2}\/.|\.[a-z]\w{0,7}$/i;

function restored(rest: readonly string[]): SetBack | undefined {
  const isStaged = rest.some((word) => /^(?:--staged|-S)$/.test(word));
  if (isStaged && !rest.some((word) => /^(?:--worktree|-W)$/.test(word))) return undefined;
  const isOther = rest.some((word) => /^(?:--source|-s$|--ours|--theirs)/.test(word));
  const dashes = rest.indexOf('--');
  const from = rest.findIndex((word) => /^(?:-s|--source)$/.test(word));
  const paths = dashes < 0 ? plain(rest.filter((_word, at) => from < 0 || at !== from + 1)) : rest.slice(dashes + 1);
  return paths.length === 0 ? undefined : { status: isOther ? 'changed' : 'taken back', paths };
}

function stashed(rest: readonly string[]): SetBack | undefined {
  const [verb = 'push'] = plain(rest);
  if (/^(?:pop|apply)$/.test(verb)) return { status: 'given back', paths: ['.'] };
  if (!/^(?:push|save)$/.test(verb)) return undefined;
  const dashes = rest.indexOf('--');
  return { status: 'taken back', paths: dashes < 0 ? ['.'] : rest.slice(dashes + 1) };
}
