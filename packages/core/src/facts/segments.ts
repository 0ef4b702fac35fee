import type { FactOrigin } from '../model/facts.ts';
import type { Message, Part } from '../model/message.ts';
import { isOwnTool, stopOf, withoutSaid } from './stopped.ts';

/** A stretch of a message's text with one author. `tool` and `call` are set for calls and results, `call` for what was said to one. */
export type Segment = {
  readonly source: number;
  readonly origin: FactOrigin;
  readonly text: string;
  /** Who of several people speaks. */
  readonly name?: string;
  readonly tool?: string;
  readonly call?: string;
  /** A call's arguments as a value. */
  readonly input?: unknown;
  readonly isError?: boolean;
};

/** A segment, and the id of its message where that is known. */
export type From = { readonly segment: Segment; readonly id: string | undefined };

/** The texts of a message; a call's arguments as `key: value` lines, what the user said to a rejected call as a prompt. */
export function segmentsOf(message: Message, source: number): readonly Segment[] {
  const segments: Segment[] = [];
  if (message.role === 'system' || message.role === 'other') return segments;
  for (const part of message.parts) {
    const segment = segmentOf(part, message, source);
    if (segment === undefined || (segment.text === '' && segment.tool === undefined)) continue;
    const said = segment.isError === true ? saidWith(segment) : '';
    if (said === '') segments.push(segment);
    else
      segments.push(
        { ...segment, text: withoutSaid(segment.text) },
        { source, origin: 'prompt', text: said, ...callIn(segment) },
      );
  }
  return segments;
}

/** What it was said to. */
function callIn({ call }: Segment): Pick<Segment, 'call'> {
  return call === undefined ? {} : { call };
}

/** What the user said to a call instead of letting it happen; `''` where a server may have made it up. */
function saidWith({ text, tool = '' }: Segment): string {
  return isOwnTool(tool) ? (stopOf(text)?.said ?? '') : '';
}

function segmentOf(part: Part, { role, name }: Message, source: number): Segment | undefined {
  switch (part.kind) {
    case 'text': {
      const { text } = part;
      if (role === 'tool') return { source, origin: 'result', text };
      const origin = role === 'assistant' ? 'answer' : 'prompt';
      return name === undefined ? { source, origin, text } : { source, origin, text, name };
    }
    case 'tool-call': {
      const input = parsed(part.input);
      const text = input === undefined ? part.input : argumentLines(input);
      return { source, origin: 'call', text, tool: part.name, call: part.callId, input };
    }
    case 'tool-result': {
      const { text, name: tool, callId: call, isError } = part;
      return { source, origin: 'result', text, tool, call, isError };
    }
    // Thinking is not for others to read; media and opaque blocks have no text.
    case 'reasoning':
    case 'media':
    case 'opaque':
      return undefined;
    default:
      return part satisfies never;
  }
}

function parsed(input: string): unknown {
  try {
    return JSON.parse(input);
  } catch {
    return undefined;
  }
}

function argumentLines(value: unknown): string {
  const lines: string[] = [];
  collect(value, { key: '', depth: 0 }, lines);
  return lines.join('\n');
}

function collect(value: unknown, at: { readonly key: string; readonly depth: number }, lines: string[]): void {
  const { key, depth } = at;
  if (typeof value !== 'object' || value === null) lines.push(key === '' ? String(value) : `${key}: ${String(value)}`);
  else if (depth < DEEPEST) {
    const isList = Array.isArray(value);
    for (const [name, inner] of Object.entries(value))
      collect(inner, { key: isList ? key : name, depth: depth + 1 }, lines);
  }
}

// Nobody nests arguments this deep; deeper ones would overflow the stack.
const DEEPEST = 100;
