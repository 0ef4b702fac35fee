/** True for a line of a log: it begins with a time or a level. */
export function isLogged(line: string): boolean {
  return LOGGED.test(line);
}

const LEVELS = 'TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRIT(?:ICAL)?|SEVERE|PANIC|EMERG|ALERT';
const LOGGED = new RegExp(
  String.raw`^\s*\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d|[IWEF]\d{4} \d\d:\d\d|(?:${LEVELS})\b)`,
);

/** True for a line that tells of something broken; of a log's lines those matter. */
export function isSevere(line: string): boolean {
  return SEVERE.test(line);
}

const SEVERE =
  /\b(?:ERROR|FATAL|CRITICAL|SEVERE|PANIC|EMERG)\b|^\s*[EF]\d{4} |\b[A-Z]\w*(?:Exception|Error)\b|\b(?:level|severity)[=":\s]{1,3}(?:error|fatal|critical)\b/;

/** Lines of which those of a log that say the same of other ids and times are one, with how many there are. */
export function withoutRepeats(lines: readonly string[]): readonly string[] {
  const kept: string[] = [];
  const first = new Map<string, { readonly at: number; times: number }>();
  for (const line of lines) {
    const known = isLogged(line) ? first.get(pattern(line)) : undefined;
    if (known !== undefined) known.times += 1;
    else {
      if (isLogged(line)) first.set(pattern(line), { at: kept.length, times: 1 });
      kept.push(line);
    }
  }
  for (const { at, times } of first.values()) if (times > 1) kept[at] = `${kept[at]} (×${times} alike)`;
  return kept;
}

/** A line without what differs from one request to the next. */
function pattern(line: string): string {
  return line.slice(0, WIDEST).replace(/(?<![\w.:/-])[\w.:/-]*\d[\w.:/-]*/g, '#');
}

const WIDEST = 300;
