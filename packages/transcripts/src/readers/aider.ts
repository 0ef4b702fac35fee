import type { Item, Reader, Reading } from '../model/item.ts';
import { defined } from '../model/json.ts';

/**
 * Aider's chat history in Markdown: `####` begins the user's lines, `>` those of the console, all else is the answer.
 * What the console said goes with the prompt behind it, because the next request does not see it otherwise; in a tag, so
 * that nobody takes it for words of the user's.
 */
export const aider: Reader = {
  source: 'aider',
  claims: ({ path, value }) => path.length === 0 && typeof value === 'string' && START.test(value),
  open: openAider,
};

const START = /^# aider chat started at (.+)$/;
const PROMPT = /^#### ?(.*)$/;
const CONSOLE = /^> ?(.*)$/;

type Block = 'console' | 'prompt' | 'answer';

function openAider(): Reading {
  let block: Block = 'console';
  let lines: string[] = [];
  const waiting: string[] = [];
  const flush = (): readonly Item[] => {
    const text = lines.join('\n').trim();
    lines = [];
    if (text === '') return [];
    if (block === 'answer') return [{ kind: 'entry', natives: [{ role: 'assistant', content: text }] }];
    if (block === 'prompt') return [userEntry([...tagged(waiting.splice(0)), text], { isPrompt: true })];
    waiting.push(text);
    return [];
  };
  const finish = (): readonly Item[] => {
    const items = flush();
    const rest = tagged(waiting.splice(0));
    return rest.length === 0 ? items : [...items, userEntry(rest, {})];
  };
  const enter = (next: Block, line: string): readonly Item[] => {
    // A blank line belongs to whatever is open.
    const items = next === block || line === '' ? [] : flush();
    if (line !== '') block = next;
    lines.push(line);
    return items;
  };
  return {
    push: ({ value }) => {
      const line = typeof value === 'string' ? value : '';
      const start = START.exec(line);
      if (start !== null) return [...finish(), sessionOf(start[1] ?? '')];
      const prompt = PROMPT.exec(line);
      if (prompt !== null) return enter('prompt', (prompt[1] ?? '').trimEnd());
      return CONSOLE.test(line) ? enter('console', line.trimEnd()) : enter('answer', line);
    },
    end: finish,
  };
}

function sessionOf(started: string): Item {
  // Local time without a zone: read as UTC, so that every machine gives the same.
  const time = Date.parse(`${started.trim().replace(' ', 'T')}Z`);
  const details = { id: started.trim(), ...defined({ startedAt: Number.isNaN(time) ? undefined : time }) };
  return { kind: 'session', source: 'aider', format: 'openai-chat', details };
}

function tagged(outputs: readonly string[]): readonly string[] {
  return outputs.length === 0 ? [] : [`<console-output>\n${outputs.join('\n\n')}\n</console-output>`];
}

function userEntry(texts: readonly string[], marks: { readonly isPrompt?: true }): Item {
  return { kind: 'entry', natives: [{ role: 'user', content: texts.join('\n\n') }], ...marks };
}
