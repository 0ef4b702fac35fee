import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { findAtoms } from '../../packages/core/src/atoms/atoms.ts';
import { formatNamed } from '../../packages/core/src/formats/index.ts';

/** All conversations of the corpus, or `undefined` where it is not there. */
export function loadCorpus(folder) {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .sort()
    .flatMap((name) =>
      readFileSync(new URL(name, folder), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => prepare(JSON.parse(line))),
    );
}

function prepare({ id, source, messages, meta }) {
  const format = formatNamed('openai-chat');
  const decoded = [];
  for (const native of messages) decoded.push(format.decode(native, decoded));
  const texts = messages.map(textOf);
  return { id, source, meta, messages: decoded, texts, half: fnv(id) % 2 === 0 ? 'design' : 'held out' };
}

/** A native message as plain text: content, then each call as its name and the values of its arguments. */
export function textOf({ content, tool_calls: calls = [] }) {
  const own = typeof content === 'string' ? content : (content ?? []).map((part) => part.text ?? '').join('\n');
  return [own, ...calls.map(({ function: call }) => `${call.name} ${argumentsText(call.arguments)}`)].join('\n');
}

function argumentsText(json) {
  try {
    const lines = [];
    flatten(JSON.parse(json), '', lines);
    return lines.join('\n');
  } catch {
    return json;
  }
}

function flatten(value, key, lines) {
  if (value !== null && typeof value === 'object') {
    for (const [name, inner] of Object.entries(value)) flatten(inner, name, lines);
  } else lines.push(`${key}: ${value}`);
}

/** Characters over four. */
export const quarter = (text) => Math.ceil(text.length / 4);

/** Splits a conversation at a share of its characters, at a boundary of atoms, and parts off a verbatim tail. */
export function cutAt(conversation, share) {
  const { messages, texts } = conversation;
  const starts = startsOf(conversation);
  const sizes = texts.map(quarter);
  const isSystem = (index) => messages[index].role === 'system';
  const total = sizes.reduce((sum, size, index) => sum + (isSystem(index) ? 0 : size), 0);
  let passed = 0;
  let cut = messages.length;
  for (let index = 0; index < messages.length; index += 1) {
    if (passed >= total * share && starts.includes(index)) {
      cut = index;
      break;
    }
    if (!isSystem(index)) passed += sizes[index];
  }
  return partAt(conversation, cut);
}

/** Splits at a message index, keeping a verbatim tail of at most 2,000 tokens in whole atoms. */
export function partAt(conversation, cut, tailTokens = 2000) {
  const { messages, texts } = conversation;
  const starts = startsOf(conversation);
  let tailStart = cut;
  let size = 0;
  for (let index = cut - 1; index >= 0; index -= 1) {
    size += quarter(texts[index]);
    if (size > tailTokens) break;
    if (starts.includes(index)) tailStart = index;
  }
  const isSystem = (index) => messages[index].role === 'system';
  const range = (from, to) => [...Array(Math.max(0, to - from)).keys()].map((offset) => offset + from);
  const headIndexes = range(0, tailStart).filter((index) => !isSystem(index));
  return {
    cut,
    headIndexes,
    head: headIndexes.map((index) => texts[index]),
    headMessages: headIndexes.map((index) => messages[index]),
    tail: range(tailStart, cut).map((index) => texts[index]),
    tailMessages: range(tailStart, cut).map((index) => messages[index]),
    system: texts.filter((_, index) => isSystem(index)).join('\n'),
    future: range(cut, messages.length)
      .filter((index) => !isSystem(index))
      .map((index) => ({ role: messages[index].role, text: texts[index] })),
  };
}

export function startsOf({ messages }) {
  return findAtoms(messages.map((message) => ({ message }))).list.map(({ first }) => first);
}

export function fnv(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
