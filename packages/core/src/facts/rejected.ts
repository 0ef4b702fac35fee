/**
 * True for what an editor says where it changed nothing, though no error is flagged: its first lines say so, and none of them that
 * anything was done. Words of a file it shows, of a path or in quotes are not its own.
 */
export function rejectsEdit(text: string): boolean {
  const start = text.slice(0, HEAD).trimStart();
  if (start.startsWith('{')) return text.length < LONGEST && EXITED.test(text);
  if (ENDED.test(start)) return true;
  const own = ownLines(start);
  return own !== '' && UNDONE.test(own) && !DONE.test(own.replace(NOT_DONE, ''));
}

const HEAD = 2000;
const LONGEST = 20_000;
const MOST_LINES = 3;
const WIDEST = 400;

const EXITED = /(?<!\\)"exit_?[cC]ode": ?-?[1-9]/;
const ENDED = /^exit code: -?[1-9]/i;

/** What stands before a text that is shown, without what it quotes. */
function ownLines(start: string): string {
  const lines: string[] = [];
  for (const line of start.replace(QUOTED, '``').split('\n')) {
    if (line.trim() === '') continue;
    if (SHOWN.test(line) || lines.length >= MOST_LINES) break;
    lines.push(line.slice(0, WIDEST).replace(PATH, ''));
  }
  return lines.join('\n');
}

const QUOTED = /```[^`]{0,1500}```|`[^`]{0,1500}`|"[^"\n]{0,300}"|(?<![\w])'[^'\n]{0,300}'(?!\w)/g;
const PATH = /(?:[A-Za-z]:\\|\.{0,2}[/\\])?(?:[\w@.+~-]+[/\\])+[\w@.+~-]*|\b[\w-]+\.[a-z]{1,5}\b(?!\.? [a-z])/g;
// A diff, numbered lines, a file's own indented ones.
const SHOWN = /^(?:@@|---|\+\+\+|diff |Index:|[-+] |\s*\d+\s*[|→│:\t]|\s{2,}\S|\t)/;

const UNDONE = new RegExp(
  [
    String.raw`\bno (?:replacements?|edits?|changes?|modifications?|updates?) (?:(?:was|were|has been|have been) )?(?:performed|made|applied|written|done|needed)\b`,
    String.raw`\b(?:nothing|file) (?:(?:was|has been) )?(?:not |un)(?:changed|written|modified|edited|updated|replaced)\b|\bnothing (?:was |has been )?(?:changed|written|modified|edited|updated|replaced)\b`,
    // What was to be replaced is not there, or there more than once.
    String.raw`\b(?:old_?(?:str(?:ing)?|text|content)|search(?:/replace)?|string|text|match|block|pattern|snippet|anchor|context|hunk|lines?|content)\b.{0,60}\b(?:not found|(?:did|do(?:es)?) not (?:appear|match|occur|exist)|(?:didn|doesn)['’]t (?:appear|match|occur|exist)|failed to (?:match|apply)|(?:is |was )?not unique|found (?:multiple|more than one|several))`,
    String.raw`\b(?:no|0|zero|multiple|\d+) (?:\w+ )?(?:match(?:es)?|occurrences?)\b.{0,40}\b(?:found|of|for)\b`,
    String.raw`\b(?:has|have) (?:been (?:modified|changed|edited)|changed) (?:since|externally|outside|on disk|by)\b|\b(?:has not|hasn['’]t) been read\b|\bmust (?:first )?(?:be )?read\b`,
    String.raw`\b(?:could|can|did|was|were|has|have) ?(?:not|n['’]t)(?: be| been)? (?:be |been )?(?:applied|edited|changed|written|updated|modified|replaced|opened|saved|created|deleted|parsed|performed|executed|found)\b`,
    // What the system or a harness keeps it from.
    String.raw`^\W*(?:\w+: )?E(?:ACCES|PERM|ROFS|NOENT|EXIST|ISDIR|NOTDIR|NOSPC|BUSY|MFILE|LOOP|DQUOT|TXTBSY|IO|INVAL)\b`,
    String.raw`^\W*.{0,80}\b(?:permission denied|read-only file ?system|no space left on device|no such file or directory|is a directory|already exists)\b`,
    String.raw`^\W*(?:the |this |your )?(?:\w+ ){0,3}(?:(?:was|is|were|has been) )?(?:blocked|denied|rejected|refused|forbidden|disallowed|aborted|cancell?ed|prevented)\b`,
    String.raw`^\W*(?:the |this |your )?(?:\w+ ){0,3}(?:timed out|timeout|failed|errored)\b`,
    String.raw`^\W*(?:the |this |your )?(?:\w+ ){0,3}(?:(?:is|are) )?not (?:allowed|permitted)\b`,
    String.raw`^\W*(?:cannot|can['’]t|could(?: not|n['’]t)|unable to|failed to|invalid (?:arguments?|parameters?|input|patch|edit|line|range)|missing (?:required|parameter)|unknown tool|file (?:not found|does not exist)|no such file)\b`,
    'did not conform to the edit format',
  ].join('|'),
  'im',
);

const VERBS =
  'updated|edited|created|written|modified|changed|saved|replaced|inserted|applied|overwritten|deleted|removed';
const DONE = new RegExp(
  String.raw`^\W*(?:ok|done|success|edited|updated|wrote|created|applied|replaced|inserted|saved|modified|added|deleted|removed|file (?:updated|created|written|saved|edited)|text replaced)\b|\bsuccess(?:ful(?:ly)?)?\b|\b(?:has|have|was|were)(?: been)? (?:${VERBS})\b(?! (?:since|externally|outside|on disk|by)\b)`,
  'im',
);
const NOT_DONE = /\b(?:no|not|nothing|never|none|neither)\b[^.;\n]{0,60}|\bun(?:changed|successful(?:ly)?)\b/gi;
