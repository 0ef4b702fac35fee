// Inputs made to hurt: each preset compacts each of them, and a session decides on them, in bounded time.
import { compact, createCompactor, PRESET_NAMES, presets } from '../packages/core/dist/index.js';
import { goal, ms, runAsScript, table, timed } from './harness.mjs';
import { chatSession, SUMMARY } from './session.mjs';

// Generous for a slow machine: work that grows with the square of any of these inputs takes minutes.
const LIMIT_MS = 10_000;

const CASES = {
  'one message of 5 MB': () => [...chatSession(20), { role: 'user', content: lines(5_000_000) }],
  '1 MB of one letter': () => [...chatSession(20), { role: 'user', content: 'a'.repeat(1_000_000) }],
  '1 MB of opening tags': () => [...chatSession(20), { role: 'user', content: '<state_snapshot>'.repeat(62_500) }],
  '1 MB of halves of emoji': () => [...chatSession(20), { role: 'user', content: '\ud83d'.repeat(1_000_000) }],
  '100,000 messages': () => chatSession(100_000),
  '10,000 calls in one message': () => parallelCalls(10_000),
  '10,000 calls left open': () => parallelCalls(10_000).slice(0, 2),
  'arguments nested 50,000 deep': () => nestedArguments(50_000),
  'content nested 5,000 deep': () => [...chatSession(20), { role: 'user', content: nested(5000) }],
  '20,000 messages, all thinking signed': () => signedThinking(20_000),
  '10,000 calls in one message (Anthropic)': () => anthropicCalls(10_000),
  '10,000 calls in one content (Gemini)': () => geminiCalls(10_000),
};

const FORMATS = [
  ['(Anthropic)', 'anthropic'],
  ['signed', 'anthropic'],
  ['(Gemini)', 'gemini'],
];

async function report() {
  const rows = [];
  let worst = 0;
  let unexpected = '';
  for (const [title, make] of Object.entries(CASES)) {
    const format = FORMATS.find(([word]) => title.includes(word))?.[1] ?? 'openai-chat';
    const cells = [];
    for (const preset of PRESET_NAMES) {
      const messages = make();
      const { cpu, value } = await timed(() => compactOne({ format, messages }, preset));
      worst = Math.max(worst, cpu);
      if (!Array.isArray(value.messages)) unexpected = `${title}, ${preset}: ${value.status}`;
      cells.push(ms(cpu));
    }
    const messages = make();
    const { cpu } = await timed(() => decideOnAll({ format, messages }));
    worst = Math.max(worst, cpu);
    rows.push([title, ...cells, ms(cpu)]);
  }
  const header = ['CPU ms', ...PRESET_NAMES, 'session, every message'];
  return {
    title: 'Hostile input',
    text: `${table(header, rows)}\n\nEach column but the last is one \`compact()\` of fresh objects, forced, with an instant summarizer; the last one decides after every message.`,
    goals: [
      goal(`each within ${LIMIT_MS / 1000} s of CPU time`, `${ms(worst)} ms at most`, worst <= LIMIT_MS),
      goal('each ends with messages that can be sent', unexpected || 'all do', unexpected === ''),
    ],
  };
}

function compactOne(input, preset) {
  const policy = presets[preset]({ window: 200_000 });
  return compact({ ...input, policy, cause: 'manual' }, { summarizer: async () => ({ text: SUMMARY }) });
}

function decideOnAll({ format, messages }) {
  const compactor = createCompactor({ format, policy: presets.snapshot({ window: 1_000_000_000 }) });
  const growing = [];
  for (const message of messages) {
    growing.push(message);
    compactor.decide(growing);
  }
}

function lines(length) {
  const line = 'src/parser.ts:120: expected a closing bracket but found the end of the file\n';
  return line.repeat(Math.ceil(length / line.length)).slice(0, length);
}

function parallelCalls(count) {
  const ids = Array.from({ length: count }, (_, index) => `call_${index}`);
  const call = (id) => ({ id, type: 'function', function: { name: 'read_file', arguments: '{"path":"src/a.ts"}' } });
  return [
    { role: 'user', content: 'Read them all.' },
    { role: 'assistant', content: null, tool_calls: ids.map(call) },
    ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'export const answer = 42;' })),
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Now change them all.' },
  ];
}

function nestedArguments(depth) {
  const args = `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  return [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'f', arguments: args } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: 'ok' },
    ...chatSession(20),
  ];
}

function signedThinking(count) {
  const messages = [];
  while (messages.length < count) {
    const thinking = { type: 'thinking', thinking: 'The file first.', signature: `s${messages.length}` };
    messages.push({ role: 'user', content: `Look at file ${messages.length}.` });
    messages.push({ role: 'assistant', content: [thinking, { type: 'text', text: 'It is in order.' }] });
  }
  return messages;
}

function anthropicCalls(count) {
  const ids = Array.from({ length: count }, (_, index) => `call_${index}`);
  return [
    { role: 'user', content: 'Read them all.' },
    { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'read_file', input: { path: id } })) },
    { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'answer = 42' })) },
    { role: 'assistant', content: 'Done.' },
    { role: 'user', content: 'Now change them all.' },
  ];
}

function geminiCalls(count) {
  const calls = Array.from({ length: count }, (_, index) => ({ name: 'read_file', args: { path: `f${index}` } }));
  const response = { output: 'answer = 42' };
  return [
    { role: 'user', parts: [{ text: 'Read them all.' }] },
    { role: 'model', parts: calls.map((functionCall) => ({ functionCall })) },
    { role: 'user', parts: calls.map(({ name }) => ({ functionResponse: { name, response } })) },
    { role: 'model', parts: [{ text: 'Done.' }] },
    { role: 'user', parts: [{ text: 'Now change them all.' }] },
  ];
}

function nested(depth) {
  let value = [{ type: 'text', text: 'deep' }];
  for (let level = 0; level < depth; level += 1) value = [{ type: 'unknown', inner: value }];
  return value;
}

export { report };

await runAsScript(import.meta.url, report);
