/**
 * True where a command that comes behind the deletion of a path may well have made it anew: then nobody knows that it is gone. Only
 * what builds, installs and runs evidently make comes back by itself; anything else stays away until something names it.
 */
export function remakes(step: string, path: string): boolean {
  const words = step.trim().replace(WRAPPERS, '');
  if (MAKING.test(words) && names(words, path)) return true;
  if (words === '' || QUIET.test(words)) return false;
  if (LOCK.test(path)) return INSTALLING.test(words);
  if (GENERATED.test(path)) return true;
  if (COMPILING.test(words) && BARE.test(path)) return true;
  return !CHECK.test(words) && (GENERATING.test(words) || (BUILDING.test(words) && ARTEFACT.test(path)));
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
  /^(?:cd|rm|mv|cp|touch|tee|sed|cat|nl|head|tail|ls|grep|rg|ag|fd|find|echo|printf|git|gh|mkdir|rmdir|unlink|trash|chmod|chown|ln|true|test|\[|export|set|wc|which|pwd|sleep|diff|sort|uniq|awk|kill|pkill|stat|file|tree|du|df|type|exit|then|fi|do|done|else|if|for|#|})(?![\w-])/;
const LOCK = /(?:^|\/)(?:[\w.-]*lock(?:\.\w+|file)?|package-lock\.json|[\w.-]+\.lock|go\.sum)$/;
const INSTALLING =
  /\b(?:install|ci|add|update|upgrade|sync|lock|get|tidy|require|restore)\b|^(?:npm|pnpm) i\b|^(?:yarn|bundle|cargo|go|uv)\b/;
const GENERATED =
  /(?:^|\/)(?:dist|build|out|output|target|coverage|node_modules|vendor|bin|obj|tmp|temp|logs?|__pycache__|\.?(?:cache|next|nuxt|turbo|venv|pytest_cache|mypy_cache|ruff_cache|parcel-cache|svelte-kit)|[\w.-]+\.(?:log|db|sqlite3?|tsbuildinfo|snap|map|o|pyc|class|min\.\w+))\/?$|(?:^|\/)(?:dist|build|out|target|coverage|node_modules)\//;
const BUILDING = /\b(?:build|bundle|compile|make|package|pack|publish|prepare|export|render|docs?)\b/;
const ARTEFACT =
  /\.(?:wasm|so|dll|dylib|exe|a|jar|war|whl|tgz|tar\.gz|zip|vsix|pdf|aux|d\.[cm]?ts|pb\.\w+)$|[._-](?:gen|generated|bundle)\.\w+$|_pb2(?:_grpc)?\.pyi?$|(?:^|\/)(?:_?site|public|lib|types|generated|\.output)\/?$/;
// A program without an ending, where a compiler runs.
const COMPILING = /^(?:make|cmake|ninja|gcc|g\+\+|cc|clang(?:\+\+)?|rustc|zig|go build|cargo build)(?![\w-])/;
const BARE = /^(?:\.\/)?[\w-]+$/;
const CHECK =
  /\b(?:tests?|pytest|jest|vitest|mocha|rspec|lint|eslint|biome|tsc|typecheck|check|ruff|mypy|clippy|vet)\b/;
const GENERATING =
  /(?<![a-z])(?:(?:re|code)?gen(?:erate[ds]?|erator|erating)?|scaffold\w*|create[sd]?|init|new|seed(?:s|ing)?|migrat\w+|copy|sync|fetch|download\w*)(?![a-z])|^wget\b|^curl\b.* -\w*[oO]/i;
