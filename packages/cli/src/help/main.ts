/** What stands below the help of the command itself. */
export const MAIN_HELP: string = `
Examples:
  epitome chat --demo
  epitome compact session.json > smaller.json
  epitome plan session.json --preset selective --window 200k
  cat request.json | epitome compact --force --goal "ship the parser"
  epitome compact session.json --summarizer anthropic/claude-haiku-4-5
  epitome worker --store postgres://db.example/epitome --window 200k
  epitome serve --port 8080
  epitome sessions
  epitome inspect session.jsonl
  epitome compact s.jsonl --to markdown > handover.md

Exit codes:
  0  done, or nothing to do
  1  a bug
  2  usage: an option, a file, its format
  3  refused: the conversation goes out unchanged, the store cannot be used
  74 the disk is full: something was not saved

epitome help compact lists the options, epitome presets the presets.`;
