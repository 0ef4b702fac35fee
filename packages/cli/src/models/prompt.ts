import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { escapeTag, type Prompt, type PromptContext } from 'epitome';
import type Handlebars from 'handlebars';
import { messageOf, UsageError, whyNot } from '../errors.ts';

/**
 * Compiles a prompt: `@file.hbs`, or the template itself. Partials are files beside it (in `folder` for a template that is
 * no file), named with or without `.hbs`.
 */
export async function compilePrompt(setting: string, folder = '.'): Promise<Prompt> {
  const isFile = setting.startsWith('@');
  if (!isFile && !setting.includes('{{')) {
    throw new UsageError(`Option prompt takes @file.hbs or a Handlebars template, not ${JSON.stringify(setting)}.`);
  }
  const { default: handlebars } = await import('handlebars');
  const file = setting.slice(1);
  const template = isFile ? await read(file, 'prompt') : setting;
  const name = isFile ? file : 'prompt';
  const library = { handlebars, engine: handlebars.create(), folder: isFile ? dirname(file) : folder };
  library.engine.registerHelper('escapeTag', escaped);
  await addPartials(library, { name, template });
  const render = library.engine.compile<PromptContext>(template, { noEscape: true });
  tryOut(render, name);
  return (context) => render(context);
}

/** `{{escapeTag conversation "conv"}}`: a text that cannot close the tag it is put into. */
function escaped(text: unknown, tag: unknown): string {
  if (typeof text !== 'string' || typeof tag !== 'string' || !/^[\w-]+$/.test(tag)) {
    throw new UsageError('escapeTag takes a text and the name of a tag, as in {{escapeTag conversation "conv"}}.');
  }
  return escapeTag(text, tag);
}

type Library = {
  readonly handlebars: typeof Handlebars;
  /** Holds the partials of this template alone. */
  readonly engine: typeof Handlebars;
  readonly folder: string;
};
type Template = { readonly name: string; readonly template: string };

/** Registers every partial that a template names, and those which they name. */
async function addPartials(library: Library, { name, template }: Template): Promise<void> {
  const { engine, folder } = library;
  for (const partial of partialsOf(library, { name, template })) {
    if (partial in engine.partials) continue;
    if (basename(partial) !== partial) {
      throw new UsageError(`${name}: the partial ${JSON.stringify(partial)} must be a file beside it.`);
    }
    const file = join(folder, extname(partial) === '' ? `${partial}.hbs` : partial);
    const text = await read(file, `partial of ${name}`);
    engine.registerPartial(partial, text);
    await addPartials(library, { name: file, template: text });
  }
}

function partialsOf({ handlebars }: Library, { name, template }: Template): readonly string[] {
  const names: string[] = [];
  class Collector extends handlebars.Visitor {
    override PartialStatement(partial: hbs.AST.PartialStatement): void {
      if ('original' in partial.name) names.push(String(partial.name.original));
      super.PartialStatement(partial);
    }
  }
  try {
    new Collector().accept(handlebars.parse(template));
  } catch (cause) {
    throw new UsageError(`${name} is no Handlebars template: ${messageOf(cause)}`, { cause });
  }
  return names;
}

const SAMPLE: PromptContext = { conversation: '', recent: '', prior: '', goal: '', focus: '', maxTokens: 1000 };

// Unknown helpers show only when it runs: better before the conversation is read than in the middle.
function tryOut(render: (context: PromptContext) => string, name: string): void {
  try {
    render(SAMPLE);
  } catch (cause) {
    throw new UsageError(`${name} cannot be rendered: ${messageOf(cause)}`, { cause });
  }
}

async function read(file: string, what: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError(`The ${what} ${file} cannot be read: ${whyNot(cause)}.`, { cause });
  }
}
