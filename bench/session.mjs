// One seeded agent session, as each library takes it: prompts, one to four tool rounds each, answers; about 300 to 600
// characters a message. Every call makes new objects, so no cache of an earlier run is warm.

const WORDS =
  'the parser reads a token stream and returns nodes with their source range so that later passes can report errors at the right place when a file changes we only read what was touched tests cover the empty input nested blocks comments and unicode identifiers please check whether the cache key holds the compiler version'.split(
    ' ',
  );
const TOOLS = ['read_file', 'edit_file', 'run_command', 'search'];
const FOLDERS = ['src', 'test', 'packages/core', 'packages/cli', 'docs'];

/** OpenAI chat messages of whole turns: exactly `count` of them, an even number, the same for the same seed. */
export function chatSession(count, seed = 1) {
  const random = randomFrom(seed);
  const messages = [];
  while (messages.length < count) {
    messages.push({ role: 'user', content: prose(random, 300 + random(200)) });
    const rounds = Math.min(1 + random(4), (count - messages.length - 1) / 2);
    for (let round = 0; round < rounds; round += 1) pushRound(messages, random);
    messages.push({ role: 'assistant', content: prose(random, 350 + random(250)) });
  }
  // As they come off a wire: flat strings, not the slices and ropes they were built from.
  return JSON.parse(JSON.stringify(messages));
}

function pushRound(messages, random) {
  const id = `call_${messages.length.toString(36).padStart(24, '0')}`;
  const tool = TOOLS[random(TOOLS.length)];
  const args = JSON.stringify(argumentsFor(tool, random));
  const call = { id, type: 'function', function: { name: tool, arguments: args } };
  messages.push({ role: 'assistant', content: prose(random, 60 + random(120)), tool_calls: [call] });
  messages.push({ role: 'tool', tool_call_id: id, content: output(random, 300 + random(300)) });
}

function argumentsFor(tool, random) {
  const path = `${FOLDERS[random(FOLDERS.length)]}/${WORDS[random(WORDS.length)]}-${random(1000)}.ts`;
  if (tool === 'read_file') return { path, offset: random(500), limit: 200, reason: prose(random, 120) };
  if (tool === 'edit_file') return { path, old_text: prose(random, 120), new_text: prose(random, 160), create: false };
  if (tool === 'run_command') return { command: `npx vitest run ${path}`, timeout_ms: 60_000, why: prose(random, 120) };
  return { query: prose(random, 60), include: [path, '**/*.md'], case_sensitive: false, limit: 50 };
}

function prose(random, length) {
  let text = '';
  while (text.length < length) text += `${WORDS[random(WORDS.length)]} `;
  return text.slice(0, length).trim();
}

function output(random, length) {
  let text = '';
  while (text.length < length) {
    text += `${FOLDERS[random(FOLDERS.length)]}/file-${random(900)}.ts:${random(400)}: ${prose(random, 40)}\n`;
  }
  return text.slice(0, length);
}

// Mulberry32: small, and the same on every platform.
function randomFrom(seed) {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** What every instant model answers. */
export const SUMMARY = `<state_snapshot>
<overall_goal>Make the parser report errors at the right place.</overall_goal>
<key_knowledge>Tests run with vitest; the cache key must hold the compiler version.</key_knowledge>
<recent_actions>Read src/parser.ts, changed the source ranges, ran the tests: all pass.</recent_actions>
<current_plan>1. [DONE] source ranges 2. [TODO] unicode identifiers</current_plan>
</state_snapshot>`;
