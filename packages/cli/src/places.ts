import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SourceName } from '@epitome/transcripts';

/** A folder in which an agent keeps its sessions, and how their files are called. */
export type Place = { readonly source: SourceName; readonly folder: string; readonly pattern: RegExp };

type Env = Readonly<Record<string, string | undefined>>;

/** The usual places of this machine's agents. */
export function usualPlaces(env: Env, home: string = homedir()): readonly Place[] {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, PI_CODING_AGENT_DIR } = env;
  const claude = CLAUDE_CONFIG_DIR || join(home, '.claude');
  const codex = CODEX_HOME || join(home, '.codex');
  return [
    { source: 'claude-code', folder: join(claude, 'projects'), pattern: /\.jsonl$/ },
    { source: 'codex', folder: join(codex, 'sessions'), pattern: /rollout-.*\.jsonl?$/ },
    { source: 'codex', folder: join(codex, 'archived_sessions'), pattern: /rollout-.*\.jsonl$/ },
    { source: 'gemini-cli', folder: join(home, '.gemini', 'tmp'), pattern: /(?:^|\/)chats\/.*\.jsonl?$/ },
    { source: 'pi', folder: join(PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions'), pattern: /\.jsonl$/ },
    { source: 'copilot-cli', folder: join(home, '.copilot', 'session-state'), pattern: /\.jsonl$/ },
    { source: 'aider', folder: process.cwd(), pattern: /^\.aider\.chat\.history\.md$/ },
    { source: 'swe-agent', folder: join(process.cwd(), 'trajectories'), pattern: /\.traj$/ },
  ];
}
