// Draws the pictures of docs/screens from real screens: runs the demo of the built command in a pseudo-terminal, presses
// keys, and writes what the terminal shows as SVG. node scripts/screens.mjs
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const require = createRequire(new URL('../packages/cli/package.json', import.meta.url));
const { spawn } = require('@lydell/node-pty');
const { Terminal } = require('@xterm/headless');

const COLOURS = { 1: '#f47067', 2: '#8ddb8c', 3: '#e0b458', 5: '#c99bf5', 6: '#6cc7d8' };
const folder = `${root}docs/screens/`;
mkdirSync(folder, { recursive: true });

const wide = open(80, 44);
await wide.shows('Press Enter');
wide.child.write('\r');
await wide.shows('auto-compress in');
wide.draw('question');
wide.child.write('1');
await wide.shows('Summarizing…');
wide.draw('summarizing');
await wide.shows(/nothing is lost\.\s+>/);
wide.draw('result');
wide.child.write('/undo\r');
await wide.shows('Taken back');
wide.child.write('/plan pin 20-21\r');
await wide.shows('pinned');
wide.child.write('/plan exclude 22-25\r');
await wide.shows('excluded');
wide.draw('plan');
wide.child.write('/exit\r');
await wide.ended;

const narrow = open(40, 24);
await narrow.shows('tokens · ');
narrow.child.write('\r');
await narrow.shows('auto-compress in');
narrow.draw('question-40');
narrow.child.write('\u001b');
await narrow.shows('Chat history');
narrow.child.kill();
process.exit(0);

function open(columns, rows) {
  const child = spawn(process.execPath, [`${root}packages/cli/bin/epitome.js`, 'chat', '--demo'], {
    cols: columns,
    rows,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, HOME: tmpdir(), TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
  const terminal = new Terminal({ cols: columns, rows, allowProposedApi: true });
  const watchers = new Set();
  child.onData((data) =>
    terminal.write(data, () => {
      for (const watcher of watchers) watcher();
    }),
  );
  return {
    child,
    ended: new Promise((resolve) => child.onExit(resolve)),
    draw: (name) => writeFileSync(`${folder}${name}.svg`, svgOf(terminal, name)),
    shows: (what) => shown(terminal, watchers, what),
  };
}

function shown(terminal, watchers, what) {
  return new Promise((resolve, reject) => {
    const look = () => {
      const text = linesOf(terminal).join('\n');
      if (typeof what === 'string' ? !text.includes(what) : !what.test(text)) return;
      watchers.delete(look);
      // The frame around what was waited for may still be on its way.
      setTimeout(resolve, 150);
    };
    watchers.add(look);
    look();
    setTimeout(() => reject(new Error(`waited for ${what}:\n${linesOf(terminal).join('\n')}`)), 30_000).unref();
  });
}

function linesOf({ buffer: { active }, rows }) {
  return Array.from({ length: rows }, (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? '');
}

/** The screen as a picture: a run of cells that look alike is one piece of text. */
function svgOf(terminal, name) {
  const { buffer, cols, rows } = terminal;
  const lines = linesOf(terminal);
  const used = lines.findLastIndex((line) => line !== '') + 1;
  const [cell, height] = [8.4, 18];
  const body = Array.from({ length: Math.min(used, rows) }, (_, row) =>
    runsOf(buffer.active.getLine(buffer.active.baseY + row), cols)
      .map(({ text, at, looks }) => piece({ text, x: 12 + at * cell, y: 24 + row * height, looks, cell }))
      .join(''),
  );
  const size = `width="${Math.ceil(cols * cell + 24)}" height="${used * height + 24}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="ui-monospace,Menlo,Consolas,monospace" font-size="14"><title>epitome chat: ${name}</title><rect width="100%" height="100%" rx="8" fill="#16181d"/>${body.join('\n')}</svg>\n`;
}

function runsOf(line, columns) {
  const runs = [];
  for (let at = 0; at < columns; at += 1) {
    const found = line?.getCell(at);
    if (found === undefined || found.getWidth() === 0) continue;
    const looks = `${found.getFgColor()},${found.isBold()},${found.isDim()},${found.isItalic()},${found.isUnderline()},${found.isInverse()}`;
    const text = found.getChars() || ' ';
    const last = runs.at(-1);
    if (last?.looks === looks) last.text += text;
    else runs.push({ text, at, looks });
  }
  const isSeen = ({ text, looks }) => text.trim() !== '' || !looks.endsWith(',0');
  return runs.filter(isSeen).map((run) => (run.looks.endsWith(',0') ? { ...run, text: run.text.trimEnd() } : run));
}

function piece({ text, x, y, looks, cell }) {
  const [colour, bold, dim, italic, underline, inverse] = looks.split(',').map(Number);
  const fill = COLOURS[colour] ?? '#d7dae0';
  const attributes = [
    `fill="${inverse ? '#16181d' : fill}"`,
    bold ? 'font-weight="bold"' : '',
    dim ? 'opacity="0.65"' : '',
    italic ? 'font-style="italic"' : '',
    underline ? 'text-decoration="underline"' : '',
  ].filter(Boolean);
  const length = `textLength="${(text.length * cell).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
  const back = inverse ? `<rect x="${x}" y="${y - 14}" width="${text.length * cell}" height="18" fill="${fill}"/>` : '';
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `${back}<text x="${x.toFixed(1)}" y="${y}" xml:space="preserve" ${length} ${attributes.join(' ')}>${escaped}</text>`;
}
