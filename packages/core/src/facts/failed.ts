import { isObject, type Native } from '../formats/native.ts';

/** True for a command's output that ends, or in a few lines begins, with what a shell or a program says as it breaks off. */
export function breaksOff(text: string): boolean {
  const last = text.length > 2 * TAIL ? lastLine(text.slice(-TAIL)) || lastLine(text.slice(0, TAIL)) : lastLine(text);
  if (isBreak(last) || (text.length < SHORT && isBreak(firstLine(text)))) return true;
  const tail = text.slice(-TAIL);
  const usage = tail.search(USAGE);
  if (usage > 0 && isBreak(lastLine(tail.slice(0, usage)))) return true;
  return panics(tail) || (RAISED.test(last) && TRACE.test(tail)) || NODE_END.test(last);
}

/** True for a tool's answer that says in its own fields, its status line or the harness's words that nothing was done. */
export function refuses(text: string): boolean {
  const start = text.slice(0, SHORT).trimStart();
  if (DENIED.test(start)) return true;
  if (start.startsWith('HTTP/')) return isBadStatus(text);
  return start.startsWith('{') && text.length < LONGEST && TELLING.test(text) && isRefusal(text);
}

const SHORT = 600;
const TAIL = 3000;
const LONGEST = 20_000;

function firstLine(text: string): string {
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end).trim();
    if (tells(line)) return line;
    start = end < 0 ? text.length : end + 1;
  }
  return '';
}

function lastLine(text: string): string {
  for (let end = text.length; end > 0; ) {
    const start = text.lastIndexOf('\n', end - 1) + 1;
    const line = text.slice(start, end).trim();
    if (tells(line)) return line;
    end = start - 1;
  }
  return '';
}

const tells = (line: string): boolean => line !== '' && !HINT.test(line);

// What git, npm and others advise below what went wrong.
const HINT =
  /^(?:(?:[Hh]int|[Tt]ip|[Nn]ote|[Hh]elp|[Uu]sage): |Please make sure you have the correct access rights|and the repository exists\.|See ['"`]|Try ['"`]|Run ['"`]|For more (?:details|help|information))/;

// How a program is called, which some explain at length behind what went wrong.
const USAGE = /^[Uu](?:sage|SAGE):/m;

function isBreak(line: string): boolean {
  return line.length < WIDEST && BREAKS.some((words) => words.test(line));
}

function joined(patterns: readonly RegExp[], flags = ''): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), flags);
}

const WIDEST = 1000;
// Joined, since each one asked alone of thousands of lines costs more than the line.
const BREAKS: readonly RegExp[] = [
  joined(
    [
      /^(?:\S*\/)?(?:ba|z|da|k|a|fi)?sh: ?(?:(?:line )?\d+: ?)?.*(?:not found|unknown command|no such file|denied|cannot execute|is a directory|(?:syntax|parse) error|no matches found|bad substitution|format error)/i,
      /^(?:the )?(?:command|process|execution|operation)\b.{0,80}\b(?:timed out|was (?:killed|terminated|aborted))/i,
    ],
    'i',
  ),
  joined([
    // A program's name, or a place in a file, and what the system said.
    /^[\w./+-]+: .*(?:No such file or directory|Permission denied|Operation not permitted|Is a directory|Not a directory|File exists|Directory not empty|command not found|No space left on device|Read-only file system|Connection refused|Connection timed out|Operation timed out)\W{0,2}$/,
    /^(?:[\w./+-]+: )?(?:fatal error|[Ff]atal|FATAL|[Ee]rror)(?:\[\w+\])?: (?!\W{0,2}(?:none|null|nil|no errors?|0)\b)\S/,
    /^(?:\S+: (?:line \d+: +)?\d+ )?(?:Segmentation fault|Bus error|Aborted|Killed|Terminated|Illegal instruction|Floating point exception|Trace\/BPT trap)(?:: \d+)?(?: \(core dumped\))?(?: {2,}.*)?$/,
    /^(?:curl: \(\d+\) |ssh: |kex_exchange|Host key verification failed|(?:docker: )?Error response from daemon|timeout: |make(?:\[\d+\])?: \*\*\* |npm (?:ERR!|error) |ELIFECYCLE|BUILD FAIL|FAILURE: )/,
    // What git stops at without saying error, and what a hook of it says.
    /^(?:Automatic merge failed; fix |Merge with strategy \S+ failed\.|Could not apply [0-9a-f]{7,40}\b|Patch failed at \d|The stash entry is kept in case you need it again|Aborting\.?$|husky - .{0,80}(?:exited with code [1-9]|script failed))/,
  ]),
  /\bis not recognized as (?:an internal|the name)/,
];
const PANIC =
  /^(?:thread '[^'\n]{0,80}' )?(?:\(\d+\) )?panicked at \S|^panic: |^Exception in thread "|^(?:Unhandled|Uncaught) \w*(?:Error|Exception|Rejection)/m;
// Nearly no text has one of these words, which are sought several times faster.
const PANICS = ['panic', 'Exception in thread "', 'Unhandled ', 'Uncaught '] as const;
const panics = (tail: string): boolean => PANICS.some((words) => tail.includes(words)) && PANIC.test(tail);
const TRACE = /^\s*Traceback \(most recent call last\):/m;
const RAISED = /^[\w.]*(?:Error|Exception|Interrupt)\b/;
const NODE_END = /^Node\.js v\d+\.\d+\.\d+$/;
const DENIED = /^(?:<\w*error>)?permission to use \S+ .{0,300}\bdenied/i;

/** The last of several, where one led on to another. */
function isBadStatus(text: string): boolean {
  const statuses = [...text.slice(0, LONGEST).matchAll(STATUS)];
  return /^[45]/.test(statuses.at(-1)?.[1] ?? '');
}

const STATUS = /^HTTP\/[\d.]+ (\d{3})\b/gm;

// The names below, or escapes that may spell one: an answer without them need not be parsed.
const TELLING = /"(?:status|succe|ok"|err|is_?[eE]rr)|\\u/;

function isRefusal(text: string): boolean {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return false;
  }
  return isObject(value) && (isDenying(value) || isErring(value));
}

function isDenying(answer: Native): boolean {
  const status = answer['status'] ?? answer['statusCode'] ?? answer['status_code'];
  if (typeof status === 'number') return status >= 400 && status < 600;
  return DONE.some((name) => answer[name] === false) || /^(?:error|fail(?:ed|ure)|rejected)$/i.test(String(status));
}

/** An error beside what was asked for is a note on it. */
function isErring(answer: Native): boolean {
  const isAnswered = GIVEN.some((name) => isFilled(answer[name]));
  return !isAnswered && ERRORS.some((name) => isFilled(answer[name]));
}

const DONE = ['success', 'succeeded', 'ok'] as const;
const ERRORS = ['error', 'errors', 'isError', 'is_error', 'errorCode', 'error_code'] as const;
const GIVEN = ['data', 'result', 'results', 'output', 'stdout', 'content'] as const;

function isFilled(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isObject(value)) return Object.keys(value).length > 0;
  if (typeof value === 'string') return !/^\W*(?:none|null|false|no error|ok|0)?\W*$/i.test(value);
  return value === true;
}
