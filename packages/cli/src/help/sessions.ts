import { paragraph } from './paragraph.ts';

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

/** What stands below the help of `show`. */
export const SHOW_HELP: string = `
${paragraph(
  'Prints what was said, calls as ->, results as <-; secrets are taken out. Every original is there, whatever was',
  'compacted since. A message that is on another branch is shown alone.',
)}

Examples:
  epitome show claude-code/03a1382e
  epitome show claude-code/03a1382e 6t9v64jgonqt --around 2
  epitome show pi/large --branch b2 --json | jq '.messages[].role'`;
