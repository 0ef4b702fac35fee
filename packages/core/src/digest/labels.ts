/** Words in front of the newest prompt, of prompts that changed the goal, and of what the user demanded. */
export const LATEST = 'Last request so far: ';
export const CORRECTED = 'Correction: ';
export const RULE = 'User rule: ';

/** Words in front of the names of those who speak. */
export const SPEAKERS = 'Speakers: ';

/** Words in front of each line of where things stand. */
export const LAST_CHANGE = 'Last change: ';
export const LAST_CHECK = 'Last check: ';
export const LAST_STEP = 'Last step: ';
export const UNRESOLVED = 'Unresolved: ';
export const REJECTED = 'Rejected by the user: ';
export const LAST_SAID = 'Last said: ';
/** Words in front of what the user answered to a question that stands as the last thing said. */
export const ANSWERED = 'answered by the user: ';
/** Words in front of what they said instead, or at length. */
export const REPLIED = 'the user then said: ';
/** Words in front of the question that a request answered. */
export const ASKED = 'asked by the assistant: ';
export const SAID_BEFORE = 'Last said, before that: ';

/** Headings of what another summary said, of output that no call asked for, and of a project's rules for agents. */
export const EARLIER = 'Earlier';
export const OUTPUT = 'Output';
export const INSTRUCTIONS = 'Instructions';
/** Heading of the commits that a program reported. */
export const COMMITS = 'Commits';

/** The line that says that more files were changed than are named: how many, where an earlier digest did not leave out some of them already. */
export function leftFilesLine(many: number, wasLeft: boolean): string {
  return wasLeft ? LEFT_BEFORE : `- … ${many} more ${many === 1 ? 'file' : 'files'} changed`;
}

const LEFT_BEFORE = '- … more files changed, some of them long ago';

/** True for such a line. */
export function isLeftFiles(line: string): boolean {
  return line === LEFT_BEFORE || LEFT.test(line);
}

const LEFT = /^- … \d+ more files? changed$/;
