const paragraph = (...sentences: readonly string[]): string => sentences.join(' ');

/** What stands below the help of the command itself. */
export const MAIN_HELP: string = `
Examples:
  epitome compact session.json > smaller.json
  epitome plan session.json --preset selective --window 200k
  cat request.json | epitome compact --force --goal "ship the parser"
  epitome compact session.json --summarizer anthropic/claude-haiku-4-5
  epitome worker --store postgres://db.example/epitome --window 200k

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

${INPUT}`;
