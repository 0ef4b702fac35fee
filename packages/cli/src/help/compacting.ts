import { paragraph } from './paragraph.ts';

const INPUT = paragraph(
  "Input is a JSON array of messages, or an object as the provider's API takes it: {messages, system, tools},",
  '{input, instructions, tools}, {contents, systemInstruction, tools}; its other fields go out as they are.',
  'Messages of plain text are read as openai-chat, or as anthropic where a system stands beside them.',
);

const SESSIONS = paragraph(
  'Session files of Claude Code, Codex, Gemini CLI, opencode, pi, Copilot CLI, forge, Aider, SWE-agent, OpenHands and',
  'tau-bench are read as they are, the databases of opencode and forge too (--session picks one of theirs), and',
  'messages or requests one a line. They come out as a request',
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
  epitome plan session.jsonl --preset epitome --branch b2
  epitome compact request.json --force --goal "ship the parser" -o smaller.json

Exit code 3: nothing could be done about a conversation that is too long, or a
summary was refused; it goes out unchanged. 2: an option, a file or its format.`;
