import { breaksOff, refuses } from './failed.ts';
import { rejectsEdit } from './rejected.ts';
import { isOwnTool, type Stop, stopOf, wholeStopOf } from './stopped.ts';
import { verdictOf } from './verdict.ts';

/** A call's result. `isForeign`: others than the harness and this machine may have written it. */
type Result = { readonly text: string; readonly isError?: boolean; readonly isForeign?: boolean };

/**
 * `reader`: a command that prints what others wrote; `viewer`: a tool that does; `editor`: a tool that changes files, whose result
 * the harness writes. Only commands have exit codes.
 */
export type Caller = 'command' | 'reader' | 'tool' | 'viewer' | 'editor';

/** How a result says that its call failed, such as `exit 1`; `''` where it does not. */
export function failureOf(result: Result, caller: Caller): string {
  const { text, isError } = result;
  if (isUnrun(text)) return '';
  const stop = stopIn(result, caller);
  if (stop !== undefined) return stop.status;
  const isCommand = caller === 'command' || caller === 'reader';
  const exit = isCommand ? exitOf(text) : undefined;
  if (exit !== undefined && !(exit.isSaid && caller === 'reader')) return exit.code === '0' ? '' : `exit ${exit.code}`;
  return isError === true || isFailed(text, caller) ? 'failed' : '';
}

/**
 * How the user kept a call from being carried out. Only a harness can tell that: it marks it as an error, it stands in place of a
 * change of files, or its words are all there is. What a command prints beside other things, what it shows of a file, or what a
 * server answers, is nobody's word but its own.
 */
export function stopIn({ text, isError = false, isForeign = false }: Result, caller: Caller): Stop | undefined {
  if (isForeign) return undefined;
  if (isError || caller === 'editor') return wholeStopOf(text) ?? stopOf(text);
  return caller === 'reader' || caller === 'viewer' ? undefined : wholeStopOf(text);
}

/** True for what only its own words tell. */
function isFailed(text: string, caller: Caller): boolean {
  switch (caller) {
    case 'reader':
      return false;
    case 'viewer':
      return startsFailed(text);
    case 'editor':
      return startsFailed(text) || refuses(text) || stopOf(text) !== undefined || rejectsEdit(text);
    case 'tool':
      return startsFailed(text) || refuses(text) || stopOf(text) !== undefined;
    case 'command':
      return looksFailed(text) || stopOf(text) !== undefined;
    default:
      return caller satisfies never;
  }
}

/** How a result says that a command ended, such as `exit 0`; `''` where it does not. `isSaid`: only the output itself says so. */
export function endOf(result: Result & { readonly tool?: string }): {
  readonly status: string;
  readonly isSaid: boolean;
} {
  const { text, isError, tool = '' } = result;
  const whole = wholeStopOf(text);
  const stop = whole ?? stopOf(text);
  if (stop !== undefined) {
    const isTold = isOwnTool(tool) && (isError === true || whole !== undefined);
    return { status: isTold ? stop.status : 'failed', isSaid: isError !== true };
  }
  const exit = exitOf(text);
  if (exit !== undefined) return { status: `exit ${exit.code}`, isSaid: exit.isSaid };
  if (isError === true && !isUnrun(text)) return { status: 'failed', isSaid: false };
  return { status: looksFailed(text) ? 'failed' : '', isSaid: true };
}

/** True for a command that prints what others wrote: what stands there of an end is not its own. */
export function isReader(command: string): boolean {
  const steps = command
    .slice(0, 400)
    .replace(QUOTED, '')
    .split(/\|+|&&|;|\n/);
  return steps.every((step) => READER.test(step));
}

const QUOTED = /"[^"\n]*"|'[^'\n]*'/g;
const READER =
  /^\s*(?:sudo )?(?:(?:cd|cat|zcat|tail|head|less|more|nl|sed|awk|grep|rg|sort|uniq|wc|cut|tr|jq|journalctl|dmesg|echo|git (?:log|show|diff)|gh run view|(?:kubectl|oc|docker|podman|heroku|fly|vercel|docker-compose|nomad|stern)\b.*\blogs?)\b|$)/;
/** True where a harness stopped a call for another one's sake: it did nothing. */
export function isUnrun(text: string): boolean {
  return UNRUN.test(text);
}

const UNRUN = /^\W{0,3}(?:<\w{1,30}>)?(?:sibling tool call errored|cancelled: parallel tool call)/i;

function looksFailed(text: string): boolean {
  return startsFailed(text) || ((breaksOff(text) || refuses(text)) && verdictOf(text) !== 'green');
}

function startsFailed(text: string): boolean {
  const start = text.slice(0, HEAD);
  const isTold = FAILED.test(start) || (text.length < SHORT && FAILED_SHORTLY.test(start));
  return isTold && verdictOf(text) !== 'green';
}

type Exit = { readonly code: string; readonly isSaid: boolean };

/** The exit code that stands at the start or the end of a command's result. */
function exitOf(text: string): Exit | undefined {
  if (text.length <= 2 * HEAD) return exitIn(text);
  return exitIn(text.slice(0, HEAD)) ?? exitIn(text.slice(-HEAD));
}

// Most results say nothing of the kind, which is seen sooner.
function exitIn(text: string): Exit | undefined {
  const match = SOME_EXIT.test(text) ? EXIT.exec(text) : null;
  return match === null ? undefined : { code: match[1] ?? '', isSaid: match.index > 0 && BARE.test(match[0]) };
}

const SOME_EXIT = /exit|return[ _]?code/i;
const HEAD = 300;
const SHORT = 600;
// A line of its own, a field, or what is left of an error behind its hints: prose that mentions an exit code is none.
const EXIT =
  /(?:^(?:[ \t]*: )?|[[({<,"]|failed with )[ \t]*(?:(?:the )?(?:command|process)[ \w]{0,30} )?(?:exit(?:ed)?(?:[ _-]?with)?(?:[ _-]?(?:code|status))*|return[ _]?code)"?>?[ \t]*[:=]?[ \t]*(-?\d{1,3})(?=[\])}>",.;:<]|[ \t]*$)/im;
// What programs print of themselves or of others, as against what a harness adds.
const BARE = /^[ \t]*(?:: )?exit(?:ed)?(?: with)?(?: (?:code|status))*[ \t]*:?[ \t]*\d+$/i;
const FAILED =
  /^\s*(?:<\w*error\w*>|(?:[\w.]*(?:error|exception)|fatal|panic|failed|failure)(?:\[\w+\])?:\s|traceback \(most recent|apply_patch verification failed)/i;
const FAILED_SHORTLY =
  /^\s*(?:failed to|cannot|could not|unable to|no such file|permission denied|your proposed edit)\b/i;

/** The lines of a result that tell what went wrong, in order: an exception's last line, a compiler's, a test runner's. */
export function tellingLines(text: string): readonly string[] {
  const lines: string[] = [];
  for (const raw of text.slice(0, LONGEST).split('\n')) {
    const line = raw.length > WIDEST ? raw.slice(0, raw.lastIndexOf(' ', WIDEST) + 1) : raw;
    if (!TELLING.test(line) || /^Traceback|[{;]\s*$/.test(line)) continue;
    lines.push(line.trim());
    if (lines.length >= MOST) break;
  }
  return lines;
}

const LONGEST = 400_000;
const WIDEST = 240;
const MOST = 40;
const TELLING =
  /(?:^|\s)(?:[\w.]*(?:Error|Exception)\b|[Ee]rror:|(?:ERROR|FATAL|CRITICAL|SEVERE)\b|[Ff]atal:|[Pp]anic:|--- FAIL|FAIL(?:ED)?\b|[Ee]rror(?:\[\w+\]| TS\d+| [A-Z]\d+)|npm ERR!)|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|[Pp]ermission denied|command not found|No such file|[Cc]onnection refused|\*\*\* .{0,80}Error|[Ff]ailed to |[Nn]ot found\b|timed out|[Ss]egmentation fault|^\s*Killed\b|panicked at|has been denied|[Uu]nable to |[Cc]annot /;
