import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FORMAT_NAMES, type FormatName } from '../model/format.ts';
import type { Media } from '../model/message.ts';
import { estimateMedia } from './media.ts';

const image = (width?: number, height?: number, detail?: string): Media => ({
  media: 'image',
  ...(width === undefined ? {} : { width }),
  ...(height === undefined ? {} : { height }),
  ...(detail === undefined ? {} : { detail }),
});

describe('images', () => {
  const cases: readonly (readonly [FormatName, Media, number])[] = [
    ['openai-chat', image(4000, 3000, 'low'), 85],
    ['openai-chat', image(), 1229],
    ['openai-chat', image(1024, 1024), 1229],
    ['openai-responses', image(256, 256), 255],
    ['openai-responses', image(1920, 1080), 2448],
    ['openai-responses', image(4032, 3024), 2940],
    ['openai-chat', image(300, 6000), 2256],
    ['anthropic', image(), 1600],
    ['anthropic', image(750, 1000), 1000],
    ['anthropic', image(1092, 1092), 1590],
    ['anthropic', image(8000, 8000), 4784],
    ['gemini', image(), 1120],
    ['gemini', image(300, 300), 1120],
    ['gemini', image(2304, 1536), 1548],
    ['gemini', image(9000, 9000), 4128],
    ['gemini', image(9000, 9000, 'low'), 280],
  ];
  test.each(cases)('%s charges %o with %i tokens', (rule, media, tokens) => {
    expect(estimateMedia(media, rule)).toBe(tokens);
  });

  test('a size that is no size is an unknown size', () => {
    for (const rule of FORMAT_NAMES) {
      for (const bad of [0, -5, Number.NaN, Number.POSITIVE_INFINITY]) {
        expect(estimateMedia(image(bad, 400), rule)).toBe(estimateMedia(image(), rule));
      }
    }
  });
});

describe('documents and recordings', () => {
  const cases: readonly (readonly [FormatName, Media, number])[] = [
    ['anthropic', { media: 'document', pages: 3 }, 6900],
    ['openai-chat', { media: 'document', pages: 3 }, 6000],
    ['gemini', { media: 'document', pages: 3 }, 1680],
    ['anthropic', { media: 'document', bytes: 120_000 }, 6900],
    ['anthropic', { media: 'document', bytes: 900 }, 2300],
    ['anthropic', { media: 'document' }, 2300],
    ['anthropic', { media: 'document', bytes: 32_000_000 }, 230_000],
    ['anthropic', { media: 'document', mimeType: 'text/plain', bytes: 8000 }, 2000],
    ['gemini', { media: 'audio', mimeType: 'audio/mp3', bytes: 160_000 }, 320],
    ['gemini', { media: 'audio' }, 1920],
    ['gemini', { media: 'video', bytes: 2_500_000 }, 2630],
    ['gemini', { media: 'video' }, 15_780],
    ['openai-chat', { media: 'file', bytes: 4001 }, 1001],
    ['openai-chat', { media: 'file', bytes: 50_000_000 }, 32_000],
    ['openai-chat', { media: 'file' }, 1000],
  ];
  test.each(cases)('%s charges %o with %i tokens', (rule, media, tokens) => {
    expect(estimateMedia(media, rule)).toBe(tokens);
  });
});

describe('whatever the client says', () => {
  const number = fc.option(fc.oneof(fc.double(), fc.integer({ min: 0, max: 20_000 })), { nil: undefined });
  const anyMedia = fc
    .record({
      media: fc.constantFrom('image', 'document', 'audio', 'video', 'file'),
      bytes: number,
      width: number,
      height: number,
      pages: number,
      detail: fc.option(fc.constantFrom('low', 'high', 'auto'), { nil: undefined }),
    })
    .map((record) => JSON.parse(JSON.stringify(record)) as Media);

  test('the estimate is an integer of at least 1, and an image is never more than 5,000', () => {
    fc.assert(
      fc.property(anyMedia, fc.constantFrom(...FORMAT_NAMES), (media, rule) => {
        const tokens = estimateMedia(media, rule);
        expect(Number.isInteger(tokens) && tokens >= 1).toBe(true);
        if (media.media === 'image') expect(tokens).toBeLessThanOrEqual(5000);
      }),
    );
  });

  test('behind the AI SDK the dearest provider counts', () => {
    fc.assert(
      fc.property(anyMedia, (media) => {
        const each = FORMAT_NAMES.filter((name) => name !== 'ai-sdk').map((name) => estimateMedia(media, name));
        expect(estimateMedia(media, 'ai-sdk')).toBe(Math.max(...each));
      }),
    );
  });
});
