import {
  elementsBehind,
  elementsOf,
  expectEnd,
  type Member,
  type Members,
  membersBehind,
  membersOf,
  NotJson,
  parseSpan,
  type Span,
} from '../json/scan.ts';
import { type DialectRules, fieldsOf } from './rules.ts';

/** A request body, as far as it must be known: where things stand in its text. */
export type Reading = {
  readonly text: string;
  readonly members: readonly Member[];
  readonly model: string;
  readonly isStream: boolean;
  /** The list of messages, brackets included, and each message; absent where the body holds none. */
  readonly list?: Span;
  readonly messages: readonly Span[];
  readonly system?: Span;
  readonly tools?: Span;
  /** What tells one session of a client from another, as the client wrote it. */
  readonly session: string;
  /** Why there is nothing to compact here. */
  readonly passes?: 'server-state' | 'no-messages';
};

/** Reads a body. Throws `NotJson` where it is none, or says the same thing twice. */
export function readBody(text: string, rules: DialectRules): Reading {
  const whole = membersOf(text);
  return readingOf(text, rules, { whole, fresh: whole.members });
}

/** Reads a body that begins like an earlier one, up to the end of that one's last message: only what follows is new. */
export function readOn(text: string, rules: DialectRules, earlier: Reading): Reading {
  const { list, messages, members } = earlier;
  const last = messages.at(-1);
  const place = members.findIndex(({ value }) => value === list);
  const own = members[place];
  if (list === undefined || last === undefined || own === undefined) return readBody(text, rules);
  const { elements, end } = elementsBehind(text, last.end, messages);
  const grown = { key: own.key, value: { start: list.start, end } };
  const whole = membersBehind(text, end, [...members.slice(0, place), grown]);
  const added = elements.slice(messages.length);
  return readingOf(text, rules, { whole, fresh: whole.members.slice(place + 1), messages: { all: elements, added } });
}

type Scanned = {
  readonly whole: Members;
  /** Members that nobody has looked into yet. */
  readonly fresh: readonly Member[];
  /** Where messages stand that were found already, and which of them are new. */
  readonly messages?: { readonly all: readonly Span[]; readonly added: readonly Span[] };
};

function readingOf(text: string, rules: DialectRules, { whole, fresh, messages }: Scanned): Reading {
  const { members, end } = whole;
  expectEnd(text, end);
  const byKey = keyed(members);
  const spanOf = (keys: readonly string[]): Span | undefined => keys.map((key) => byKey.get(key)?.value).find(Boolean);
  const read = (key: string): unknown => {
    const span = byKey.get(key)?.value;
    return span === undefined ? undefined : parseSpan(text, span);
  };
  const list = byKey.get(rules.list)?.value;
  const isList = list !== undefined && text[list.start] === '[';
  const found = isList ? (messages?.all ?? elementsOf(text, list.start)) : [];
  // What nobody reads here is read by the provider: both are to find the same faults.
  for (const { value } of fresh) if (value !== list || !isList) parseSpan(text, value);
  for (const span of messages?.added ?? found) parseSpan(text, span);
  const [system, tools] = [spanOf(rules.system), spanOf(rules.tools)];
  const model = read('model');
  const holdsState = rules.serverState.some((key) => (read(key) ?? null) !== null);
  const passes = holdsState ? 'server-state' : isList ? undefined : 'no-messages';
  return {
    text,
    members,
    model: typeof model === 'string' ? model : '',
    isStream: read('stream') === true,
    ...(isList ? { list } : {}),
    messages: found,
    ...(system === undefined ? {} : { system }),
    ...(tools === undefined ? {} : { tools }),
    session: rules.sessions.map((key) => sessionOf(read(key))).join('\n'),
    ...(passes === undefined ? {} : { passes }),
  };
}

function keyed(members: readonly Member[]): ReadonlyMap<string, Member> {
  const byKey = new Map<string, Member>();
  for (const member of members) {
    // Two readers may take different ones: what we check must be what the provider reads.
    if (byKey.has(member.key)) throw new NotJson(member.value.start, `the key ${JSON.stringify(member.key)} twice`);
    byKey.set(member.key, member);
  }
  return byKey;
}

// Anthropic's metadata holds `user_id`, into which clients write their session.
function sessionOf(value: unknown): string {
  const { user_id: user } = fieldsOf(value);
  const written = typeof value === 'string' ? value : user;
  return typeof written === 'string' ? written : '';
}

/** The text of a span. */
export function textOf({ text }: Reading, { start, end }: Span): string {
  return text.slice(start, end);
}

/** The body with other messages; every other character stays. */
export function withMessages({ text, list }: Reading, messages: readonly string[]): string {
  if (list === undefined) return text;
  return `${text.slice(0, list.start)}[${messages.join(',')}]${text.slice(list.end)}`;
}
