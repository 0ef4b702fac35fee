import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const at = (path: string): URL => new URL(`../../../../${path}`, import.meta.url);
const read = (path: string): string => readFileSync(at(path), 'utf8');
const blocks = [...read('README.md').matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, language, body]) => ({
  language,
  body,
}));

test('the first example in the README prints what the README says', () => {
  const output = execFileSync(process.execPath, [at('examples/quickstart.mjs').pathname], { encoding: 'utf8' });
  expect(blocks[1]?.body).toBe(output);
});

test('the first example in the README is taken from the file it names', () => {
  const source = read('examples/quickstart.mjs');
  const lines = (blocks[0]?.body ?? '').split('\n').filter((line) => line.trim() !== '');
  expect(lines.filter((line) => !source.includes(line))).toEqual([]);
});

test('every page a page links to exists', () => {
  const pages = [
    'README.md',
    'CONTRIBUTING.md',
    'docs/architecture.md',
    'docs/guarantees.md',
    'docs/guides/presets.md',
  ];
  for (const page of pages) {
    for (const [, target = ''] of read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      expect(() => readFileSync(new URL(target, at(page))), `${page} → ${target}`).not.toThrow(/ENOENT/);
    }
  }
});
