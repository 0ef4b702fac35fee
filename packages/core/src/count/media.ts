import type { FormatName } from '../model/format.ts';
import type { Media } from '../model/message.ts';

/**
 * Tokens of an image, document or recording by the provider's own rule, an integer of at least 1. A format does not tell
 * the model, so of the rules its current models follow the dearest counts; sizes that are not known are assumed.
 */
export function estimateMedia(media: Media, rule: FormatName): number {
  return Math.max(1, Math.ceil(tokensOf(media, rule)));
}

type Provider = 'openai' | 'anthropic' | 'gemini';
type Size = { readonly width: number; readonly height: number };

// The AI SDK may stand in front of any of them.
const PROVIDERS: Readonly<Record<FormatName, readonly Provider[]>> = {
  'openai-chat': ['openai'],
  'openai-responses': ['openai'],
  anthropic: ['anthropic'],
  gemini: ['gemini'],
  'ai-sdk': ['openai', 'anthropic', 'gemini'],
};

// Text and picture of each page are charged. Measured on pages of text, tables and scans in October 2026
// (huggingface.co/datasets/JOHNISKING/pdf-token-cost): Claude 1,600–2,480, Gemini 3 560 (Gemini 2 documents 258).
// OpenAI says "text and an image of each page": about 1,400 for the picture, 600 for the text.
const PAGE_TOKENS: Readonly<Record<Provider, number>> = { openai: 2000, anthropic: 2300, gemini: 560 };
// Text pages of office software take 10 to 100 kB; 100 pages is Anthropic's limit for 200k windows, and keeps
// scans, which take far more bytes a page, from looking endless.
const PAGE_BYTES = 50_000;
const MOST_ASSUMED_PAGES = 100;
// No provider reads more of one document.
const MOST_PAGES = 1000;

// ai.google.dev/gemini-api/docs/tokens: 32 tokens for each second of sound, 263 for each second of film. OpenAI's audio
// models charge 10 a second; Anthropic takes neither.
const AUDIO_TOKENS_PER_SECOND = 32;
const VIDEO_TOKENS_PER_SECOND = 263;
// 128 kbit/s of sound, 2 Mbit/s of film.
const AUDIO_BYTES_PER_SECOND = 16_000;
const VIDEO_BYTES_PER_SECOND = 250_000;
const ASSUMED_SECONDS = 60;

const BYTES_PER_TOKEN = 4;
// Readers of attached files cut off; a megabyte of archive is not 250,000 tokens.
const MOST_FILE_TOKENS = 32_000;
const ASSUMED_FILE_TOKENS = 1000;

function tokensOf(media: Media, rule: FormatName): number {
  const bytes = positive(media.bytes);
  switch (media.media) {
    case 'image':
      // biome-ignore lint/plugin: a handful of providers.
      return Math.max(...PROVIDERS[rule].map((provider) => IMAGE_RULES[provider](media)));
    case 'document':
      return media.mimeType?.startsWith('text/') ? fileTokens(bytes) : pagesOf(media) * pageTokens(rule);
    case 'audio':
      return AUDIO_TOKENS_PER_SECOND * secondsOf(bytes, AUDIO_BYTES_PER_SECOND);
    case 'video':
      return VIDEO_TOKENS_PER_SECOND * secondsOf(bytes, VIDEO_BYTES_PER_SECOND);
    case 'file':
      return fileTokens(bytes);
    default:
      return media.media satisfies never;
  }
}

const IMAGE_RULES: Readonly<Record<Provider, (media: Media) => number>> = {
  openai: openaiImage,
  anthropic: anthropicImage,
  gemini: geminiImage,
};

// Two rules are in use. Tiles (GPT-4o, 4.1): fit into 2048 × 2048, bring the short side down to 768, then 170 for each
// 512-pixel tile and 85. Patches (GPT-5.5, 6): 1.2 for each 32-pixel square; measured at 1,229 for 1024 × 1024, and at
// most 2,940 with `detail: high` (huggingface.co/datasets/JOHNISKING/image-token-cost, platform.openai.com/docs/guides/images-vision).
const OPENAI_LOW = 85;
const OPENAI_MOST_PATCHES = 2450;

function openaiImage(media: Media): number {
  if (media.detail === 'low') return OPENAI_LOW;
  const size = sizeOf(media) ?? { width: 1024, height: 1024 };
  const fitted = within(size, 2048);
  const shrink = Math.min(1, 768 / Math.min(fitted.width, fitted.height));
  const tiles = cells({ width: fitted.width * shrink, height: fitted.height * shrink }, 512);
  return Math.max(OPENAI_LOW + 170 * tiles, 1.2 * Math.min(cells(size, 32), OPENAI_MOST_PATCHES));
}

// platform.claude.com/docs/en/build-with-claude/vision: width × height / 750. Up to Claude 4.6 the long side is brought
// down to 1568 and no image costs more than about 1,600; from 4.7 on to 2576 and 4,784.
const ANTHROPIC_UNKNOWN = 1600;
const ANTHROPIC_MOST = 4784;

function anthropicImage(media: Media): number {
  const size = sizeOf(media);
  if (size === undefined) return ANTHROPIC_UNKNOWN;
  const { width, height } = within(size, 2576);
  return Math.min((width * height) / 750, ANTHROPIC_MOST);
}

// ai.google.dev/gemini-api/docs/tokens and media-resolution: Gemini 2 brings an image down to 3072 × 3072 and takes 258
// for each 768-pixel tile; Gemini 3 takes 1,120 whatever the size (280 at low resolution), measured at 1,090.
const GEMINI_FLAT = 1120;
const GEMINI_LOW = 280;

function geminiImage(media: Media): number {
  if (media.detail === 'low') return GEMINI_LOW;
  const size = sizeOf(media);
  return size === undefined ? GEMINI_FLAT : Math.max(GEMINI_FLAT, 258 * cells(within(size, 3072), 768));
}

function sizeOf(media: Media): Size | undefined {
  const width = positive(media.width);
  const height = positive(media.height);
  return width === undefined || height === undefined ? undefined : { width, height };
}

function within({ width, height }: Size, side: number): Size {
  const shrink = Math.min(1, side / Math.max(width, height));
  return { width: width * shrink, height: height * shrink };
}

function cells({ width, height }: Size, side: number): number {
  return Math.ceil(width / side) * Math.ceil(height / side);
}

function pagesOf(media: Media): number {
  const pages = positive(media.pages);
  if (pages !== undefined) return Math.min(Math.ceil(pages), MOST_PAGES);
  return Math.min(Math.ceil((positive(media.bytes) ?? 1) / PAGE_BYTES), MOST_ASSUMED_PAGES);
}

function pageTokens(rule: FormatName): number {
  // biome-ignore lint/plugin: a handful of providers.
  return Math.max(...PROVIDERS[rule].map((provider) => PAGE_TOKENS[provider]));
}

function secondsOf(bytes: number | undefined, bytesPerSecond: number): number {
  return bytes === undefined ? ASSUMED_SECONDS : bytes / bytesPerSecond;
}

function fileTokens(bytes: number | undefined): number {
  return bytes === undefined ? ASSUMED_FILE_TOKENS : Math.min(bytes / BYTES_PER_TOKEN, MOST_FILE_TOKENS);
}

// Sizes come from a client's own JSON: zero, negative or not a number means unknown.
function positive(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) && value > 0 ? value : undefined;
}
