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
const SAID =
  /(?:\bthe user said|\b(?:following|user) feedback|\breason for the rejection|\brejected with (?:feedback|reason)): ?\s{0,4}(?:<feedback>\s{0,4})?/i;
// What the harness adds behind it.
const END = /\s*<\/feedback>|\n\n(?:Note: The user's next message|<environment_details>)/;
