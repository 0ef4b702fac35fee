/** What the scripted model answers to a request, by what stands in it. */
export function answerTo(texts: readonly string[]): string {
  const [system = ''] = texts;
  if (system.startsWith('You name what a user is working on')) return GOALS;
  if (texts.some((text) => text.includes('</conversation>') && text.includes('state_snapshot'))) return SUMMARY;
  const last = (texts.at(-1) ?? '').toLowerCase();
  const found = ANSWERS.find(([words]) => words.every((word) => last.includes(word)));
  return found?.[1] ?? OTHERWISE;
}

/** The message the demo proposes. */
export const PROPOSED = 'The redirect after login still drops the query string. Where should we keep it?';

const GOALS = `Keeping the query string through the login redirect
Moving sessions out of memory and into Redis
Rate limits for the login route`;

const SUMMARY = `<state_snapshot>
<current_goal>Keep the query string through the login redirect.</current_goal>
<trajectory>
Tried: storing the target in the Referer header. Browsers shorten it across origins, so it was given up.
Learned: requireLogin in src/auth/guard.ts redirects to /login and passes req.path, which has no query string; req.originalUrl has it.
Next: pass req.originalUrl as "next", and accept only paths that begin with a single slash.
</trajectory>
<facts>
The user demands: never log passwords, and keep the API of createSession unchanged.
Files read: src/auth/guard.ts, src/auth/session.ts, src/routes/login.ts, test/login.test.ts.
npm test: 212 passed, 2 failed (test/login.test.ts: "keeps the target", "refuses foreign targets").
</facts>
<discarded_context_summary>Output of whole test runs, the listing of node_modules licences, and the talk about Redis pool sizes.</discarded_context_summary>
</state_snapshot>`;

const REDIRECT = `Keep it in the \`next\` parameter of the login page, taken from **\`req.originalUrl\`** instead of \`req.path\`:

\`\`\`ts
// src/auth/guard.ts
const target = encodeURIComponent(req.originalUrl);
res.redirect(\`/login?next=\${target}\`);
\`\`\`

| where | keeps the query | survives a restart |
|---|---|---|
| \`next\` parameter | yes | yes |
| session in memory | yes | no |
| Referer header | not across origins | yes |

- Accept only targets that begin with a single \`/\`, so that nobody is sent to a foreign site.
- That should make both failing tests in \`test/login.test.ts\` pass.

Now try **/undo**: the summary is taken back, and nothing is lost.`;

const ANSWERS: readonly (readonly [readonly string[], string])[] = [
  [['query'], REDIRECT],
  [
    ['redis'],
    'Sessions go to Redis behind `createSession`, whose API stays unchanged, as you asked. The store is chosen in `src/auth/session.ts`.',
  ],
  [
    ['rate'],
    'Five tries a minute for each address and account, counted in Redis; the sixth gets 429 with `retry-after`.',
  ],
];

const OTHERWISE = `I am a scripted model: I know this one conversation and nothing else. These are worth a try:

- **/undo** takes the compaction back, **/redo** does it again
- **/plan** shows what the next one would keep and summarize
- **/recall Referer** finds what was compacted
- **/compress the failing tests** compacts with a focus
- **/exit** leaves; with a key, \`epitome chat --model PROVIDER/MODEL\` talks to a real one`;
