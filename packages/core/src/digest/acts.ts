import { type Action, actionOf } from '../facts/calls.ts';
import { type Caller, failureOf, isReader, isUnrun, stopIn } from '../facts/outcome.ts';
import type { Segment } from '../facts/segments.ts';
import { fetches, isOwnTool, type Stop } from '../facts/stopped.ts';
import { verdictOf } from '../facts/verdict.ts';
import { isObject, stringOf } from '../formats/native.ts';
import { anchored, openFile, situated } from './anchored.ts';
import { type Block, squeezed } from './clean.ts';
import { baseOf, type Nature, natureOf } from './commands.ts';
import { isAttachment, isIntent, requestOf, withoutLeadIn } from './request.ts';
import { sentencesOf, shortened, splitFences, unitOf } from './units.ts';

/** A call with what came back. */
export type Act = {
  readonly source: number;
  readonly call: Segment;
  action: Action;
  nature: Nature;
  /** What it is for, in the assistant's words. */
  readonly purpose: string;
  /** Commands that do the same have the same, however their output is trimmed. */
  readonly base: string;
  /** The directory it ran in, where that tells it apart. */
  where?: string;
  result?: Segment;
  /** What it did to which files. */
  readonly done: Done[];
  /** The user did not let it happen. */
  stop?: Stop;
  /** How it failed, such as `exit 1`; `''` where it did not. */
  failure: string;
};

/** One file that a call made, changed, deleted or set back, where it is told. */
export type Done = { readonly verb: string; readonly draft: { readonly place: { readonly heading: string } } };

/** What happened, in order. */
export type Item =
  | { readonly kind: 'asked' | 'answer'; readonly source: number; readonly text: string; readonly name?: string }
  | { readonly kind: 'earlier'; readonly source: number; readonly text: string }
  /** `isPrompt`: the harness made a prompt of it. */
  | { readonly kind: 'command'; readonly source: number; readonly text: string; readonly isPrompt: boolean }
  | { readonly kind: 'output'; readonly source: number; readonly block: Block }
  | { readonly kind: 'act'; readonly source: number; readonly act: Act };

/** Joins calls with their results, and takes prompts apart. */
export function itemsOf(segments: readonly Segment[]): readonly Item[] {
  const items: Item[] = [];
  const calls = new Map<string, Act>();
  let said = { source: -1, text: '' };
  for (const segment of withAttachments(segments)) {
    const { origin, source, text, call = '', name } = segment;
    const named = name === undefined ? {} : { name };
    if (origin === 'prompt') {
      const about = calls.get(call);
      // What a server answered may only look like it.
      if (about?.result !== undefined && isForeign(about))
        answer(about, { ...about.result, text: `${about.result.text}\n${text}` });
      else for (const item of promptItems(segment)) items.push(item);
    } else if (origin === 'answer') {
      said = { source, text };
      items.push({ kind: 'answer', source, text, ...named });
    } else if (origin === 'call') {
      const act = actOf(segment, said);
      // Of calls made together the first tells what all are for.
      if (act.purpose !== '' && said.source === source) said = { source: -1, text: '' };
      calls.set(call, act);
      items.push({ kind: 'act', source, act });
    } else {
      const act = calls.get(call);
      if (act === undefined) items.push({ kind: 'output', source, block: { text, path: '', name: '' } });
      else {
        answer(act, segment);
        const { stop } = act;
        if (stop === undefined || stop.said === '') continue;
        for (const item of promptItems({ ...segment, text: stop.said })) items.push(item);
        act.stop = { ...stop, said: '' };
      }
    }
  }
  return items.filter((item) => item.kind !== 'act' || !isUnrun(item.act.result?.text ?? ''));
}

/** Files that a program puts behind a prompt as parts of their own are one attachment, none of them a request. */
function withAttachments(segments: readonly Segment[]): readonly Segment[] {
  const joined: Segment[] = [];
  for (const segment of segments) {
    const before = joined.at(-1);
    const isMore = before?.origin === 'prompt' && segment.origin === 'prompt' && before.source === segment.source;
    if (isMore && isAttachment(before.text))
      joined[joined.length - 1] = { ...before, text: `${before.text}\n${segment.text}` };
    else joined.push(segment);
  }
  return joined;
}

function promptItems({ source, text, name }: Segment): readonly Item[] {
  const { asked, command, outputs, earlier } = requestOf(text);
  return [
    ...(earlier === '' ? [] : [{ kind: 'earlier' as const, source, text: earlier }]),
    ...(command === ''
      ? []
      : [{ kind: 'command' as const, source, text: command, isPrompt: text.includes('<command-') }]),
    ...outputs.map((block) => ({ kind: 'output' as const, source, block })),
    ...(asked === '' ? [] : [{ kind: 'asked' as const, source, text: asked, ...(name === undefined ? {} : { name }) }]),
  ];
}

function actOf(call: Segment, said: { readonly source: number; readonly text: string }): Act {
  const action = anchored(actionOf(call), call);
  const base = action.kind === 'command' ? baseOf(action.command) : '';
  const nature = natureOf(action, call.tool ?? '', base);
  return { source: call.source, call, action, nature, purpose: purposeOf(call, said), base, done: [], failure: '' };
}

function answer(act: Act, result: Segment): void {
  const path = act.action.kind === 'other' ? openFile(act.call, result.text) : '';
  if (path !== '') {
    act.action = { kind: 'files', effects: [{ path, status: 'changed' }] };
    act.nature = 'change';
  }
  act.action = situated(act.action, result.text);
  const { base, nature } = act;
  const caller = callerOf(act);
  const told = { ...result, isForeign: isForeign(act) };
  // What of an output is picked out says nothing of whether the call was let happen.
  const stop = stopIn(told, caller === 'reader' && !showsOnly(act) ? 'command' : caller);
  act.result = result;
  act.failure = stop?.status ?? failureOf(told, caller);
  if (stop !== undefined) act.stop = stop;
  if (act.failure === '' && nature === 'check' && isBroken(result.text)) act.failure = 'failed';
  if (
    act.failure === '' &&
    caller === 'command' &&
    COMMITTING.test(base) &&
    UNCOMMITTED.test(result.text.slice(-CHECKED))
  )
    act.failure = 'failed';
  // These answer no by it; git tells with it that it was asked wrongly.
  if ((act.failure === 'exit 1' && ASKING.test(base)) || (act.failure === 'exit 129' && /^git /.test(base)))
    act.failure = '';
}

// `git status` says it as well, and there it is the answer.
const COMMITTING = /^(?!.*\bgit status\b).*\bgit commit\b(?!.*[;|])/;
// That there was nothing to commit, or that a hook of it failed.
const UNCOMMITTED = /^(?:nothing (?:added )?to commit\b|no changes added to commit\b)|\.{3}Failed$/m;

/** True where what came back may be what others wrote: a server, a page, a package. */
function isForeign({ action, call: { tool = '' } }: Act): boolean {
  return !isOwnTool(tool) || (action.kind === 'command' && fetches(action.command));
}

function callerOf({ action, nature }: Act): Caller {
  if (action.kind === 'files' && nature === 'change') return 'editor';
  if (action.kind !== 'command') return nature === 'read' || nature === 'lookup' ? 'viewer' : 'tool';
  return isReader(action.command) || FORGIVING.test(action.command) ? 'reader' : 'command';
}

const showsOnly = ({ action }: Act): boolean => action.kind === 'command' && isReader(action.command);

// What a search picks out of an output is told for its own sake; what may go wrong is said to be allowed to.
const FORGIVING = /\|\s*(?:grep|egrep|rg)\b|\|\|\s*(?:true|:)(?![\w/])/;

const ASKING =
  /^(?:git (?:config|diff|grep|check-ignore|show-ref|merge-base|ls-files|rev-parse)|grep|egrep|fgrep|rg|ag|diff|cmp|test|\[|pgrep|which|command -v|type|expr)(?= |$)/;

/** What test runners and compilers print when a pipe has swallowed their exit code; a closing count says more than a log. */
function isBroken(text: string): boolean {
  const tail = text.slice(-CHECKED);
  if (BROKEN.test(tail)) return true;
  const verdict = verdictOf(tail);
  return verdict === 'red' || (verdict === '' && LOGGED.test(tail));
}

const CHECKED = 20_000;
const BROKEN =
  /^(?:FAIL|--- FAIL|FAILED|make(?:\[\d+\])?: \*\*\*|npm ERR!|error\[\w+\]:)|\berror TS\d+:|^[\w./-]+:\d+:\d+: (?:error|cannot|undefined|undeclared|expected)\b/m;
const LOGGED = /^error:|\b[1-9]\d* (?:failed|failing)\b/m;

/** What a call is for: its own description, else the assistant's last sentence in front of it. */
function purposeOf({ input, source, text }: Segment, said: { readonly source: number; readonly text: string }): string {
  const own = isObject(input) ? stringOf(input['description'] ?? input['justification']) : '';
  if (own !== '') return shortened(squeezed(own), PURPOSE);
  if (said.source !== source) return '';
  const { prose } = splitFences(said.text.slice(-1000));
  const sentence = sentencesOf(prose, 0).at(-1)?.text ?? '';
  if (sentence.length > PURPOSE || !/^[\p{L}`'"]/u.test(sentence)) return '';
  return isIntent(sentence) ? reasonIn(sentence, text) : sentence.replace(/[:.]$/, '');
}

/** What an announcement says beyond the call itself: `see the vendor log`, not `next: src/a.ts` in front of a read of it. */
function reasonIn(sentence: string, call: string): string {
  const announced = withoutLeadIn(sentence);
  const told = call.toLowerCase();
  const words = unitOf(announced, 0).words.filter((word) => !told.includes(word));
  // In other languages the words that announce it are still there.
  return words.length < (announced === sentence ? 5 : 3) ? '' : announced.replace(/[:.]$/, '');
}

const PURPOSE = 100;
