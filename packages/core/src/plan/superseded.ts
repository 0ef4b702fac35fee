import type { ToolCallPart, ToolResultPart } from '../model/message.ts';
import type { ViewEntry } from '../model/view.ts';

/**
 * Tells, for results asked about from the newest to the oldest, whether a later one knows better: the same call made again,
 * a file read whole that was read in part before, or another screenshot.
 */
export function supersededBy(entries: readonly ViewEntry[]): (result: ToolResultPart) => boolean {
  const calls = new Map<string, ToolCallPart>();
  for (const { message } of entries) {
    for (const part of message.parts) if (part.kind === 'tool-call') calls.set(part.callId, part);
  }
  const seen = new Set<string>();
  return (result) => {
    const call = calls.get(result.callId);
    if (call === undefined) return false;
    const { given, answers } = subjectsOf(call, result);
    const isSuperseded = answers.some((subject) => seen.has(subject));
    for (const subject of given) seen.add(subject);
    return isSuperseded;
  };
}

/** What a result makes older ones needless for, and by which newer ones it is made needless itself. */
type Subjects = { readonly given: readonly string[]; readonly answers: readonly string[] };

function subjectsOf({ name, input }: ToolCallPart, { media }: ToolResultPart): Subjects {
  const same = `same ${name} ${input}`;
  const place = placeOf(input);
  if (place === undefined) {
    const picture = media.length > 0 ? [`picture ${name}`] : [];
    return { given: [same, ...picture], answers: [same, ...picture] };
  }
  const whole = `whole ${name} ${place.path}`;
  return { given: place.isWhole ? [same, whole] : [same], answers: place.isPlain ? [same, whole] : [same] };
}

// Longer arguments write something: they are no look at a place.
const LONGEST_LOOK = 2000;
const PATH_KEY = /^(?:(?:absolute|target|notebook)_?)?(?:file_?)?(?:path|name|file|uri|url)$/i;
const RANGE_KEY = /^(?:offset|limit|start|end|line|lines|pages?|view_?range|(?:start|end|from|to)_?line|max_?lines)$/i;

/** The place a call looks at, whether it looks at all of it, and whether it does nothing but look. */
function placeOf(input: string): { path: string; isWhole: boolean; isPlain: boolean } | undefined {
  const given = input.length > LONGEST_LOOK ? undefined : fieldsOf(input);
  const key = given === undefined ? undefined : Object.keys(given).find((name) => PATH_KEY.test(name));
  const path = key === undefined ? undefined : given?.[key];
  if (given === undefined || typeof path !== 'string') return undefined;
  const others = Object.keys(given).filter((name) => name !== key);
  return { path, isWhole: others.length === 0, isPlain: others.every((name) => RANGE_KEY.test(name)) };
}

function fieldsOf(input: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(input);
    return typeof value === 'object' && value !== null ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
