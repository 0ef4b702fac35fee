/** True where a command that comes behind the deletion of a path may well have made it anew: then nobody knows that it is gone. */
export function remakes(step: string, path: string): boolean {
  const words = step.trim().replace(WRAPPERS, '');
  if (MAKING.test(words) && names(words, path)) return true;
  if (words === '' || QUIET.test(words)) return false;
  if (GENERATED.test(path)) return true;
  if (CHECK.test(words)) return false;
  return SOURCE.test(path) ? GENERATING.test(words) : true;
}

const WRAPPERS = /^(?:(?:[A-Za-z_]\w*=\S*|sudo|time|command|\() ?)+/;
const MAKING = /^(?:mkdir|touch|cp|mv|tee|ln|git (?:clone|init|worktree|checkout|restore|stash|reset|pull|merge))\b|>/;

/** A command names a path, or what is below it; `git` may bring back what it does not name. */
function names(words: string, path: string): boolean {
  const bare = path.replace(/\/$/, '');
  return (
    words.includes(bare) || (/^git (?:checkout|restore|stash|reset|pull|merge)/.test(words) && !words.includes(' -- '))
  );
}

// These make no files but those they name.
const QUIET =
  /^(?:cd|rm|mv|cp|touch|tee|sed|cat|nl|head|tail|ls|grep|rg|ag|fd|find|echo|printf|git|gh|mkdir|rmdir|chmod|chown|ln|true|test|\[|export|set|wc|which|pwd|sleep|diff|sort|uniq|awk|kill|pkill|stat|file|tree|du|df|type|exit|then|fi|do|done|else|if|for|#|})(?![\w-])/;
const GENERATED =
  /(?:^|\/)(?:dist|build|out|output|target|coverage|node_modules|vendor|bin|obj|tmp|temp|logs?|__pycache__|\.?(?:cache|next|nuxt|turbo|venv|pytest_cache|mypy_cache|ruff_cache|parcel-cache|svelte-kit)|[\w.-]*lock(?:\.\w+|file)?|package-lock\.json|[\w.-]+\.(?:lock|log|db|sqlite3?|tsbuildinfo|snap|map|o|pyc|class|min\.\w+))\/?$|(?:^|\/)(?:dist|build|out|target|coverage|node_modules|tmp)\//;
const CHECK =
  /\b(?:tests?|pytest|jest|vitest|mocha|rspec|lint|eslint|biome|tsc|typecheck|check|ruff|mypy|clippy|vet)\b/;
const SOURCE =
  /\.(?:[cm]?[jt]sx?|py|go|rs|rb|java|kt|swift|c|cc|cpp|h|hpp|cs|php|vue|svelte|s?css|html?|md|sh|sql|scala|ex|exs)$/;
const GENERATING = /gen|scaffold|creat|init|\bnew\b|seed|migrat|copy|sync|fetch|download|curl|wget/i;
