// Compacts a bundled session of a coding agent and says what happened: `node examples/session.mjs`, after `npm run ready -- --build`.
import { readFileSync } from 'node:fs';
import { compact, describeOutcome } from 'epitome';

const file = 'examples/sessions/reminders.json';
const messages = JSON.parse(readFileSync(new URL('sessions/reminders.json', import.meta.url), 'utf8'));

const outcome = await compact({
  format: 'openai-chat',
  messages,
  // A window this small stands for a session that has grown: our own preset compacts at 70% of it.
  window: 10_000,
});

const { tokens, counts, method, record } = outcome;
const saved = Math.round((1 - tokens.after / tokens.before) * 100);

console.log(`${file}: a coding agent hunts a bug that sends mails twice.\n`);
console.log(describeOutcome(outcome));
console.log(`  tokens    ${tokens.before} → ${tokens.after}, ${saved}% less`);
console.log(
  `  messages  ${counts.before} → ${counts.after}: ${counts.compressed} became a summary, ${counts.preserved} stay`,
);
console.log(`  summary   ${method}: no model was called, nothing left this machine`);

console.log('\nWhat the model is shown now:');
for (const message of outcome.messages) console.log(`  ${message.role.padEnd(9)}  ${firstWords(message)}`);

console.log('\nThe summary begins:');
for (const line of (record?.text ?? '').split('\n').slice(0, 24)) console.log(`  ${line.slice(0, 96)}`);

console.log(`
The originals are untouched, and the record of this compaction names every message it covers: undo is a record more.

Try next:
  npx epitome plan ${file} --window 10k
  npx epitome compact ${file} --window 10k --preset selective --set tokenThreshold=5000
  npx epitome compact ${file} --force --summarizer openai/gpt-5-mini > smaller.json
  npx epitome --help`);

function firstWords({ content, tool_calls: calls = [] }) {
  const text = content ?? calls.map((call) => `(calls ${call.function.name})`).join(' ');
  return text.replace(/\s+/g, ' ').slice(0, 80);
}
