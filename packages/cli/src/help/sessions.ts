import { paragraph } from './paragraph.ts';

const FILES = paragraph(
  'A file is a session of Claude Code, Codex, Gemini CLI, opencode, pi, Copilot CLI, forge, Aider, SWE-agent, OpenHands',
  'or tau-bench, or API messages; who wrote it shows in its content. The databases of opencode (opencode.db) and forge',
  '(.forge.db) hold many sessions: --session picks one by number or id, the newest is taken without it. OpenHands keeps',
  'events in a folder: base_state.json or metadata.json beside it stands for the session.',
);

/** What stands below the help of `inspect`. */
export const INSPECT_HELP: string = `
${FILES}

It shows, from top to bottom:
  - who wrote it, when, with which models, turns, calls and results that failed
  - a bar for each stretch of messages: system prompt, user, answers, thinking,
    calls, results; < where the agent itself compacted
  - tools by weight, with a line of their tokens over the same stretches
  - the heaviest messages, by number as plan and compact count them
  - texts that are there more than once, and what the copies weigh
  - branches: edited prompts, turns taken back, subagents (--branch NAME)
  - each compaction in it: how many facts of each kind were left in view of
    those there were, and the lost ones somebody is likely to ask for
  - what it cost by the tokens that were reported, each request at the prices
    of its own model; and computed without compaction and with ours

${paragraph(
  'Tokens are estimates unless the agent reported them. Prices and windows come from the dated table of',
  '@pydantic/genai-prices by the name of the model; --prices and --window take their place. The cost with compaction',
  'is computed for our own preset without a model.',
)}

Broken lines and unknown records are counted and listed with their numbers; they
are no error. Exit code 2: no session in the file, or a wrong option.

Examples:
  epitome inspect session.jsonl
  epitome inspect session.jsonl --model claude-sonnet-4-5 --window 200k
  epitome inspect session.jsonl --prices 3,15,0.3,3.75
  epitome inspect .aider.chat.history.md --session 3
  epitome inspect ~/.local/share/opencode/opencode.db --session ses_21fd32c67
  epitome inspect session.jsonl --json | jq '.inspection.tools'
  ssh box cat session.jsonl | epitome inspect`;

/** What stands below the help of `diff`. */
export const DIFF_HELP: string = `
${paragraph(
  'Facts are files and what was done to them, commands, errors, paths, ids, addresses, numbers, names, what the user',
  'demanded and what was decided; of two spellings of a path the last two parts count. The second may be any text: a',
  'summary, a hand-over, notes of your own. Lost facts are listed by how likely they are to be needed, five a kind.',
)}

Exit code 0 whether or not facts are lost; --json tells how many.

Examples:
  epitome compact session.jsonl > smaller.json
  epitome diff session.jsonl smaller.json
  epitome diff session.jsonl handover.md --kind path --all
  epitome compact session.jsonl --to markdown | epitome diff session.jsonl -`;

/** What stands below the help of `sessions`. */
export const SESSIONS_HELP: string = `
${paragraph(
  'Looks under your home, on every system alike, and in the folder you are in; a variable that the agent itself goes by',
  'names another place. Only the beginning of each file is read, for its title and folder, and nothing is written.',
)}

  Claude Code  ~/.claude, ~/.config/claude (CLAUDE_CONFIG_DIR)
  Codex        ~/.codex (CODEX_HOME)
  Gemini CLI   ~/.gemini/tmp (GEMINI_CLI_HOME)
  opencode     ~/.local/share/opencode (XDG_DATA_HOME)
  pi           ~/.pi/agent/sessions (PI_CODING_AGENT_SESSION_DIR)
  Copilot CLI  ~/.copilot (COPILOT_HOME)
  forge        ~/forge, ~/.forge (FORGE_CONFIG)
  OpenHands    ~/.openhands (OPENHANDS_PERSISTENCE_DIR)
  Aider        the repository you are in (AIDER_CHAT_HISTORY_FILE)
  SWE-agent    trajectories in the folder you are in

Examples:
  epitome sessions
  epitome sessions --agent codex --limit 5
  epitome inspect "$(epitome sessions -n 1 --json | jq -r '.sessions[0].path')"`;

/** What stands below the help of `import`. */
export const IMPORT_HELP: string = `
${paragraph(
  'Every session becomes a conversation named AGENT/ID, with its branches; main is the one the agent would go on with.',
  'A file that has not changed since is passed over; one that has grown adds its new messages. An import that was',
  'broken off goes on where it stopped, and one that is run twice adds nothing. Folders are searched for .jsonl, .json,',
  '.md and .traj files and the databases of opencode and forge; files that are no session are passed over, and what could',
  'not be read of one is told with its line. Exit code 2: nothing could be taken in.',
)}

${paragraph('The store is that of --store, else of EPITOME_STORE, else your own file; epitome help store says where.')}

Examples:
  epitome import ~/.claude/projects ~/.codex/sessions
  epitome import ~/.local/share/opencode
  epitome import session.jsonl --store trial.db --json`;

/** What stands below the help of `recall`. */
export const RECALL_HELP: string = `
${paragraph(
  'Searches everything that was ever said, compacted or not, best first: messages with all of the words, then with',
  'some. Parts of paths, names and identifiers are words too. Each hit ends with the command that opens it.',
)}

Examples:
  epitome recall gateway timeout
  epitome recall "parseDate RangeError" --limit 3 --json
  epitome recall migration -c pi/d703a1a9`;

/** What stands below the help of `show`. */
export const SHOW_HELP: string = `
${paragraph(
  'Prints what was said, calls as ->, results as <-; secrets are taken out. Every original is there, whatever was',
  'compacted since. A message that is on another branch is shown alone. --json prints messages as they are kept.',
)}

Examples:
  epitome show claude-code/03a1382e
  epitome show claude-code/03a1382e 6t9v64jgonqt --around 2
  epitome show pi/large --branch b2 --json | jq '.messages[].role'`;
