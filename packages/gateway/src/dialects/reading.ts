import {
  type Elements,
  elementsBehind,
  elementsOf,
  expectEnd,
  type Member,
  membersBehind,
  membersOf,
  NotJson,
  parseSpan,
  type Span,
} from '../json/scan.ts';
import { fieldsOf } from '../json/values.ts';
import type { DialectRules } from './rules.ts';

/** A request body, as far as it must be known: the texts of its parts, in the very characters they came in. */
export type Reading = {
  /** What stands in front of the list of messages, and behind it; all of the body where it holds none. */
  readonly head: string;
  readonly behind: string;
  /** Messages at the start of the list that are the system prompt: as fixed as one in a member of its own. */
  readonly lead: readonly string[];
  /** The other messages; `undefined` where the body holds no list of them. */
  readonly messages: readonly string[] | undefined;
  /** What stands behind the last message, the end of the list included. */
  readonly rest: string;
  readonly model: string;
  readonly isStream: boolean;
  readonly system: string;
  readonly tools: string;
  /** What tells one session of a client from another, as the client wrote it. */
  readonly session: string;
  /** Why there is nothing to compact here. */
  readonly passes?: 'server-state' | 'no-messages';
  /** Members by key, without the list: those in front of it, and all. */
  readonly before: Fields;
  readonly fields: Fields;
};

type Fields = ReadonlyMap<string, string>;

/** Reads a body. Throws `NotJson` where it is none, or says the same thing twice. */
export function readBody(text: string, rules: DialectRules): Reading {
  const { members, end } = membersOf(text);
  expectEnd(text, end);
  const place = members.findIndex(({ key, value }) => key === rules.list && text[value.start] === '[');
  const list = members[place]?.value;
  if (list === undefined) {
    const fields = fieldsIn(text, members, { before: new Map(), known: new Map() });
    const wrapped = members.find(({ key, value }) => rules.wrappers.includes(key) && text[value.start] === '{');
    if (wrapped !== undefined) return readInside(text, rules, wrapped.value);
    const whole = { head: text, behind: '', rest: '', lead: [], messages: undefined, fresh: [] };
    return readingOf(rules, { ...whole, before: fields, fields });
  }
  const { elements } = elementsOf(text, list.start);
  const before = fieldsIn(text, members.slice(0, place), { before: new Map(), known: new Map() });
  const found = parted(
    elements.map((span) => checked(text, span)),
    rules,
  );
  return readingOf(rules, {
    head: text.slice(0, list.start),
    behind: text.slice(list.end),
    rest: text.slice(elements.at(-1)?.end ?? list.start + 1),
    ...found,
    fresh: found.messages ?? [],
    before,
    fields: fieldsIn(text, members.slice(place + 1), { before: withList(before, rules), known: new Map() }),
  });
}

/** Reads a request that stands in another: what is around it stays as it is written. */
function readInside(text: string, rules: DialectRules, { start, end }: Span): Reading {
  const inner = readBody(text.slice(start, end), { ...rules, wrappers: [] });
  const after = text.slice(end);
  const head = text.slice(0, start) + inner.head;
  return { ...inner, head, behind: inner.behind + after, rest: inner.rest + after };
}

/**
 * Reads what follows the last message of an earlier body, where all in front of it is the same: only that is new. What it throws
 * is no verdict: the body may go on in the middle of what was its last message.
 */
export function readOn(text: string, rules: DialectRules, earlier: Reading): Reading {
  const { elements, end }: Elements = elementsBehind(text, 0);
  const { members, end: close } = membersBehind(text, end);
  expectEnd(text, close);
  const { before, head, lead, messages = [] } = earlier;
  const fresh = elements.map((span) => checked(text, span));
  return readingOf(rules, {
    head,
    behind: text.slice(end),
    rest: text.slice(elements.at(-1)?.end ?? 0),
    // Spreading leaves half as much again of room behind thousands of messages.
    ...(messages.length === 0 ? parted([...lead, ...fresh], rules) : { lead, messages: messages.concat(fresh) }),
    fresh,
    before,
    fields: fieldsIn(text, members, { before: withList(before, rules), known: earlier.fields }),
  });
}

function parted(texts: readonly string[], { isLead }: DialectRules): Required<Pick<Found, 'lead' | 'messages'>> {
  const end = texts.findIndex((text) => !isLead(text));
  const length = end < 0 ? texts.length : end;
  return { lead: texts.slice(0, length), messages: texts.slice(length) };
}

/** The text of a value; throws `NotJson` where it is none: what nobody reads here is read by the provider. */
function checked(text: string, span: Span): string {
  parseSpan(text, span);
  return text.slice(span.start, span.end);
}

// The list's own place is taken: a second one of that key is noticed, whatever it holds.
function withList(before: Fields, { list }: DialectRules): Fields {
  return new Map([...before, [list, '']]);
}

type Around = { readonly before: Fields; readonly known: Fields };

function fieldsIn(text: string, members: readonly Member[], { before, known }: Around): Fields {
  const fields = new Map(before);
  for (const { key, value } of members) {
    // Two readers may take different ones: what we check must be what the provider reads.
    if (fields.has(key)) throw new NotJson(value.start, `the key ${JSON.stringify(key)} twice`);
    const written = text.slice(value.start, value.end);
    fields.set(key, known.get(key) === written ? written : checked(text, value));
  }
  return fields;
}

type Found = Pick<Reading, 'head' | 'behind' | 'rest' | 'lead' | 'messages' | 'before' | 'fields'>;

/** `fresh`: messages that no earlier body held. What the provider has is not kept as an earlier body. */
function readingOf(rules: DialectRules, { fresh, ...found }: Found & { readonly fresh: readonly string[] }): Reading {
  const { fields, lead, messages } = found;
  const textOf = (keys: readonly string[]): string => keys.map((key) => fields.get(key)).find(Boolean) ?? '';
  const read = (key: string): unknown => {
    const written = fields.get(key);
    return written ? (JSON.parse(written) as unknown) : undefined;
  };
  const model = read('model');
  const holdsState = rules.serverState.some((key) => (read(key) ?? null) !== null) || fresh.some(rules.isKeptElsewhere);
  const passes = holdsState ? 'server-state' : messages === undefined ? 'no-messages' : undefined;
  return {
    ...found,
    model: typeof model === 'string' ? model : '',
    isStream: fields.get('stream') === 'true',
    system: lead.length === 0 ? textOf(rules.system) : `[${lead.join(',')}]`,
    tools: textOf(rules.tools),
    session: rules.sessions.map((key) => sessionOf(read(key))).join('\n'),
    ...(passes === undefined ? {} : { passes }),
  };
}

// Anthropic's metadata holds `user_id`, into which clients write their session.
function sessionOf(value: unknown): string {
  const { user_id: user } = fieldsOf(value);
  const written = typeof value === 'string' ? value : user;
  return typeof written === 'string' ? written : '';
}

/** The body with other messages; every other character stays. */
export function withMessages({ head, lead, behind }: Reading, messages: readonly string[]): string {
  return `${head}[${[...lead, ...messages].join(',')}]${behind}`;
}
