import type { Extracted } from '../facts/fact.ts';
import { verdictOf } from '../facts/verdict.ts';
import type { Ledger } from '../model/facts.ts';
import type { Message } from '../model/message.ts';
import { once } from '../model/once.ts';
import { NEGATION, sentencesOf } from './prompts.ts';

/** A command that ran, the message it stands in, its result, and whether something beside the result's words says that it failed. */
type Ran = {
  readonly command: string;
  readonly index: number;
  readonly result: string;
  readonly isFailed: boolean;
};

/** What ran, oldest first, and what others say about outcomes. */
export type Outcomes = { readonly ran: readonly Ran[]; readonly isToldOf: (kind: RegExp) => boolean };

/** A statement that something succeeded which no result bears out, and the run that contradicts it. */
export type Undone = { readonly claim: string; readonly ran?: Ran };

/** The first statement of a line that something works or was done, though it failed last or was never tried. */
export function undoneIn(line: string, outcomes: () => Outcomes): Undone | undefined {
  if (!SUCCEEDED.test(line)) return undefined;
  for (const claim of sentencesOf(line)) {
    const kind = KINDS.find(({ claimed }) => claimed.test(claim));
    // What is said to have failed before, or not at all, leaves nothing open.
    if (kind === undefined || isOpen(claim.replace(PAST_FAILURE, ' '))) continue;
    const { ran, isToldOf } = outcomes();
    const last = newest(ran, claim, kind.ran);
    if (last === undefined && kind.isOfChange !== true && !isToldOf(kind.told)) return { claim };
    if (last !== undefined && hasFailed(last, kind)) return { claim, ran: last };
  }
  return undefined;
}

function hasFailed({ result, isFailed }: Ran, { told }: Kind): boolean {
  const end = result.slice(-2000);
  // Of several commands in one the last may have failed, and its code is that of all.
  return FAILING.test(end) || verdictOf(end) === 'red' || (isFailed && !told.test(end));
}

const FAILING =
  /\b[1-9]\d* (?:tests? )?(?:failed|failing|failures?)\b|\bfailures: [1-9]|\bFAILED \(|\bBUILD FAILED\b|\bnpm ERR!/;

/** `isOfChange`: it may be so without any run, but not against one. */
type Kind = {
  readonly claimed: RegExp;
  readonly ran: RegExp;
  readonly told: RegExp;
  readonly isOfChange?: true;
};

const PAST_FAILURE =
  /\b(?:failing|failed|broken) (?=(?:unit |integration )?(?:tests?|specs?|build|check|suite)\b)|\b(?:0|no|zero) (?:tests? )?(?:failures?|failed|failing|errors?)\b|\b(?:errors?|failures?) (?=(?:was|were|is|are|has been|have been) )/gi;

const SUCCEEDED =
  /\b(?:pass(?:e[sd]|ing)?|succe\w+|successful(?:ly)?|green|clean|compiles?d?|fixed|resolved|solved|(?:0|no|zero) (?:tests? )?(?:fail\w*|errors?)|deployed|live|published|released|pushed|merged|done|completed?|verified)\b|[✅✓✔☑]/i;
/** `Deployed to staging.`, `and deployed`: a deed alone on its line or beside another one, said without an auxiliary. */
const deed = (word: string): string =>
  `(?:^(?:[^A-Za-z]|DONE\\b)*|(?:,|\\band|\\bthen) )${word}(?= (?:to|on|onto|into|in|the|it|as|with|via|and|v?\\d|successfully)\\b|\\W*$)`;
/** Told as done, not as what can be or is to be. */
const done = (word: string): string => `(?<!\\b(?:be|is|are|get|gets|being|once|when|if|until|were) )\\b${word}\\b`;
const KINDS: readonly Kind[] = [
  {
    claimed:
      /\b(?:tests?|specs?|test suite|suite)\b[^.;]{0,40}\b(?:pass(?:e[sd]|ing)?|succeed(?:s|ed)?|green)\b|\b(?:npm|yarn|pnpm|go|cargo|make) test\b[^.;]{0,20}\b(?:pass|succe)|\bsuccessfully ran [^.;]{0,30}\btests?\b|\bCI\b[^.;]{0,20}\b(?:pass(?:e[sd]|ing)?|green)\b|\b(?:tests?|specs?|suite)\b[^.;]{0,20}\b(?:runs?|ran) (?:\w+ )?(?:successfully|cleanly|through|fine)\b|\b(?:tests?|specs?|suite|CI)\b[^.;]{0,20}\b(?:0|no|zero) (?:failures?|failed|failing|errors?)\b|[✅✓✔☑] ?(?:all )?(?:unit )?(?:tests?|suite)\b|\b(?:tests?|suite)\b ?[:–-]? ?[✅✓✔☑]/i,
    ran: /\btests?\b|\b(?:vi|j)est\b|\bpytest\b|\bmocha\b|\brspec\b|\bphpunit\b|\btox\b|\bctest\b|\bunittest\b|\bplaywright\b|\bcypress\b|\bcheck\b|_test\b|\btest_|\bgh (?:run|pr)\b|\bci\b/i,
    told: /\b(?:tests?|specs?|suite)\b[^.\n]{0,60}\b(?:pass|ok\b|green|succe)|\bpass(?:ed|ing)\b|\b0 fail|✓|\bOK \(|\bRan \d+ tests?\b[^.]{0,12}\.?[\s\S]{0,20}\bOK\b|^ok\s+\S+\s+[\d.(]/im,
  },
  {
    claimed:
      /\b(?:build|compilation)\b[^.;]{0,30}\b(?:pass(?:e[sd]|ing)?|succeed(?:s|ed)?|green|is clean|was clean|success(?:ful)?)\b|\b(?:builds?|compiles?d?) (?:cleanly|successfully|without errors?)\b/i,
    ran: /\bbuild\b|\bcompile\b|\btsc\b|\bmake\b|\bwebpack\b|\bvite\b|\bgradlew?\b|\bmvn\b|\bcargo\b|\bgcc\b|\bjavac\b|\btsdown\b|\besbuild\b|\brollup\b|\btypecheck\b|\bcheck\b/i,
    told: /\b(?:build|compil\w+)\b[^.\n]{0,60}\b(?:pass|ok\b|green|succe|complete|clean)/i,
  },
  {
    claimed:
      /\b(?:lint(?:er|ing)?|type ?check(?:s|ing|er)?)\b[^.;]{0,30}\b(?:pass(?:e[sd]|ing)?|succeed(?:s|ed)?|green|is clean)\b/i,
    ran: /\blint\b|\beslint\b|\bbiome\b|\bruff\b|\btsc\b|\btype-?check\b|\bmypy\b|\bclippy\b|\bflake8\b|\bcheck\b/i,
    told: /\b(?:lint\w*|type ?check\w*)\b[^.\n]{0,60}\b(?:pass|ok\b|green|succe|clean|no (?:error|issue|problem))/i,
  },
  {
    claimed: new RegExp(
      `\\b(?:was|were|is|are|been|successfully) (?:now |successfully )?deployed\\b|\\bdeploy(?:ment|ed)?\\b[^.;]{0,30}(?:\\b(?:succeed(?:s|ed)?|successful(?:ly)?|completed?)\\b|\\[DONE\\])|\\[DONE\\][^.;]{0,20}\\bdeploy|\\b(?:is|are|went|now) live\\b|${deed('deployed')}`,
      'i',
    ),
    ran: /deploy|\brelease\b|\bkubectl\b|\bhelm\b|\bterraform\b|\bvercel\b|\bnetlify\b|\bfly\b|\bserverless\b|\bcdk\b|\bpush\b|\brsync\b|\bscp\b/i,
    told: new RegExp(
      `${done('deployed')}|\\bdeployment\\b[^.\\n]{0,40}\\b(?:succe|complete|is live|done)|\\b(?:is|are|went|now) live\\b`,
      'i',
    ),
  },
  {
    claimed: new RegExp(
      `\\b(?:was|were|been|successfully) (?:now |successfully )?published\\b|\\bpublish(?:ed|ing)?\\b[^.;]{0,30}\\b(?:succeed(?:s|ed)?|successfully|\\[DONE\\])|${deed('published')}`,
      'i',
    ),
    ran: /publish|\brelease\b|\bupload\b|\btwine\b/i,
    told: new RegExp(done('published'), 'i'),
  },
  {
    claimed: new RegExp(
      `\\b(?:was|were|been|successfully) (?:now |successfully |force-?)?pushed\\b|\\bpush(?:ed)? (?:to|of) [^.;]{0,40}\\b(?:succeed(?:s|ed)?|successfully|\\[DONE\\])|${deed('pushed')}`,
      'i',
    ),
    ran: /\bpush\b|\bgh pr create\b/i,
    told: new RegExp(done('pushed'), 'i'),
  },
  {
    claimed: new RegExp(
      `\\b(?:was|were|been|successfully) (?:now |successfully )?merged (?:to|into|with)\\b|\\b(?:PRs?|MRs?|pull requests?|merge requests?|branch(?:es)?)(?: [#!]?\\d+)?(?: (?:was|were|is|are|has been|have been|got|now|already|successfully)){0,3} merged\\b|${deed('merged')}`,
      'i',
    ),
    ran: /\bmerge\b|\bpull\b|\brebase\b/i,
    told: new RegExp(`${done('merged')}|\\bMerge (?:made by|pull request|branch)\\b|\\bFast-forward\\b`, 'i'),
  },
  {
    claimed:
      /\b(?:bugs?|issues?|problems?|defects?|errors?|regressions?|fix(?:es|ed)?)\b[^.;]{0,40}\b(?:verified|confirmed (?:as )?(?:fixed|working))\b|\bverified (?:the|that the|this) fix\b/i,
    ran: /\btest|\b(?:vi|j)est\b|\bpytest\b|\bcheck\b|\bcurl\b|\bnode\b|\bpython|\b(?:npm|pnpm|yarn|go|cargo|dotnet|bun|deno) (?:run|start)\b|\bmake\b|(?:^|\s)\.\/|\bplaywright\b|\bgradlew?\b|\bmvn\b/i,
    told: /\b(?:verified|fixed|works?|pass(?:ed|es|ing)?|ok|succe\w+)\b/i,
  },
  {
    claimed:
      /\b(?:tests?|specs?|suite|build|bugs?|issues?|problems?|errors?|failures?|regressions?)\b[^.;,]{0,30}\b(?:was|were|is|are|has been|have been|got) (?:now |all |both |also |successfully |finally |fully )*(?:fixed|resolved|solved)\b/i,
    ran: /\btests?\b|\b(?:vi|j)est\b|\bpytest\b|\bmocha\b|\brspec\b|\bphpunit\b|\btox\b|\bctest\b|\bunittest\b|\bplaywright\b|\bcypress\b/i,
    told: /\bpass(?:ed|ing)\b|\b0 fail|✓|\bOK \(/i,
    isOfChange: true,
  },
];

// What is to be, what fails in part, and what others are told to do is no claim that it is so.
const UNCERTAIN =
  /\b(?:if|once|when|until|unless|whether|ensur(?:e|es|ing)|make sure|verify|verifying|confirm that|should|must|needs?|want(?:s|ed)?|will|would|to (?:pass|succeed|be)|todo|next|pending|remain\w*|before|after|so that|expect\w*|goal|require\w*|ask\w*|(?<!(?:pull|merge) )request\w*|fail\w*|broken|error\w*|except|only|some|most|previous\w*|earlier|initially|at first|had been|used to|partially|\d+ (?:of|out of|\/) ?\d+|\d+\/\d+)\b|\[(?:TODO|IN PROGRESS| )\]|\?/i;

/** Whether a statement says what may be or is to be, and not what is. */
export function isOpen(claim: string): boolean {
  return UNCERTAIN.test(claim) || NEGATION.test(claim);
}

/** The newest run a claim may be about: of those with a word of the claim's own, where there are some. */
function newest(ran: readonly Ran[], claim: string, kind: RegExp): Ran | undefined {
  const ofKind = ran.filter(({ command }) => kind.test(command));
  const words = (claim.toLowerCase().match(/[a-z][\w./-]{3,}/g) ?? []).filter((word) => !GENERIC.test(word));
  const close = ofKind.filter(({ command }) => words.some((word) => command.toLowerCase().includes(word)));
  return (close.length > 0 ? close : ofKind).at(-1);
}

const GENERIC =
  /^(?:tests?|testing|pass\w*|succe\w+|build\w*|compil\w*|suite|specs?|with|that|this|have|been|were|from|into|after|deploy\w*|publish\w*|push\w*|clean\w*|green|lint\w*|done|check\w*|code|unit|command)$/;

/** What outcomes are read from: messages, their facts, the facts of earlier rounds, and what the user and earlier rounds tell. */
export type OutcomeSource = {
  readonly placed: readonly { readonly message: Message; readonly index: number }[];
  readonly runs: readonly Extracted[];
  readonly ledger: Ledger | undefined;
  readonly told: readonly string[];
};

/** Reads calls and their results; what earlier rounds ran is known by their facts. */
export function readOutcomes({ placed, runs, ledger, told }: OutcomeSource): Outcomes {
  const { commands, failures } = callFacts(runs);
  const ran: Ran[] = earlierRuns(ledger);
  const open = new Map<string, Pick<Ran, 'command' | 'index'>>();
  const results: string[] = [];
  for (const { message, index } of placed) {
    for (const part of message.parts) {
      if (part.kind === 'tool-call') {
        open.set(part.callId, { command: commands.get(part.callId) ?? part.name, index });
      } else if (part.kind === 'tool-result') {
        results.push(part.text);
        const known = open.get(part.callId);
        open.delete(part.callId);
        const isFailed = part.isError || failures.has(`${index} ${part.callId}`);
        if (known !== undefined) ran.push({ ...known, result: part.text, isFailed });
      }
    }
  }
  const reports = (): string => told.flatMap(sentencesOf).filter(isReport).join('\n');
  return { ran, isToldOf: remembered(once(() => [reports(), ...results])) };
}

/** Not what somebody asks for: `make the tests pass` tells of no test that did. */
function isReport(sentence: string): boolean {
  return !isOpen(sentence) && !WISH.test(sentence);
}

const WISH =
  /^\W*(?:(?:please|now|then|also|and|so|ok(?:ay)?|yes)\b[, ]*)*(?:make|get|have|let|run|fix|do|keep|see|check|test|build|deploy|push|publish|merge|can|could|i need)\b/i;

/** Commands by their call, and the results that tell a failure. */
function callFacts(runs: readonly Extracted[]): {
  readonly commands: ReadonlyMap<string, string>;
  readonly failures: ReadonlySet<string>;
} {
  const commands = new Map<string, string>();
  const failures = new Set<string>();
  for (const fact of runs) {
    if (fact.kind === 'command') commands.set(fact.call ?? '', fact.value);
    else if (fact.kind === 'news' && fact.about === 'command' && isFailure(fact.status))
      failures.add(`${fact.source} ${fact.call}`);
  }
  return { commands, failures };
}

function isFailure(status = ''): boolean {
  return /^(?:failed$|exit -?[1-9]|(?:rejected|stopped) by the user$)/.test(status);
}

/** Whether any text tells of a kind, looked for once. */
function remembered(texts: () => readonly string[]): Outcomes['isToldOf'] {
  const known = new Map<RegExp, boolean>();
  return (kind) => {
    const isTold =
      known.get(kind) ?? texts().some((text) => kind.test(text.slice(0, 20_000)) || kind.test(text.slice(-2000)));
    known.set(kind, isTold);
    return isTold;
  };
}

function earlierRuns(ledger: Ledger | undefined): Ran[] {
  return Object.values(ledger?.entries ?? {})
    .filter(({ kind }) => kind === 'command')
    .sort((one, other) => one.last - other.last)
    .map(({ value, last, status }) => ({
      command: value,
      index: last,
      result: '',
      isFailed: isFailure(status),
    }));
}
