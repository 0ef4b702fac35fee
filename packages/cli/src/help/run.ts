import { paragraph } from './paragraph.ts';

/** What stands below the help of `run`. */
export const RUN_TASK_HELP: string = `
${paragraph(
  'The answer goes to stdout, what goes on to stderr. Nobody is asked: the shell and tools of MCP servers are there only',
  'where an option allows them, and compaction takes the task as its goal. What was said is in your store;',
  'Ctrl-C stops and keeps it.',
)}

With --json, stdout is one event a line: run-start, answer-start, answer-text,
answer-end, tool-start, tool-end, compaction-start, compaction-end, retry,
notice, run-end. docs/guides/run.md has their fields.

Exit codes: 0 done, 2 usage, 3 the model failed or did not get done,
74 it could not be saved (disk full), 130 stopped by Ctrl-C.

Examples:
  epitome run "Which tests touch the parser?" -m anthropic/claude-sonnet-4-5
  epitome run "Run the tests and explain failures" --allow-shell
  git diff | epitome run "Review this change" - > review.md
  epitome run "And now the docs" --continue`;
