import { loadConfig } from '@epitome/gateway';
import { expect, test } from 'vitest';
import { widthOf } from './text.ts';
import { welcome } from './welcome.ts';

test.each([80, 40])('in %i columns no line is wider, but for what must be copied whole', (width) => {
  const store = '/home/somebody/.local/share/epitome/epitome.db';
  const text = welcome(loadConfig({ env: {} }), { port: 4141, store, width });
  const url = 'http://127.0.0.1:4141';
  for (const whole of [
    `export OPENAI_BASE_URL=${url}/v1`,
    `export GOOGLE_GEMINI_BASE_URL=${url}`,
    `${url}/v1/conversations`,
  ])
    expect(text.split('\n').some((line) => line.includes(whole))).toBe(true);
  expect(text).toContain(store);
  const wide = text.split('\n').filter((line) => widthOf(line) > width);
  expect(wide.filter((line) => line.trim().split(' ').length > 2)).toEqual([]);
});
