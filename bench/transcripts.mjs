// Reading sessions: records a second beside JSON.parse on the same file, memory over the size of the file, and reading
// and inspecting every session under ../shared/data/raw where that is there. Files are made of our own fixtures, grown
// to a size; `--megabytes 200` for larger ones.
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { argument, goal, runAsScript, table, timed } from './harness.mjs';

const { inspectSession, readItems, readSessions } = await import('../packages/transcripts/dist/index.js');

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const MEGABYTES = Number(argument('--megabytes', 48));
const ROUNDS = 5;
const fixtures = fileURLToPath(new URL('../packages/transcripts/test/fixtures/', import.meta.url));
const raw = fileURLToPath(new URL('../../shared/data/raw/', import.meta.url));

// Texts as long as real sessions have them, two to three kilobytes a record.
const LONG = `const answer = "42";\n${'  if (value !== undefined) return "\\n"; // ok\n'.repeat(60)}`;

export async function report() {
  const folder = mkdtempSync(join(tmpdir(), 'epitome-bench-transcripts-'));
  try {
    const rows = [];
    const ratios = [];
    for (const [name, grow] of Object.entries(SUBJECTS)) {
      const file = join(folder, name);
      writeFileSync(file, grow(readFileSync(join(fixtures, name), 'utf8')));
      const { own, parse, memory } = await measure(file);
      ratios.push({ name, own, parse });
      rows.push([name, own.toFixed(0), parse.toFixed(0), (own / parse).toFixed(2), memory.toFixed(0)]);
    }
    const flat = await memoryOver(folder);
    const real = await readReal();
    const slow = ratios.filter(({ own, parse }) => own < Math.min(100, parse / 2));
    const goals = [
      goal(
        'at least 100 MB/s or half of JSON.parse, whichever is lower, on every kind of file',
        slow.length === 0 ? 'all are' : slow.map(({ name, own }) => `${name} ${own.toFixed(0)} MB/s`).join(', '),
        slow.length === 0,
      ),
      goal(
        'memory does not grow with the file',
        `${flat.small} MB for 20 MB, ${flat.large} MB for 200 MB`,
        flat.large <= flat.small * 1.2 + 5,
      ),
    ];
    const text = [
      table(['file grown from a fixture', 'MB/s', 'JSON.parse, MB/s', 'ratio', 'most memory, MB'], rows),
      `CPU time, best of ${ROUNDS} rounds by turns on files of ${MEGABYTES} MB; JSON.parse is given the same file, line by line where it has lines.`,
      real,
    ].join('\n\n');
    return { title: 'Transcripts', text, goals };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const longer = (text) =>
  text.replaceAll(/The day is never|export function parseDate|Fixed: a day/g, (words) =>
    JSON.stringify(`${LONG} ${words}`).slice(1, -1),
  );

const lines = (text) => {
  const long = `${longer(text).trim()}\n`;
  return long.repeat(Math.ceil((MEGABYTES * 1e6) / long.length));
};
const entries =
  (key, ...path) =>
  (text) => {
    const value = JSON.parse(longer(text));
    const holder = path.reduce((inner, name) => inner[name], value);
    const list = holder[key];
    const size = JSON.stringify(list).length;
    holder[key] = Array.from({ length: Math.ceil((MEGABYTES * 1e6) / size) }, () => list).flat();
    return JSON.stringify(value);
  };

const SUBJECTS = {
  'claude-code.jsonl': lines,
  'codex.jsonl': lines,
  'pi.jsonl': lines,
  'copilot-cli.jsonl': lines,
  'gemini-cli.jsonl': lines,
  'gemini-cli.json': entries('messages'),
  'opencode.json': entries('messages'),
  'forge.json': entries('messages', 'context'),
  'swe-agent.traj': entries('history'),
  'api-openai-chat.jsonl': lines,
};

async function measure(file) {
  const size = statSync(file).size / 1e6;
  let own = 0;
  let parse = 0;
  let memory = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    gc();
    const before = process.memoryUsage().rss;
    own = Math.max(own, size / ((await timed(() => readWhole(file))).cpu / 1000));
    memory = Math.max(memory, (process.memoryUsage().rss - before) / 1e6);
    parse = Math.max(parse, size / ((await timed(() => parseWhole(file))).cpu / 1000));
  }
  return { own, parse, memory };
}

async function readWhole(file) {
  let items = 0;
  for await (const _ of readItems(createReadStream(file, { highWaterMark: 1 << 20 }))) items += 1;
  return items;
}

function parseWhole(file) {
  const text = readFileSync(file, 'utf8');
  if (!file.endsWith('.jsonl')) return JSON.parse(text);
  let last;
  for (let from = 0; from < text.length; ) {
    const end = text.indexOf('\n', from);
    last = JSON.parse(text.slice(from, end));
    from = end + 1;
  }
  return last;
}

/** The heap that is alive while a file of either size is read. */
async function memoryOver(folder) {
  const most = async (megabytes) => {
    const file = join(folder, 'long.jsonl');
    const line = `${readFileSync(join(fixtures, 'claude-code.jsonl'), 'utf8').trim()}\n`;
    writeFileSync(file, line.repeat(Math.ceil((megabytes * 1e6) / line.length)));
    let used = 0;
    let items = 0;
    for await (const _ of readItems(createReadStream(file, { highWaterMark: 1 << 20 }))) {
      items += 1;
      if (items % 20_000 !== 0) continue;
      gc();
      used = Math.max(used, process.memoryUsage().heapUsed);
    }
    return Math.round(used / 1e6);
  };
  return { small: await most(20), large: await most(200) };
}

async function readReal() {
  if (!existsSync(raw)) return 'There is no ../shared/data/raw: real sessions were not read.';
  const files = readdirSync(raw, { recursive: true })
    .map((name) => join(raw, name))
    .filter((file) => statSync(file).isFile());
  let best = Number.POSITIVE_INFINITY;
  let parse = Number.POSITIVE_INFINITY;
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = await timed(async () => {
      for (const file of files) {
        for await (const session of readSessions(createReadStream(file, { highWaterMark: 1 << 20 })))
          inspectSession(session);
      }
    });
    best = Math.min(best, own.cpu);
    const plain = await timed(() => {
      for (const file of files) for (const line of textsOf(file)) JSON.parse(line);
    });
    parse = Math.min(parse, plain.cpu);
  }
  const rate = (ms) => (bytes / 1e6 / (ms / 1000)).toFixed(0);
  return `Reading and inspecting ${files.length} real sessions (${(bytes / 1e6).toFixed(1)} MB): ${rate(best)} MB/s, ${best.toFixed(0)} ms; JSON.parse alone ${rate(parse)} MB/s.`;
}

function textsOf(file) {
  const text = readFileSync(file, 'utf8');
  return file.endsWith('.jsonl') ? text.split('\n').filter((line) => line.trim() !== '') : [text];
}

await runAsScript(import.meta.url, report);
