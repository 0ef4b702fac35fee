import { homedir } from 'node:os';
import { join } from 'node:path';
import type { SourceName } from '@epitome/transcripts';

/** A folder in which an agent keeps its sessions, and how their files are called; `isFlat`: right in it, not below. */
export type Place = {
  readonly source: SourceName;
  readonly folder: string;
  readonly pattern: RegExp;
  readonly isFlat?: true;
};

type Env = Readonly<Record<string, string | undefined>>;

/** The usual places of this machine's agents. */
export function usualPlaces(env: Env, home: string = homedir()): readonly Place[] {
  const { CLAUDE_CONFIG_DIR, CODEX_HOME, PI_CODING_AGENT_DIR, XDG_DATA_HOME, FORGE_CONFIG } = env;
  const claude = CLAUDE_CONFIG_DIR || join(home, '.claude');
  const codex = CODEX_HOME || join(home, '.codex');
  const opencode = join(XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
  const forges = FORGE_CONFIG ? [FORGE_CONFIG] : [join(home, 'forge'), join(home, '.forge')];
  return [
    { source: 'claude-code', folder: join(claude, 'projects'), pattern: /\.jsonl$/ },
    { source: 'codex', folder: join(codex, 'sessions'), pattern: /rollout-.*\.jsonl?$/ },
    { source: 'codex', folder: join(codex, 'archived_sessions'), pattern: /rollout-.*\.jsonl$/ },
    { source: 'gemini-cli', folder: join(home, '.gemini', 'tmp'), pattern: /(?:^|\/)chats\/.*\.jsonl?$/ },
    { source: 'pi', folder: join(PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions'), pattern: /\.jsonl$/ },
    { source: 'copilot-cli', folder: join(home, '.copilot', 'session-state'), pattern: /\.jsonl$/ },
    { source: 'opencode', folder: opencode, pattern: /^opencode(?:-[\w.-]+)?\.db$/, isFlat: true },
    { source: 'opencode', folder: join(opencode, 'storage', 'session'), pattern: /^[^/]+\/ses_[^/]+\.json$/ },
    ...forges.map((folder) => ({ source: 'forge', folder, pattern: /^\.forge\.db$/, isFlat: true }) as const),
    { source: 'aider', folder: process.cwd(), pattern: /^\.aider\.chat\.history\.md$/, isFlat: true },
    { source: 'swe-agent', folder: join(process.cwd(), 'trajectories'), pattern: /\.traj$/ },
  ];
}
