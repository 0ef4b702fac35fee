const paragraph = (...sentences: readonly string[]): string => sentences.join(' ');

/** What stands below the help of the command itself. */
export const MAIN_HELP: string = `
Examples:
  epitome compact session.json > smaller.json
  epitome plan session.json --preset selective --window 200k
  cat request.json | epitome compact --force --goal "ship the parser"
  epitome compact session.json --summarizer anthropic/claude-haiku-4-5
  epitome worker --store postgres://db.example/epitome --window 200k
  epitome sessions
  epitome inspect session.jsonl
  epitome compact s.jsonl --to markdown > handover.md

Exit codes:
  0  done, or nothing to do
  1  a bug
  2  usage: an option, a file, its format
  3  refused: the conversation goes out unchanged, the store cannot be used

epitome help compact lists the options, epitome presets the presets.`;

const INPUT = paragraph(
  "Input is a JSON array of messages, or an object as the provider's API takes it: {messages, system, tools},",
  '{input, instructions, tools}, {contents, systemInstruction, tools}; its other fields go out as they are.',
  'Messages of plain text are read as openai-chat, or as anthropic where a system stands beside them.',
);

const SESSIONS = paragraph(
  'Session files of Claude Code, Codex, Gemini CLI, opencode (export), pi, Copilot CLI, forge, Aider, SWE-agent,',
  'OpenHands and tau-bench are read as they are, and messages or requests one a line. They come out as a request',
  "of the provider's API in the session's own format, or in the one of --to; --to markdown writes a hand-over",
  'document to begin a new session with.',
);

const MODELS = paragraph(
  'Keys and addresses come from OPENAI_API_KEY, OPENAI_BASE_URL, ANTHROPIC_API_KEY, ANTHROPIC_BASE_URL,',
  'OPENAI_COMPATIBLE_API_KEY, OPENAI_COMPATIBLE_BASE_URL (or, where that is not set, OPENAI_BASE_URL with',
  'OPENAI_API_KEY). For google: GOOGLE_GENERATIVE_AI_API_KEY, else GEMINI_API_KEY, else GOOGLE_API_KEY;',
  'GOOGLE_GENERATIVE_AI_BASE_URL, else GOOGLE_GEMINI_BASE_URL.',
  'When a model fails, the summary without one takes its place and the report says so.',
);

/** What stands below the help of `worker`. */
export const WORKER_HELP: string = `
A job that fails is tried again with growing pauses; one that failed too often
rests until \`epitome store jobs --retry\`. Ctrl-C or SIGTERM takes no more jobs
and waits for those under way. Any number of workers may share a store; each
branch is compacted by one at a time.

EPITOME_STORE keeps a password out of the list of processes.`;

/** What stands below the help of `store`. */
export const STORE_HELP: string = `
The store is that of --store, else of EPITOME_STORE, else your own file:
$XDG_DATA_HOME/epitome/epitome.db or ~/.local/share/epitome/epitome.db on Linux,
~/Library/Application Support/epitome/epitome.db on macOS,
%LOCALAPPDATA%\\epitome\\epitome.db on Windows.`;

/** What stands below the help of `compact` and `plan`. */
export const RUN_HELP: string = `
Presets (epitome presets NAME lists their options for --set):
  epitome     ours: at 70% of the window, placeholders for old tool results,
              then one checked summary with exact facts
  snapshot    above half the window, keep the newest 30%
  deliberate  check in at 40k tokens, compact at half the window; --goal leads
  selective   the earliest run of assistant and tool messages becomes one
  branch      above 75% of the available window, keep the newest 20%
  threshold   near the end of the window, everything becomes a handover

Summarizers:
  mechanical               no model, no cost: a digest for epitome, the first
                           words of each message for the other presets
  openai/MODEL             OpenAI; anthropic/MODEL and google/MODEL alike
  openai-compatible/MODEL  any server that speaks Chat Completions

${MODELS}

${INPUT}

${SESSIONS}

Examples:
  epitome compact session.jsonl --window 200k --to openai-chat > request.json
  epitome compact session.jsonl --to markdown --target 2000 | pbcopy
  epitome plan session.jsonl --preset epitome --branch b2`;

/** What stands below the help of `inspect`. */
export const INSPECT_HELP: string = `
${paragraph(
  'Tokens are estimates unless the agent reported them. Prices come from the dated table of @pydantic/genai-prices by',
  'the name of the model. The cost with compaction is computed for our own preset without a model.',
)}

Examples:
  epitome inspect session.jsonl
  epitome inspect session.jsonl --prices 3,15,0.3,3.75
  epitome inspect .aider.chat.history.md --session 3
  epitome inspect session.jsonl --json | jq '.inspection.tools'`;

/** What stands below the help of `diff`. */
export const DIFF_HELP: string = `
${paragraph(
  'Facts are paths, ids, commands, errors, numbers, names, what the user demanded and the like; of two spellings of a',
  'path the last two parts count.',
)}

Examples:
  epitome compact session.jsonl > smaller.json; epitome diff session.jsonl smaller.json
  epitome diff session.jsonl handover.md --kind path --all`;

/** What stands below the help of `import`. */
export const IMPORT_HELP: string = `
${paragraph(
  'Every session becomes a conversation named AGENT/ID, with its branches. A file that has not changed since is passed',
  'over; one that has grown adds its new messages.',
)}

Examples:
  epitome import ~/.claude/projects ~/.codex/sessions
  epitome import session.jsonl --store /tmp/trial.db`;

/** What stands below the help of `recall`. */
export const RECALL_HELP: string = `
Examples:
  epitome recall gateway timeout
  epitome recall "parseDate RangeError" --limit 3 --json`;

/** What stands below the help of `completion`. */
export const COMPLETION_HELP: string = `
${paragraph(
  'Put it where the shell looks: ~/.local/share/bash-completion/completions/epitome for bash, a folder of fpath as',
  '_epitome for zsh, ~/.config/fish/completions/epitome.fish for fish.',
)}

Examples:
  epitome completion bash > epitome.bash
  epitome completion zsh > _epitome
  epitome completion fish > epitome.fish`;
