import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { SourceName } from '@epitome/transcripts';

/** A folder in which an agent keeps its sessions, and how their files are called; `isFlat`: right in it, not below. */
export type Place = {
  readonly source: SourceName;
  readonly folder: string;
  readonly pattern: RegExp;
  readonly isFlat?: true;
};

type Env = Readonly<Record<string, string | undefined>>;

/** Where whoever looks for sessions is: at home, and in a folder. */
export type Whereabouts = { readonly home: string; readonly cwd: string };

/** The usual places of this machine's agents. */
export function usualPlaces(
  env: Env,
  { home, cwd }: Whereabouts = { home: homedir(), cwd: process.cwd() },
): readonly Place[] {
  return [
    ...claudeFolders(env, home).map(
      (folder): Place => ({ source: 'claude-code', folder: join(folder, 'projects'), pattern: /\.jsonl$/ }),
    ),
    ...codexPlaces(env['CODEX_HOME'] || join(home, '.codex')),
    {
      source: 'gemini-cli',
      folder: join(env['GEMINI_CLI_HOME'] || home, '.gemini', 'tmp'),
      pattern: /(?:^|\/)chats\/.*\.jsonl?$/,
    },
    { source: 'pi', folder: piFolder(env, home), pattern: /\.jsonl$/ },
    ...['session-state', 'history-session-state'].map(
      (name): Place => ({
        source: 'copilot-cli',
        folder: join(env['COPILOT_HOME'] || join(home, '.copilot'), name),
        pattern: /\.jsonl$/,
      }),
    ),
    ...opencodePlaces(env, home),
    ...forgeFolders(env, home).map(
      (folder): Place => ({ source: 'forge', folder, pattern: /^\.forge\.db$/, isFlat: true }),
    ),
    ...openhandsPlaces(env, home),
    aiderPlace(env, cwd),
    { source: 'swe-agent', folder: join(cwd, 'trajectories'), pattern: /\.traj$/ },
  ];
}

/** Some versions of Claude Code wrote below the folder for settings. */
function claudeFolders({ CLAUDE_CONFIG_DIR, XDG_CONFIG_HOME }: Env, home: string): readonly string[] {
  if (CLAUDE_CONFIG_DIR) return [CLAUDE_CONFIG_DIR];
  return [join(home, '.claude'), join(XDG_CONFIG_HOME || join(home, '.config'), 'claude')];
}

function codexPlaces(folder: string): readonly Place[] {
  return [
    { source: 'codex', folder: join(folder, 'sessions'), pattern: /rollout-.*\.jsonl?$/ },
    { source: 'codex', folder: join(folder, 'archived_sessions'), pattern: /rollout-.*\.jsonl$/ },
  ];
}

function piFolder({ PI_CODING_AGENT_SESSION_DIR, PI_CODING_AGENT_DIR }: Env, home: string): string {
  return PI_CODING_AGENT_SESSION_DIR || join(PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions');
}

/** One database a channel of releases; before it had one, a file for each session. */
function opencodePlaces({ XDG_DATA_HOME }: Env, home: string): readonly Place[] {
  const folder = join(XDG_DATA_HOME || join(home, '.local', 'share'), 'opencode');
  return [
    { source: 'opencode', folder, pattern: /^opencode(?:-[\w.-]+)?\.db$/, isFlat: true },
    { source: 'opencode', folder: join(folder, 'storage', 'session'), pattern: /^[^/]+\/ses_[^/]+\.json$/ },
  ];
}

function forgeFolders({ FORGE_CONFIG }: Env, home: string): readonly string[] {
  return FORGE_CONFIG ? [FORGE_CONFIG] : [join(home, 'forge'), join(home, '.forge')];
}

/** The command keeps a folder for each conversation, the server before it one for each session. */
function openhandsPlaces(
  { OPENHANDS_CONVERSATIONS_DIR, OPENHANDS_PERSISTENCE_DIR }: Env,
  home: string,
): readonly Place[] {
  const folder = OPENHANDS_PERSISTENCE_DIR || join(home, '.openhands');
  return [
    {
      source: 'openhands',
      folder: OPENHANDS_CONVERSATIONS_DIR || join(folder, 'conversations'),
      pattern: /^[^/]+\/base_state\.json$/,
    },
    { source: 'openhands', folder: join(folder, 'sessions'), pattern: /^[^/]+\/metadata\.json$/ },
  ];
}

/** Aider writes into the folder of the repository, wherever in it one stands. */
function aiderPlace({ AIDER_CHAT_HISTORY_FILE }: Env, cwd: string): Place {
  const file = resolve(cwd, AIDER_CHAT_HISTORY_FILE || join(repositoryOf(cwd), '.aider.chat.history.md'));
  const name = basename(file).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return { source: 'aider', folder: dirname(file), pattern: new RegExp(`^${name}$`), isFlat: true };
}

function repositoryOf(cwd: string): string {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder;
    if (dirname(folder) === folder) return cwd;
  }
}
