import type { Action } from '../facts/calls.ts';
import { isReader } from '../facts/outcome.ts';
import { stepsOf } from '../facts/shell.ts';
import { squeezed } from './clean.ts';

/** `check`: a test, a build, a linter. `deed`: a tool's change of something other than files. `lookup`: it only looks for something. */
export type Nature = 'change' | 'read' | 'check' | 'deed' | 'lookup' | 'run';

/** What a call does, as its tool's name and its command's words show it. */
export function natureOf(action: Action, tool: string, base: string): Nature {
  if (action.kind === 'files') return action.effects.some(({ status }) => status !== 'read') ? 'change' : 'read';
  if (action.kind !== 'command')
    return DEED.test(tool) && !OWN.test(tool) ? 'deed' : LOOKUP_TOOL.test(tool) ? 'lookup' : 'run';
  const line = bare(base);
  const isLooking = looksOnly(action.command);
  if (CHECK.test(saidOnly(line)) && !LOOKUP.test(line) && !PROBE.test(line) && !KEEPING.test(line)) return 'check';
  if (action.effects.some(({ status }) => status !== 'read')) return 'change';
  if (action.effects.length === 1 && READER.test(line) && isLooking) return 'read';
  return isLooking ? 'lookup' : 'run';
}

const CHECK =
  /\b(?:tests?|pytest|jest|vitest|mocha|rspec|ctest|phpunit|pest|unittest|ginkgo|tox|nox|bats|minitest|karma|prove|build(?!\/)|make|lint|check(?:-types)?|tsc|tsgo|compile|vet|golangci-lint|eslint|stylelint|rubocop|flake8|pylint|pyright|phpstan|ruff|mypy|biome|clippy|gradle|mvn)\b/;

/** A line without what may be called `test` and tests nothing: scripts in line, messages, and files of data. */
function saidOnly(line: string): string {
  if (!UNSAID_HINT.test(line)) return line;
  return line.replace(SCRIPT, '$1').replace(MESSAGE, '').replace(DOCUMENT, '$1').replace(DATA, '');
}

const UNSAID_HINT = /['"<]|\.\w/;
const SCRIPT =
  /(\b(?:(?:python[\d.]*|node|perl|ruby|php|bun|deno|psql)(?: -[\w-]+){0,4} (?:-\w*[cepr]|--eval|--print|eval)|awk|jq)(?: -[\w-]+){0,4})[ =](?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/g;
const MESSAGE = /(?<= )(?:-\w*m|--(?:message|title|body))[ =](?:"(?:[^"\\]|\\.)*"?|'[^']*'?)/g;
// A shell runs what stands there.
const DOCUMENT = /(?<!\b(?:sh|bash|zsh) (?:-\S+ )?)(<<-?) ?['"]?(\w{1,40})['"]?(?= )(?:(?! \2(?: |$)).)*/g;
const DATA =
  /(?<=^|[\s"'=:([])[^\s"'=:(]*\.(?:jsonl?|txt|md|csv|tsv|log|ya?ml|toml|xml|html?|lock|sql|png|svg|pdf)\b/gi;
// What is committed or moved may be called `test`.
const KEEPING = /^(?:git|gh|mkdir|cp|mv|rm|touch|chmod|curl) /;
const READER = /^(?:cat|nl|head|tail|sed) /;
const LOOKUP =
  /^(?:(?:grep|rg|ag|ls|fd|cat|nl|head|tail|wc|tree|pwd|which|type|echo|stat|file|printenv|sleep|command -v|\[|test -)(?![\w-])|find\b(?!.* -(?:delete|exec\w* (?!grep|cat|ls|head|wc|sed -n)))|sed\b(?! (?:-\w*i|--in-place))|env\b(?! \w+=)|git (?:status|log|diff|show|blame|ls-files|grep|rev-parse|worktree list|branch(?! (?:-[dDmMcC]|--delete))|remote(?! (?:add|rm|remove|rename|set)))\b|gh \w+ (?:view|list|diff|checks)\b)/;
// What is there, which version, how it stands: a no is an answer.
const PROBE = new RegExp(
  [
    String.raw`^[\w./-]+(?: [\w@./:-]+){0,3} (?:--version|--help|-V)$`,
    String.raw`^git (?:-C \S+ )?(?:cat-file|ls-tree|rev-list|describe|for-each-ref|reflog(?! (?:expire|delete))|show-branch|name-rev|count-objects|config --get\S*)(?= |$)`,
    String.raw`^(?:git|systemctl|service|supabase|bd|brew services|docker|podman)(?: [\w-]+){0,2} status(?= |$)`,
    String.raw`^(?:npm|pnpm|yarn|bun) (?:ls|list|root|bin|prefix|why)(?= |$)|^(?:uv )?pip3? (?:show|list|index|freeze)\b|^(?:dpkg -[sl]|apt list|brew (?:list|info)|gem list|go (?:env|list|version)|rustup (?:show|toolchain list))(?= |$)`,
    String.raw`^(?:docker|podman) (?:ps|images|inspect)\b|^kubectl (?:get|describe)\b|^(?:ps|lsof|ss|netstat|df|du|uname|id|whoami|date|hostname)(?= |$)`,
    String.raw`^(?:python[\d.]*|uv run python) -c (["'])import [\w., ]{1,80}(?:; ?print\([\w. ,]{0,80}\))?\1$`,
  ].join('|'),
);
// Of business: `update_order`, `mcp__shop__createRefund`.
const DEED =
  /(?:^|__|[.:])(?:create|update|delete|cancel|book|send|transfer|modify|return|exchange|add|remove|set|submit|issue|refund|pay|approve|assign|schedule|place|change|close|merge|publish|reserve)(?=[_A-Z-])/;
// What an agent notes of its own work changes nothing.
const OWN = /(?:^|_)(?:topic|title|status|progress|memory|thoughts?|intent|plan|todos?)$/i;
const LOOKUP_TOOL =
  /^(?:grep|glob|ls|find|search|list|web|fetch|think|resolve|report_intent)|search|_list|list_|resolve/i;

/** True for a command of which each step only looks for something: what others are piped into acts. */
function looksOnly(command: string): boolean {
  const steps = stepsOf(command).map((step) => bare(step.trim()));
  return steps.every(
    (step) => step === '' || LOOKUP.test(step) || PROBE.test(step) || FILTER.test(step) || isReader(step),
  );
}

// What goes through a script of one line is looked at with it.
const FILTER =
  /^(?:cd |set |export |(?:python3?|node|perl|ruby) -(?:\w*e|c|p|m json\.tool)\b|xargs (?:-\S+ )*(?:grep|cat|ls|wc|head)\b)/;

/** True for a command that does more than to look and to write files. */
export function runsMore(command: string): boolean {
  const steps = stepsOf(command).map((step) => bare(step.trim()));
  return !steps.every((step) => step === '' || FILING.test(step) || LOOKUP.test(step) || FILTER.test(step));
}

const FILING =
  /^(?:(?:rm|mv|cp|touch|tee|sed|cat|printf|mkdir|rmdir|chmod|ln|true|git (?:mv|rm|add|checkout|restore|apply))\b|>|#)/;

/** A command without what it is run through. */
function bare(command: string): string {
  return command.replace(WRAPPERS, '');
}

const WRAPPERS = /^(?:(?:[A-Za-z_]\w*=\S*|rtk|sudo|time|command(?! -v)|nice|timeout \S+) )+/;

/** A command without the directory it runs in and without what trims its output. */
export function baseOf(command: string): string {
  const line = squeezed(command.slice(0, 2000)).replace(/^(?:cd [^&;|]{1,200}(?:&&|;) ?)+/, '');
  return withoutViewers(
    line
      .replace(/(?<=^|&& |; )git -C (?:"[^"]{1,200}"|\S+) /g, 'git ')
      .replace(/ ?(?:2>&1|2>\/dev\/null|>\/dev\/null)/g, ''),
  ).trim();
}

/** A line without the ends of its pipelines that only trim what is seen. */
function withoutViewers(line: string): string {
  const kept: Piece[] = [];
  for (const piece of piecesOf(line).toReversed())
    if (piece.mark !== '|' || kept[0]?.mark === '|' || !VIEWER.test(piece.text)) kept.unshift(piece);
  return kept.map(({ mark, text }) => mark + text).join('');
}

// Nothing may run or be written behind it; `wc` and `uniq` make something else of it.
const VIEWER =
  /^\s*(?:head|tail|less|more|cat|grep|egrep|fgrep|rg|sed|awk|cut|tr|jq|column|nl|fold|python3? -m json\.tool)(?![\w-])(?:"[^"]*"|'[^']*'|[^"'<>])*$/;

/** A simple command, and what parts it from the one before it. */
type Piece = { readonly mark: string; text: string };

/** The simple commands of a line; what stands between quotes or in a here-document parts nothing. */
function piecesOf(line: string): readonly Piece[] {
  const pieces: Piece[] = [{ mark: '', text: '' }];
  for (const [token] of line.matchAll(TOKEN)) {
    const last = pieces.at(-1);
    if (MARK.test(token)) pieces.push({ mark: token, text: '' });
    else if (last !== undefined) last.text += token;
  }
  return pieces;
}

const TOKEN = /<<.*$|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\|\||&&|[|;&]|[^|;&\\"'<]+|./g;
const MARK = /^(?:\|\|?|&&|;)$/;
