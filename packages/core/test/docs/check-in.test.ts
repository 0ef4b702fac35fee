import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const at = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);

test('the guide to check-ins quotes an example that prints what it says', () => {
  const guide = readFileSync(at('docs/guides/deliberate.md'), 'utf8');
  expect(guide).toContain(readFileSync(at('examples/check-in.mjs'), 'utf8'));
  expect(guide).toContain(execFileSync(process.execPath, [at('examples/check-in.mjs').pathname], { encoding: 'utf8' }));
});
