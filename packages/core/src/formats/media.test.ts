import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dataUrl, imageSizeOf } from './media.ts';

const base64 = (...bytes: (number | string)[]): string =>
  btoa(bytes.map((byte) => (typeof byte === 'string' ? byte : String.fromCharCode(byte))).join(''));
const zeros = (count: number): string => '\0'.repeat(count);

// 640 × 480 in every header.
const png = base64(0x89, 'PNG\r\n\x1a\n', zeros(3), 13, 'IHDR', 0, 0, 2, 128, 0, 0, 1, 224, zeros(40));
const frame = (marker: number): (number | string)[] => [0xff, marker, 0, 17, 8, 1, 224, 2, 128, zeros(20)];
const jpeg = (...segments: (number | string)[]): string => base64(0xff, 0xd8, ...segments);
const segment = (marker: number, length: number): (number | string)[] => [
  0xff,
  marker,
  length >> 8,
  length & 255,
  zeros(length - 2),
];

describe('imageSizeOf', () => {
  test.each([
    ['PNG', png],
    ['JPEG', jpeg(...segment(0xe0, 16), ...frame(0xc0))],
    [
      'progressive JPEG behind EXIF, tables and filler',
      jpeg(...segment(0xe1, 9000), 0xff, 0xff, 0xc4, 0, 2, ...frame(0xc2)),
    ],
    ['GIF', base64('GIF89a', 128, 2, 224, 1, zeros(60))],
    ['lossy WebP', base64('RIFF', zeros(4), 'WEBPVP8 ', zeros(4), 0, 0, 0, 0x9d, 1, 0x2a, 128, 2, 224, 1, zeros(40))],
    ['lossless WebP', base64('RIFF', zeros(4), 'WEBPVP8L', zeros(4), 0x2f, 0x7f, 0xc2, 0x77, 0, zeros(40))],
    ['extended WebP', base64('RIFF', zeros(4), 'WEBPVP8X', 10, zeros(7), 127, 2, 0, 223, 1, 0, zeros(40))],
    ['base64url', png.replaceAll('+', '-').replaceAll('/', '_')],
  ])('reads 640 × 480 from a %s', (_, image) => {
    expect(imageSizeOf(image)).toEqual({ width: 640, height: 480 });
  });

  test.each([
    ['nothing', ''],
    ['no base64', '%%%%'],
    ['a cut PNG', png.slice(0, 20)],
    ['a size of zero', base64('\x89PNG', zeros(70))],
    ['a cut GIF', base64('GIF89a')],
    ['a sound in the same container', base64('RIFF', zeros(4), 'WAVEfmt ', zeros(60))],
    ['a JPEG without a frame', jpeg(...segment(0xe0, 16))],
    ['a frame beyond the first 64 kB', jpeg(...segment(0xe1, 60000), ...frame(0xc0))],
    ['a PDF', base64('%PDF-1.7', zeros(80))],
  ])('knows no size of %s', (_, image) => {
    expect(imageSizeOf(image)).toBeUndefined();
  });

  test('never throws, and gives positive sizes only', () => {
    const start = fc.constantFrom('', '\xff\xd8\xff', '\x89PNG', 'GIF8', 'RIFF1234WEBPVP8X');
    const bytes = fc.uint8Array({ maxLength: 200 });
    fc.assert(
      fc.property(start, bytes, fc.string(), (head, rest, tail) => {
        const size = imageSizeOf(base64(head, ...rest) + tail) ?? { width: 1, height: 1 };
        expect(Math.min(size.width, size.height)).toBeGreaterThan(0);
      }),
    );
  });
});

describe('dataUrl', () => {
  test.each([
    ['data:image/png;base64,AAAA', { mimeType: 'image/png', base64: 'AAAA' }],
    ['DATA:Image/PNG;charset=utf-8;BASE64,AAAA', { mimeType: 'image/png', base64: 'AAAA' }],
    ['data:;base64,', { mimeType: '', base64: '' }],
    ['data:text/plain,base64', undefined],
    ['data:image/png;base64', undefined],
    ['https://example.com/a.png', undefined],
    ['', undefined],
    [`data:${'x'.repeat(1000)};base64,AAAA`, undefined],
  ])('%s', (url, expected) => {
    expect(dataUrl(url)).toEqual(expected);
  });

  test('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => [dataUrl(text), dataUrl(`data:${text}`)].length === 2));
  });
});
