/** How a result says that its call failed, such as `exit 1`; `''` where it does not. Only commands have exit codes. */
export function failureOf(
  { text, isError }: { readonly text: string; readonly isError?: boolean },
  isCommand: boolean,
): string {
  const exit = isCommand ? exitOf(text) : undefined;
  if (exit !== undefined) return exit === '0' ? '' : `exit ${exit}`;
  return isError === true || looksFailed(text) ? 'failed' : '';
}

/** How a result says that a command ended, such as `exit 0`; `''` where it does not. */
export function endOf({ text, isError }: { readonly text: string; readonly isError?: boolean }): string {
  const exit = exitOf(text);
  if (exit !== undefined) return `exit ${exit}`;
  return isError === true || looksFailed(text) ? 'failed' : '';
}

function looksFailed(text: string): boolean {
  const start = text.slice(0, HEAD);
  return FAILED.test(start) || (text.length < SHORT && FAILED_SHORTLY.test(start));
}

/** The exit code that stands at the start or the end of a command's result. */
function exitOf(text: string): string | undefined {
  if (text.length <= 2 * HEAD) return exitIn(text);
  return exitIn(text.slice(0, HEAD)) ?? exitIn(text.slice(-HEAD));
}

// Most results say nothing of the kind, which is seen sooner.
function exitIn(text: string): string | undefined {
  return SOME_EXIT.test(text) ? EXIT.exec(text)?.[1] : undefined;
}

const SOME_EXIT = /exit|return[ _]?code/i;
const HEAD = 300;
const SHORT = 600;
// A line of its own or a field: prose that mentions an exit code is none.
const EXIT =
  /(?:^|[[({<,"]|failed with )[ \t]*(?:(?:the )?(?:command|process)[ \w]{0,30} )?(?:exit(?:ed)?(?:[ _-]?with)?(?:[ _-]?(?:code|status))*|return[ _]?code)"?>?[ \t]*[:=]?[ \t]*(-?\d{1,3})(?=[\])}>",.;:<]|[ \t]*$)/im;
const FAILED =
  /^\s*(?:<\w*error\w*>|(?:[\w.]*(?:error|exception)|fatal|panic|failed|failure)(?:\[\w+\])?: |traceback \(most recent|apply_patch verification failed)/i;
const FAILED_SHORTLY =
  /^\s*(?:failed to|cannot|could not|unable to|no such file|permission denied|the user doesn't want|your proposed edit)\b/i;

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
  /(?:^|\s)(?:[\w.]*(?:Error|Exception)\b|[Ee]rror:|ERROR\b|[Ff]atal:|[Pp]anic:|--- FAIL|FAIL(?:ED)?\b|[Ee]rror(?:\[\w+\]| TS\d+| [A-Z]\d+)|npm ERR!)|\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|[Pp]ermission denied|command not found|No such file|[Cc]onnection refused|\*\*\* .{0,80}Error|[Ff]ailed to |[Nn]ot found\b|[Uu]nable to |[Cc]annot /;
