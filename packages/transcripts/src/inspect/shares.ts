import { estimateTokens, type Message, type Part } from 'epitome';

/** What tokens are spent on. */
export const SHARES = ['system', 'user', 'assistant', 'thinking', 'calls', 'results', 'media'] as const;
/** One of `SHARES`. */
export type Share = (typeof SHARES)[number];

/** Tokens by what they are spent on. */
export type Shares = Readonly<Record<Share, number>>;

/** One part of a message with its weight. */
export type Weighed = { readonly share: Share; readonly tokens: number; readonly tool?: string };

/** The parts of a message with their estimated tokens. */
export function weigh(message: Message): readonly Weighed[] {
  return message.parts.map((part) => weighPart(part, message));
}

/** Sums weighed parts. */
export function sharesOf(weighed: Iterable<Weighed>): Shares {
  const sums: Record<Share, number> = { system: 0, user: 0, assistant: 0, thinking: 0, calls: 0, results: 0, media: 0 };
  for (const { share, tokens } of weighed) sums[share] += tokens;
  return sums;
}

// A picture of usual size, by the rules of the providers.
const MEDIA_TOKENS = 1000;

function weighPart(part: Part, { role }: Message): Weighed {
  switch (part.kind) {
    case 'text':
      return { share: role === 'system' || role === 'assistant' ? role : 'user', tokens: estimateTokens(part.text) };
    case 'reasoning':
      return { share: 'thinking', tokens: estimateTokens(part.text) };
    case 'tool-call':
      return { share: 'calls', tokens: estimateTokens(part.name) + estimateTokens(part.input), tool: part.name };
    case 'tool-result': {
      const tokens = estimateTokens(part.text) + part.media.length * MEDIA_TOKENS;
      return { share: 'results', tokens, tool: part.name };
    }
    case 'media':
      return { share: 'media', tokens: MEDIA_TOKENS };
    case 'opaque':
      return { share: role === 'assistant' ? 'assistant' : 'user', tokens: Math.ceil(part.size / 4) };
    default:
      return part satisfies never;
  }
}
