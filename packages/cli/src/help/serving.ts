/** What stands below the help of `serve`. */
export const SERVE_HELP: string = `
Clients need their base address changed and nothing else: OPENAI_BASE_URL,
ANTHROPIC_BASE_URL, the base URL of a Gemini client. Requests that need no
compaction go through byte for byte; x-epitome-status of each answer says what
was done. A client steers one request by headers: x-epitome-off, -dry-run,
-force, -linear, -preset, -window, -target, -goal, -conversation.

Without --config the three providers are reached under their own addresses and
callers bring their own keys. SIGHUP reads the configuration again.

Examples:
  epitome serve
  epitome serve --port 8080 --summarizer anthropic/claude-haiku-4-5
  epitome serve --config gateway.yaml --store postgres://db.example/epitome
  curl -s localhost:4141/compact -H "authorization: Bearer x" \\
    -H "content-type: application/json" -d @request.json > smaller.json`;
