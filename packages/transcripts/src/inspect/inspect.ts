import type { Message } from 'epitome';
import { decodeAll } from '../convert/convert.ts';
import type { SourceName, Usage } from '../model/item.ts';
import { defined } from '../model/json.ts';
import type { Branch, Session } from '../model/session.ts';
import { entriesOf, messagesOf } from '../tree/messages.ts';
import { addUsage } from '../tree/usage.ts';
import { lossesOf, type PastCompaction } from './losses.ts';
import { type Shares, sharesOf, type Weighed, weigh } from './shares.ts';

/** What a session is made of. Tokens are estimates unless they stand under `reported`. */
export type Inspection = {
  readonly source: SourceName;
  readonly id?: string;
  readonly title?: string;
  readonly cwd?: string;
  readonly models: readonly string[];
  readonly startedAt?: number;
  readonly endedAt?: number;
  readonly branch: string;
  readonly messages: number;
  readonly turns: number;
  readonly calls: number;
  readonly failedResults: number;
  readonly tokens: { readonly total: number; readonly shares: Shares };
  readonly tools: readonly ToolUse[];
  readonly timeline: readonly Stretch[];
  readonly biggest: readonly BigMessage[];
  readonly duplicates: readonly Duplicate[];
  readonly branches: readonly { readonly name: string; readonly entries: number; readonly side?: string }[];
  readonly compactions: readonly PastCompaction[];
  readonly reported?: { readonly requests: number; readonly usage: Usage; readonly mostPrompt: number };
  readonly faultCount: number;
  readonly unknown: Readonly<Record<string, number>>;
};

/** How a tool was used and what it weighs. */
export type ToolUse = { readonly name: string; readonly calls: number; readonly tokens: number };

/** A stretch of messages. */
export type Stretch = {
  readonly first: number;
  readonly last: number;
  readonly total: number;
  readonly shares: Shares;
};

/** One of the heaviest messages. */
export type BigMessage = {
  readonly index: number;
  readonly role: string;
  readonly tool?: string;
  readonly tokens: number;
  readonly begins: string;
};

/** A text that is there more than once. `tokens` counts what all but one of them weigh. */
export type Duplicate = {
  readonly times: number;
  readonly tokens: number;
  readonly tool?: string;
  readonly begins: string;
};

/** Looks through one branch of a session. */
export function inspectSession(session: Session, branch: Branch | undefined = session.branches[0]): Inspection {
  const messages = decodeAll(messagesOf(session, branch === undefined ? {} : { branch }), session.format);
  const weights = messages.map(weigh);
  const all = weights.flat();
  const path = entriesOf(session, branch?.leaf ?? -1);
  const times = path.flatMap((index) => session.entries[index]?.time ?? []);
  const { source, id, title, cwd, models, startedAt = times[0], faultCount, unknown } = session;
  const shares = sharesOf(all);
  return {
    source,
    ...defined({ id, title, cwd, startedAt, endedAt: times.at(-1), reported: reportedOf(session) }),
    models,
    branch: branch?.name ?? 'main',
    messages: messages.length,
    turns: path.filter((index) => session.entries[index]?.isPrompt).length,
    calls: all.filter(({ share }) => share === 'calls').length,
    failedResults: messages.flatMap(({ parts }) => parts.filter((part) => part.kind === 'tool-result' && part.isError))
      .length,
    tokens: { total: totalOf(shares), shares },
    tools: toolsOf(all),
    timeline: timelineOf(weights),
    biggest: biggestOf(messages, weights),
    duplicates: duplicatesOf(messages),
    branches: session.branches.map(({ name, leaf, side }) => ({
      name,
      entries: entriesOf(session, leaf).length,
      ...defined({ side }),
    })),
    compactions: lossesOf(session, branch?.leaf ?? -1),
    faultCount,
    unknown,
  };
}

function totalOf(shares: Shares): number {
  return Object.values(shares).reduce((sum, tokens) => sum + tokens, 0);
}

function reportedOf({ requests, totals }: Session): Inspection['reported'] {
  const mostPrompt = requests.reduce((most, { usage }) => Math.max(most, usage.prompt), 0);
  const sum = requests.reduce<Usage | undefined>(
    (all, { usage }) => (all === undefined ? usage : addUsage(all, usage)),
    undefined,
  );
  const usage = totals ?? sum;
  return usage === undefined ? undefined : { requests: requests.length, usage, mostPrompt };
}

function toolsOf(all: readonly Weighed[]): readonly ToolUse[] {
  const tools = new Map<string, { calls: number; tokens: number }>();
  for (const { tool, share, tokens } of all) {
    if (tool === undefined) continue;
    const use = tools.get(tool) ?? { calls: 0, tokens: 0 };
    tools.set(tool, { calls: use.calls + (share === 'calls' ? 1 : 0), tokens: use.tokens + tokens });
  }
  return [...tools].map(([name, use]) => ({ name, ...use })).sort((one, other) => other.tokens - one.tokens);
}

const STRETCHES = 16;

function timelineOf(weights: readonly (readonly Weighed[])[]): readonly Stretch[] {
  const size = Math.max(1, Math.ceil(weights.length / STRETCHES));
  const stretches: Stretch[] = [];
  for (let first = 0; first < weights.length; first += size) {
    const shares = sharesOf(weights.slice(first, first + size).flat());
    stretches.push({ first, last: Math.min(first + size, weights.length) - 1, total: totalOf(shares), shares });
  }
  return stretches;
}

const MOST_SHOWN = 8;

function biggestOf(messages: readonly Message[], weights: readonly (readonly Weighed[])[]): readonly BigMessage[] {
  const sized = weights.map((parts, index) => ({
    index,
    parts,
    tokens: parts.reduce((sum, { tokens }) => sum + tokens, 0),
  }));
  const top = sized.sort((one, other) => other.tokens - one.tokens).slice(0, MOST_SHOWN);
  return top.map(({ index, parts, tokens }) => {
    const tool = parts.find((part) => part.tool !== undefined)?.tool;
    const message = messages[index];
    return { index, role: message?.role ?? '', ...defined({ tool }), tokens, begins: firstWords(message) };
  });
}

// Shorter texts (`ok`, an empty result) are no waste worth a line.
const LEAST_DUPLICATE = 200;

function duplicatesOf(messages: readonly Message[]): readonly Duplicate[] {
  const seen = new Map<string, { times: number; tool?: string }>();
  for (const { parts } of messages) {
    for (const part of parts) {
      if ((part.kind !== 'text' && part.kind !== 'tool-result') || part.text.length < LEAST_DUPLICATE) continue;
      const known = seen.get(part.text);
      seen.set(part.text, {
        times: (known?.times ?? 0) + 1,
        ...(part.kind === 'tool-result' ? { tool: part.name } : {}),
      });
    }
  }
  const twice = [...seen].filter(([, { times }]) => times > 1);
  const found = twice.map(([text, { times, tool }]) => {
    const [weighed] = weigh({ role: 'user', parts: [{ kind: 'text', text }], native: undefined });
    return {
      times,
      tokens: (times - 1) * (weighed?.tokens ?? 0),
      ...defined({ tool }),
      begins: text.slice(0, 200),
    };
  });
  return found.sort((one, other) => other.tokens - one.tokens).slice(0, MOST_SHOWN);
}

function firstWords(message: Message | undefined): string {
  for (const part of message?.parts ?? []) {
    if ((part.kind === 'text' || part.kind === 'tool-result') && part.text.trim() !== '')
      return part.text.slice(0, 200);
    if (part.kind === 'tool-call') return `${part.name} ${part.input.slice(0, 200)}`;
  }
  return '';
}
