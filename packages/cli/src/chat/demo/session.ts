/** Messages of a working day on a login page, in the form of the AI SDK: 13 prompts, 10 tool calls, about 45,000 tokens. */
export function demoMessages(): readonly object[] {
  let calls = 0;
  return TURNS.flatMap(({ prompt, tools = [], answer }) => [
    { role: 'user', content: prompt },
    ...tools.flatMap(([name, input, output]) => {
      calls += 1;
      const call = { toolCallId: `call_${calls}`, toolName: name };
      return [
        { role: 'assistant', content: [{ type: 'tool-call', ...call, input }] },
        { role: 'tool', content: [{ type: 'tool-result', ...call, output: { type: 'text', value: output } }] },
      ];
    }),
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ]);
}

type Use = readonly [name: string, input: object, output: string];
type Turn = { readonly prompt: string; readonly tools?: readonly Use[]; readonly answer: string };

const GUARD = `import type { NextFunction, Request, Response } from 'express';
import { sessionOf } from './session';

export function requireLogin(req: Request, res: Response, next: NextFunction): void {
  if (sessionOf(req) !== undefined) return next();
  res.redirect(\`/login?next=\${req.path}\`);
}
`;

const SESSION = `import { randomBytes } from 'node:crypto';

export type Session = { readonly id: string; readonly user: string; readonly expires: number };
const sessions = new Map<string, Session>();

export function createSession(user: string, seconds = 3600): Session {
  const session = { id: randomBytes(16).toString('hex'), user, expires: Date.now() + seconds * 1000 };
  sessions.set(session.id, session);
  return session;
}
`;

const read = (path: string, text: string): Use => ['read_file', { path }, text];
const shell = (command: string, text: string): Use => ['shell', { command }, text];

/** The log of a run of all tests: long, mostly of no use later. */
function testLog(run: number, failed: readonly string[]): string {
  const lines = Array.from({ length: 212 }, (_, index) => {
    const area = AREAS[(index + run) % AREAS.length] ?? 'app';
    return ` ✓ test/${area}.test.ts > ${area} > case ${index + 1} of run ${run} keeps its promise in src/${area}/index.ts:${index + 12} (${(index * 7 + run) % 40} ms)`;
  });
  const failures = failed.map(
    (name) => ` × test/login.test.ts > login > ${name}\n   AssertionError: expected 302, found 200`,
  );
  const total = `Tests  ${failed.length} failed | ${212 - failed.length} passed (212)`;
  return [...lines, ...failures, total, `[exit ${failed.length > 0 ? 1 : 0}]`].join('\n');
}

const AREAS = ['cart', 'catalogue', 'checkout', 'login', 'mail', 'orders', 'search', 'stock'];

function listing(folder: string): string {
  return Array.from(
    { length: 120 },
    (_, index) => `${folder}/package-${index + 1}/LICENSE  MIT  ${1000 + index * 13} bytes`,
  ).join('\n');
}

const BOTH = ['keeps the target', 'refuses foreign targets'];

const TURNS: readonly Turn[] = [
  {
    prompt:
      'We are building the login of our book shop in this repository. Never log passwords, not even in tests. Start by looking around.',
    tools: [
      shell(
        'ls -R src test | head -40',
        'src/app.ts\nsrc/auth/guard.ts\nsrc/auth/session.ts\nsrc/routes/login.ts\ntest/login.test.ts',
      ),
    ],
    answer:
      'An Express app; `src/auth` holds the guard and the sessions, `src/routes/login.ts` the form. I will not log passwords anywhere.',
  },
  {
    prompt: 'Show me how the guard works.',
    tools: [read('src/auth/guard.ts', GUARD)],
    answer: '`requireLogin` lets a request with a session pass and sends all others to `/login?next=` with `req.path`.',
  },
  {
    prompt: 'And the sessions?',
    tools: [read('src/auth/session.ts', SESSION)],
    answer: 'A `Map` in memory: sessions are lost with a restart. `createSession(user, seconds)` is the only way in.',
  },
  {
    prompt: 'Keep the API of createSession unchanged, whatever we do. Run the tests.',
    tools: [shell('npm test', testLog(1, []))],
    answer: 'All 212 pass. The API of `createSession` stays as it is.',
  },
  {
    prompt:
      'People complain that after logging in they land on the page without their search. Write tests for that first.',
    tools: [shell('npm test', testLog(2, BOTH))],
    answer:
      'Two new tests in `test/login.test.ts` fail as they should: "keeps the target" and "refuses foreign targets".',
  },
  {
    prompt: 'Could we use the Referer header?',
    answer:
      'I tried it in my head and on paper: browsers shorten the Referer across origins, so the query would be lost again. I gave that up.',
  },
  {
    prompt: 'Check that we may ship all our dependencies.',
    tools: [shell('find node_modules -name LICENSE -printf "%p\\n" | head -120', listing('node_modules'))],
    answer: 'All 120 licences are MIT.',
  },
  {
    prompt: 'Sessions should survive a restart. What about Redis?',
    answer:
      'Redis fits: `createSession` can write through to it without a change of its API. A pool of 8 connections is plenty for one process.',
  },
  {
    prompt: 'How many connections when we run six processes?',
    answer: 'Six pools of 8 make 48; the default limit of Redis is 10,000 clients, so that is far away.',
  },
  {
    prompt: 'Run the tests again, I changed the mail module.',
    tools: [shell('npm test', testLog(3, BOTH))],
    answer: 'Still 2 failed, 210 passed: only the two about the redirect.',
  },
  {
    prompt: 'We should also limit how often somebody can try to log in.',
    answer:
      'Five tries a minute for each address and account would do; the sixth gets 429 with `retry-after`. It belongs into `src/routes/login.ts`.',
  },
  {
    prompt: 'Later. Does the order of the middleware matter for the guard?',
    tools: [
      shell('npm test -- --reporter=verbose', testLog(4, BOTH)),
      shell('npm test -- --shuffle', testLog(5, BOTH)),
    ],
    answer: 'No: with the tests shuffled the same two fail, so the order is not the cause.',
  },
  {
    prompt: 'What does the guard pass on, exactly?',
    tools: [shell('npm test -- test/login.test.ts --inspect-requests', testLog(6, BOTH))],
    answer: 'It passes `req.path`, which has no query string. `req.originalUrl` has it.',
  },
];
