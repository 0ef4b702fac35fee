import { open, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { within } from './confine.ts';
import { limited, numberOf, type Tool, type ToolPlace, textOf } from './tool.ts';

const MOST_BYTES = 2_000_000;
const MOST_ENTRIES = 500;
// What nobody means when they ask for the files of a project.
const SKIPPED: ReadonlySet<string> = new Set(['.git', 'node_modules', '.venv', '__pycache__', '.cache']);

/** Reads a file of text, or some lines of it. */
export function readFileTool({ folder }: ToolPlace): Tool {
  return {
    name: 'read_file',
    description: 'Reads a text file inside the working directory. Long files can be read in parts by line.',
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: 'Path relative to the working directory' },
        offset: { type: 'integer', description: 'First line, counted from 1' },
        limit: { type: 'integer', description: 'How many lines' },
      },
      required: ['path'],
    },
    describe: (input) => `read ${textOf(input, 'path')}`,
    run: async (input) => {
      const path = await within(folder, textOf(input, 'path'));
      if ((await stat(path)).isDirectory()) throw new Error('That is a directory; list_files shows what is in it.');
      const text = await readText(path);
      const first = numberOf(input, 'offset', { min: 1, max: 1e9, default: 1 });
      const count = numberOf(input, 'limit', { min: 1, max: 1e9, default: 1e9 });
      const lines = text.split('\n');
      const isPart = first > 1 || count < lines.length;
      return { text: limited(isPart ? lines.slice(first - 1, first - 1 + count).join('\n') : text) };
    },
  };
}

/** Lists what is in a folder. */
export function listFilesTool({ folder }: ToolPlace): Tool {
  return {
    name: 'list_files',
    description: 'Lists files and folders inside the working directory, without .git and node_modules.',
    inputSchema: {
      type: 'object',
      properties: {
        path: {
          type: 'string',
          description: 'Folder relative to the working directory; default: the directory itself',
        },
        depth: { type: 'integer', description: 'How many levels, 1 to 5; default: 1' },
      },
    },
    describe: (input) => `list ${textOf(input, 'path') || '.'}`,
    run: async (input, signal) => {
      const top = await within(folder, textOf(input, 'path'));
      const depth = numberOf(input, 'depth', { min: 1, max: 5, default: 1 });
      const found: string[] = [];
      for await (const entry of walk(top, { depth, signal })) {
        found.push(`${relative(top, entry.path)}${entry.isFolder ? '/' : ''}`);
        if (found.length >= MOST_ENTRIES) break;
      }
      const more = found.length >= MOST_ENTRIES ? `\n[... only the first ${MOST_ENTRIES} ...]` : '';
      return { text: found.length === 0 ? '(empty)' : `${found.join('\n')}${more}` };
    },
  };
}

/** Looks for a text in files. */
export function searchTool({ folder }: ToolPlace): Tool {
  return {
    name: 'search',
    description: 'Looks for a text (literally, in any case) in the files inside the working directory.',
    inputSchema: {
      type: 'object',
      properties: {
        text: { type: 'string', description: 'What to look for' },
        path: { type: 'string', description: 'Folder or file to look in; default: the whole working directory' },
      },
      required: ['text'],
    },
    describe: (input) => `search ${JSON.stringify(textOf(input, 'text'))} in ${textOf(input, 'path') || '.'}`,
    run: async (input, signal) => {
      const words = textOf(input, 'text').toLowerCase();
      if (words === '') throw new Error('There is nothing to look for: text is empty.');
      const top = await within(folder, textOf(input, 'path'));
      const hits: string[] = [];
      for await (const path of filesIn(top, signal)) {
        for (const hit of await hitsIn(path, { words, name: relative(folder, path) })) hits.push(hit);
        if (hits.length >= MOST_HITS) break;
      }
      const more = hits.length > MOST_HITS ? [`[... only the first ${MOST_HITS} ...]`] : [];
      return {
        text: hits.length === 0 ? 'Nothing found.' : limited([...hits.slice(0, MOST_HITS), ...more].join('\n')),
      };
    },
  };
}

const MOST_HITS = 100;

async function* filesIn(top: string, signal: AbortSignal): AsyncGenerator<string> {
  if ((await stat(top)).isFile()) yield top;
  else for await (const { path, isFolder } of walk(top, { depth: 20, signal })) if (!isFolder) yield path;
}

async function hitsIn(path: string, { words, name }: { words: string; name: string }): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readText(path);
  } catch {
    // Binary, too large or not ours to read: a search goes on.
    return [];
  }
  return text.split('\n').flatMap((line, index) => {
    return line.toLowerCase().includes(words) ? [`${name}:${index + 1}: ${line.trim().slice(0, 200)}`] : [];
  });
}

type Entry = { readonly path: string; readonly isFolder: boolean };

/** What is in a folder, by name, folders before what is in them; links are not followed. */
async function* walk(folder: string, { depth, signal }: { depth: number; signal: AbortSignal }): AsyncGenerator<Entry> {
  signal.throwIfAborted();
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    if (SKIPPED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isFile() || entry.isDirectory()) yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory() && depth > 1) yield* walk(path, { depth: depth - 1, signal });
  }
}

async function readText(path: string): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    if (size > MOST_BYTES) throw new Error(`The file has ${size} bytes; at most ${MOST_BYTES} can be read.`);
    const bytes = await file.readFile();
    if (bytes.subarray(0, 8000).includes(0)) throw new Error('The file is binary.');
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}
