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
  if (REJECTED.test(start)) return { status: 'rejected by the user', said: saidIn(text) };
  return STOPPED.test(start) ? { status: 'stopped by the user', said: '' } : undefined;
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
