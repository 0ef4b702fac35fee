import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { digest } from './index.ts';
import { isDrawing } from './markup.ts';

const read = (path: string, text: string): readonly Message[] => {
  const call: Part = { kind: 'tool-call', callId: path, name: 'Read', input: JSON.stringify({ file_path: path }) };
  const result: Part = { kind: 'tool-result', callId: path, name: 'Read', text, isError: false, media: [] };
  return [
    { role: 'assistant', parts: [call], native: undefined },
    { role: 'tool', parts: [result], native: undefined },
  ];
};
const page = (path: string, text: string): string => {
  const asked: Message = { role: 'user', parts: [{ kind: 'text', text: 'Explain the panel.' }], native: undefined };
  return digest([asked, ...read(path, text)], { maxTokens: 2000 }).text;
};

test.each([
  ['<div className="relative flex items-center">', true],
  ['className="text-xs text-slate-400 hover:text-slate-200"', true],
  ['<svg width="24" height="24" viewBox="0 0 24 24"><path d="M4 4h16v16H4z"/></svg>', true],
  ['type="button"', true],
  ['></circle>', true],
  ['<button', true],
  ['<span className="text-xs">Change</span>', false],
  ['onClick={() => close()}', false],
  ['data-testid="close-panel"', false],
  ['<Panel className="wide">', false],
  ['<input type="file" accept=".json">', false],
  ['width = 24', false],
  ['const width = 24;', false],
])('what only draws says nothing: %s', (line, expected) => {
  expect(isDrawing(line)).toBe(expected);
});

test('a page is told by what it says, not by how it looks', () => {
  const text = page(
    '/app/panel.tsx',
    'export function Panel() {\n  return (\n    <div className="relative flex">\n      <svg\n        fill="none"\n        viewBox="0 0 24 24">\n        <path d="M4 4h16v16H4z" />\n      </svg>\n      <h1 className="title">Close the panel</h1>\n    </div>\n  );\n}',
  );
  expect(text).toContain('export function Panel()');
  expect(text).toContain('Close the panel');
  expect(text).not.toMatch(/relative flex|viewBox|fill=|M4 4h16/);
});

test('an expression over several lines is quoted whole', () => {
  const text = page(
    '/app/pick.ts',
    'export function pick(isAll: boolean): string[] | undefined {\n  const selected = isAll\n    ? undefined\n    : Array.from(selectedIds);\n  return selected;\n}',
  );
  expect(text).toContain('const selected = isAll ? undefined : Array.from(selectedIds);');
});
