/** How the user kept a call from being carried out, as the harness tells it in the call's place. */
export type Stop = {
  readonly status: 'rejected by the user' | 'stopped by the user';
  /** What the user said with it; `''` where that was nothing. */
  readonly said: string;
};

/** Reads what a harness answers a call with that its user did not let happen; `undefined` for what a tool answered. */
export function stopOf(text: string): Stop | undefined {
  const start = text.slice(0, HEAD);
  if (!HINT.test(start)) return undefined;
  // The harness writes nothing else in its place, but what the user said.
  if (text.trimEnd().length > HEAD && !SAID.test(start)) return undefined;
  if (REJECTED.test(start)) return { status: 'rejected by the user', said: saidIn(text) };
  return STOPPED.test(start) ? { status: 'stopped by the user', said: '' } : undefined;
}

/**
 * Reads an output that is a harness's words for such a call from its first to its last, as they stand where no error is flagged;
 * `undefined` where anything else stands beside them.
 */
export function wholeStopOf(text: string): Stop | undefined {
  const whole = text.length > LONGEST ? '' : text.trim();
  if (whole.length > SHORT && !whole.startsWith(UNSTARTED)) return undefined;
  if (!HINT.test(whole.slice(-SHORT))) return undefined;
  if (WHOLE_REJECTED.test(whole) || isUnstarted(whole)) return { status: 'rejected by the user', said: '' };
  return WHOLE_STOPPED.test(whole) ? { status: 'stopped by the user', said: '' } : undefined;
}

/** Codex names the command, which may hold anything. */
function isUnstarted(whole: string): boolean {
  const end = REFUSALS.find((words) => whole.endsWith(words));
  if (end === undefined || !whole.startsWith(UNSTARTED)) return false;
  const named = whole.slice(UNSTARTED.length, -end.length);
  // A command that is quoted ends once: behind that would be another output.
  return named === ': ' || (named.startsWith(' for `') && named.indexOf('`:') === named.length - 3);
}

/** True for a tool whose results its harness or this machine writes, by its name; another's server may answer with any words. */
export function isOwnTool(tool: string): boolean {
  const words = tool
    .replace(/([a-z])(?=[A-Z])/g, '$1_')
    .toLowerCase()
    .split('_');
  return words.every((word) => OWN.has(word));
}

const OWN: ReadonlySet<string> = new Set(
  (
    'bash shell sh cmd powershell terminal exec execute run command process local unified stdin python ' +
    'edit multi multiedit write read view open create delete remove insert move rename replace str apply patch update save append ' +
    'editor file files notebook cell text block in to plan exit mode task todo todos agent glob grep ls list dir directory ask user question'
  ).split(' '),
);

/** True for a command that prints what others on the network wrote. */
export function fetches(command: string): boolean {
  return FETCH.test(command.slice(0, LONGEST));
}

/** The harness's own words of such an answer. */
export function withoutSaid(text: string): string {
  const match = SAID.exec(text.slice(0, HEAD));
  return match === null ? text : text.slice(0, match.index + match[0].length).trimEnd();
}

function saidIn(text: string): string {
  const match = SAID.exec(text.slice(0, HEAD));
  if (match === null) return '';
  const said = text.slice(match.index + match[0].length, LONGEST);
  const end = END.exec(said)?.index ?? said.length;
  return said.slice(0, end).trim();
}

const HEAD = 600;
const LONGEST = 20_000;
const FETCH =
  /(?<![\w./-])(?:\S{0,40}\/)?(?:curl|wget|https?|xh|httpie|aria2c|lynx|w3m|telnet|nc|ncat|ssh|(?:npm|pnpm|yarn|bun)(?: npm)? (?:v|view|info|show|search|why|docs)|pip3? (?:index|show|search)|cargo (?:search|info)|gem (?:search|info)|gh (?:api|search|gist|browse)|(?:gh|glab) \w+ (?:view|list|diff|status|checks)|git (?:ls-remote|fetch)|jira|acli|[Ii]nvoke-(?:WebRequest|RestMethod))(?=\s|$)/;
// Nearly no result begins with such words; what they mean is asked of those few.
const HINT = /\buser\b/i;
const OPENING = String.raw`^\W{0,3}(?:<\w{1,30}>\W{0,3})?(?:error: )?`;
const CALL = '(?:exec )?(?:command|patch|edit|write|tool (?:call|use)|change|operation|action)';
const NO = '(?:rejected|denied|declined|refused|cancell?ed)';
const REJECTED = new RegExp(
  `${OPENING}(?:${[
    "(?:the )?user does(?:n['’]t| not) want to (?:proceed|take this action)\\b",
    `(?:the )?user (?:has )?${NO} (?:permission to use\\b|(?:this|the|your) (?:specific )?${CALL}\\b)`,
    '(?:the )?user did not allow (?:this |the )?tool call\\b',
    'operation cancelled\\W{1,4}reason: user\\b',
    `(?:this |the )?${CALL} (?:was )?(?:rejected|denied|declined) by (?:the )?user\\b`,
    'rejected by (?:the )?user\\b',
  ].join('|')})`,
  'i',
);
const STOPPED = new RegExp(
  `${OPENING}(?:(?:request|command|execution|tool (?:call|use)) (?:was )?)?(?:aborted|interrupted) by (?:the )?user\\b`,
  'i',
);
const SHORT = 300;
const UNSTARTED = 'exec_command failed';
const REFUSALS: readonly string[] = [
  'CreateProcess { message: "Rejected(\\"rejected by user\\")" }',
  'Rejected("rejected by user")',
];
// As the sources of Codex, Gemini CLI, opencode, Cline, Copilot, VS Code, Goose and OpenHands have them.
const WHOLE_REJECTED = new RegExp(
  `^(?:error: )?(?:${[
    '(?:(?:exec command|patch) )?rejected by user',
    '(?:patch rejected: [\\w -]{1,80}; )?rejected by user approval settings',
    '\\[operation cancelled\\] reason: user (?:did not allow tool call|denied execution)',
    'the user rejected permission to use this specific tool call(?:\\. You may try again with different parameters)?',
    '(?:the )?user (?:denied this operation|rejected this tool call|refused permission to run tool)',
    'the user chose to skip the tool call, they want to proceed without running it',
    'the user has declined to run this tool\\. do not attempt to call this tool again\\.(?: if there are no alternative methods to proceed, clearly explain the situation and stop)?',
    '(?:action has been rejected by the user!?(?: waiting for further user input\\.)?\\s{0,3})?\\[last action has been rejected by the user\\]',
    'action has been rejected by the user!?(?: waiting for further user input)?',
  ].join('|')})[.!]?$`,
  'i',
);
const WHOLE_STOPPED =
  /^(?:wall time: [\d.]{1,12} seconds\s{1,2})?(?:(?:command |execution )?aborted by (?:the )?user(?: after [\d.]{1,12}s)?|\[operation cancelled\] reason: user cancelled (?:the operation|tool execution)|the user cancelled the tool call)\.?$/i;
const SAID =
  /(?:\bthe user said|\b(?:following|user) feedback|\breason for the rejection|\brejected with (?:feedback|reason)): ?\s{0,4}(?:<feedback>\s{0,4})?/i;
// What the harness adds behind it.
const END = /\s*<\/feedback>|\n\n(?:Note: The user's next message|<environment_details>)/;
