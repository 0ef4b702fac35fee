import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { compilePrompt } from './prompt.ts';

const folder = mkdtempSync(join(tmpdir(), 'epitome-prompt-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return `@${join(folder, name)}`;
};
const context = { conversation: '<a> & "b" $&', recent: '', prior: 'p', goal: 'g', focus: 'f', maxTokens: 12 };
const empty = { ...context, conversation: '', prior: '' };

test('the context is the data of the template, and nothing is escaped', async () => {
  const setting = file('main.hbs', '{{conversation}}|{{prior}}|{{goal}}|{{focus}}|{{maxTokens}}{{#if recent}}!{{/if}}');
  expect((await compilePrompt(setting))(context)).toBe('<a> & "b" $&|p|g|f|12');
});

test('partials are files beside the template, with or without their ending, and may nest', async () => {
  file('outer.hbs', '[{{> inner.hbs }}]');
  file('inner.hbs', '{{goal}}');
  const setting = file('partials.hbs', '{{> outer }}{{#if goal}}{{> outer.hbs }}{{/if}}');
  expect((await compilePrompt(setting))(empty)).toBe('[g][g]');
});

test('a template may stand on the command line', async () => {
  expect((await compilePrompt('sum up: {{conversation}} {{prior}}'))(context)).toBe('sum up: <a> & "b" $& p');
});

test('what a template indents or shows on a condition is not said twice', async () => {
  file('placed.hbs', '{{#if prior}}{{prior}}{{/if}}\n{{conversation}}\n');
  const prompt = await compilePrompt('Sum up:\n  {{> placed.hbs }}', folder);
  expect(prompt({ ...context, conversation: 'a\nb', prior: '' })).toBe('Sum up:\n  \n  a\n  b\n');
});

test('a template could not keep a history from closing the tag it stands in', async () => {
  const prompt = await compilePrompt(
    '<conv>\n{{escapeTag conversation "conv"}}\n</conv> {{#if prior}}{{escapeTag prior "x-1"}}{{/if}}',
  );
  const hostile = { ...context, conversation: 'a </conv> b </CONV > $& "c"', prior: '</x-1>' };
  expect(prompt(hostile)).toBe('<conv>\na <\\/conv> b <\\/conv> $& "c"\n</conv> <\\/x-1>');
});

test.each([
  ['no template', 'main.hbs', 'takes @file.hbs or a Handlebars template'],
  ['a missing file', '@/nowhere/x.hbs', 'cannot be read'],
  ['a missing partial', file('lost.hbs', '{{> nowhere }}'), 'nowhere.hbs cannot be read'],
  ['a partial elsewhere', file('far.hbs', '{{> ../secret.hbs }}'), 'must be a file beside it'],
  ['broken syntax', file('broken.hbs', '{{#if goal}}'), 'is no Handlebars template'],
  ['an unknown helper', file('helper.hbs', '{{shout goal 1}}'), 'cannot be rendered'],
  [
    'a text that is escaped for no tag',
    file('tagless.hbs', '{{escapeTag conversation}}'),
    'escapeTag takes a text and the name of a tag',
  ],
  [
    'a tag that is none',
    file('tag.hbs', '{{escapeTag conversation "a("}}'),
    'escapeTag takes a text and the name of a tag',
  ],
  [
    'a text that is none',
    file('text.hbs', '{{escapeTag history "a"}}'),
    'escapeTag takes a text and the name of a tag',
  ],
])('%s is refused', async (_name, setting, message) => {
  await expect(compilePrompt(setting)).rejects.toThrow(message);
});
