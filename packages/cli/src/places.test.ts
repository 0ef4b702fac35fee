import { join } from 'node:path';
import { SOURCE_NAMES } from '@epitome/transcripts';
import { expect, test } from 'vitest';
import { usualPlaces } from './places.ts';

const at = { home: join('/', 'home', 'ada'), cwd: join('/', 'srv', 'dates') };
const foldersOf = (env: Readonly<Record<string, string>>, source: string): readonly string[] =>
  usualPlaces(env, at).flatMap((place) => (place.source === source ? [place.folder] : []));

test('every agent that keeps sessions on a machine has a place', () => {
  const sources = new Set(usualPlaces({}, at).map(({ source }) => source));
  expect([...SOURCE_NAMES].filter((name) => !sources.has(name))).toEqual(['tau-bench', 'api']);
});

test.each([
  ['claude-code', 'CLAUDE_CONFIG_DIR', '/x', ['/x/projects']],
  ['claude-code', 'XDG_CONFIG_HOME', '/x', ['/home/ada/.claude/projects', '/x/claude/projects']],
  ['codex', 'CODEX_HOME', '/x', ['/x/sessions', '/x/archived_sessions']],
  ['gemini-cli', 'GEMINI_CLI_HOME', '/x', ['/x/.gemini/tmp']],
  ['pi', 'PI_CODING_AGENT_DIR', '/x', ['/x/sessions']],
  ['pi', 'PI_CODING_AGENT_SESSION_DIR', '/x', ['/x']],
  ['copilot-cli', 'COPILOT_HOME', '/x', ['/x/session-state', '/x/history-session-state']],
  ['opencode', 'XDG_DATA_HOME', '/x', ['/x/opencode', '/x/opencode/storage/session']],
  ['forge', 'FORGE_CONFIG', '/x', ['/x']],
  ['openhands', 'OPENHANDS_PERSISTENCE_DIR', '/x', ['/x/conversations', '/x/sessions']],
  ['openhands', 'OPENHANDS_CONVERSATIONS_DIR', '/x', ['/x', '/home/ada/.openhands/sessions']],
  ['aider', 'AIDER_CHAT_HISTORY_FILE', '/x/chats.md', ['/x']],
  ['aider', 'AIDER_CHAT_HISTORY_FILE', 'notes/chats.md', ['/srv/dates/notes']],
])('%s is looked for where %s says', (source, name, value, folders) => {
  expect(foldersOf({ [name]: value }, source)).toEqual(folders.map((folder) => join(folder)));
  // Set to nothing is not set.
  expect(foldersOf({ [name]: '' }, source)).toEqual(foldersOf({}, source));
});
