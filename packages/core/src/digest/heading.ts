/** What a heading says of its group: what it is about, what was done how often, what failed, and what for. */
export type Heading = {
  readonly heading: string;
  readonly verbs: ReadonlyMap<string, number>;
  readonly trouble: Trouble | undefined;
  readonly purpose: string;
  /** Several commands of one kind. */
  readonly isFamily: boolean;
};

/** One command of a line: what it does, with which options (each with its value), and on what. */
export type Step = {
  readonly program: string;
  readonly task: string;
  readonly options: readonly string[];
  readonly args: readonly string[];
};

/** `failure` as it was last, how often, and what fixed it: `''` while nothing did. */
export type Trouble = {
  readonly failure: string;
  readonly times: number;
  readonly fix: string;
  /** Changes made anywhere before it failed. */
  readonly changes: number;
  /** Commands of its line that did not go well since, where some did. */
  readonly left?: readonly Step[];
  /** How many tests it counted, and the directory it says it ran in, where these are known. */
  readonly tests?: number;
  readonly directory?: string;
};

// One place writes headings and reads them back: an earlier digest is all that later rounds may have.
/** Parts a heading from what it is for. */
export const PURPOSE = ' — ';
const UNRESOLVED = 'unresolved';
const STOPPED = '(?:change )?(?:rejected|stopped) by the user';
/** What a file is called whose changes git took back. */
export const TAKEN_BACK = 'changes taken back';
/** What a call did that brought back what git had stashed away; no heading has it. */
export const GIVEN_BACK = 'given back';
/** What a check is called that went well when it was run last. */
export const OK = 'ok';
const VERBS = ['created', 'changed', 'deleted', 'read', TAKEN_BACK];

/** A name without the mark that parts it from its purpose. */
export function plainName(name: string): string {
  return name.replaceAll(PURPOSE, ' - ');
}

/** `src/a.ts (changed ×2; exit 1, unresolved) — Fix the loop` */
export function writeHeading(given: Heading): string {
  const { heading, purpose } = given;
  const notes = notesOf(given);
  return `${heading}${notes === '' ? '' : ` (${notes})`}${purpose === '' ? '' : `${PURPOSE}${plainName(purpose)}`}`;
}

/** What a heading says that it is for; `''` where it says nothing. */
export function reasonOf(header: string): string {
  const at = header.indexOf(PURPOSE);
  return at < 0 ? '' : header.slice(at + PURPOSE.length);
}

/** A heading with what for. */
export function withReason(header: string, purpose: string): string {
  return `${header}${PURPOSE}${plainName(purpose)}`;
}

/** What a heading that failed is called where that is told already. */
export function failedName(header: string): string {
  return (header.split(PURPOSE)[0] ?? '').replace(`, ${UNRESOLVED})`, ')');
}

/** True for what is counted where the user kept a call from being carried out. */
export function isStopped(verb: string): boolean {
  return STOP.test(verb);
}

const STOP = new RegExp(`^${STOPPED}$`);

/** `created, changed ×2; exit 1, unresolved` */
function notesOf({ verbs, trouble, isFamily }: Heading): string {
  const done = VERBS.flatMap((verb) => {
    const times = verbs.get(verb) ?? 0;
    return times === 0 ? [] : [times > 1 ? `${verb} ×${times}` : verb];
  });
  const well = verbs.get('run') ?? 0;
  // Those that failed were run as well.
  const runs = well > 1 ? well + (trouble?.times ?? 0) : well;
  if (runs > 1) done.push(`${runs} runs${isFamily ? ', all ok' : ''}`);
  if (verbs.has(OK) && trouble === undefined && !isFamily) done.push(OK);
  for (const [verb, times] of verbs) if (isStopped(verb)) done.push(times > 1 ? `${verb} ×${times}` : verb);
  const notes = [done.join(', ')];
  if (trouble !== undefined) {
    const { failure, times, fix } = trouble;
    notes.push(`${failure}${times > 1 ? ` ×${times}` : ''}, ${fix === '' ? UNRESOLVED : fix}`);
  }
  return notes.filter((note) => note !== '').join('; ');
}

/** Reads a heading back. */
export function readHeading(header: string): Heading {
  const at = header.indexOf(PURPOSE);
  const front = at < 0 ? header : header.slice(0, at);
  const purpose = at < 0 ? '' : header.slice(at + PURPOSE.length);
  const [, name = front, noted = ''] = NOTED.exec(front) ?? [];
  const notes = noted.split('; ').flatMap((part) => part.split(', ').map((word) => VERB.exec(word)));
  const trouble = TROUBLE.exec(noted);
  const isNoted = trouble !== null || notes.some((match) => match !== null);
  const verbs = new Map<string, number>();
  for (const match of notes) if (match !== null) verbs.set(match[2] ?? 'run', Number(match[1] ?? match[3] ?? '1'));
  const failed = troubleOf(trouble);
  const runs = verbs.get('run');
  if (runs !== undefined && failed !== undefined) verbs.set('run', Math.max(1, runs - failed.times));
  return { heading: isNoted ? name : front, verbs, trouble: failed, purpose, isFamily: false };
}

function troubleOf(match: RegExpExecArray | null): Trouble | undefined {
  if (match === null) return undefined;
  const [, failure = '', times = '1', fix = ''] = match;
  return { failure, times: Number(times), fix: fix === UNRESOLVED ? '' : fix, changes: 0 };
}

const NOTED = /^(.*) \(([^()]*)\)$/;
const VERB = new RegExp(
  `^(?:(\\d+) runs|all ok|(ok|created|changed|deleted|read|${TAKEN_BACK}|${STOPPED})(?: ×(\\d+))?)$`,
);
const TROUBLE = new RegExp(
  `((?:change )?failed|(?:change )?exit -?\\d+)(?: ×(\\d+))?, (${UNRESOLVED}|then ok(?: after changing .*)?|later ok: .*)$`,
);
