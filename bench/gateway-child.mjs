// One process of the gateway's benchmark: `node gateway-child.mjs ROLE UPSTREAM-PORT`. Prints its port as its first line.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [role, upstream] = process.argv.slice(2);

const EVENTS = 200;

/** A provider that answers at once: a small body, or a stream of many events. */
function startUpstream() {
  const usage = { prompt_tokens: 50_000, completion_tokens: 20, total_tokens: 50_020 };
  const answer = JSON.stringify({
    id: 'x',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Fine.' }, finish_reason: 'stop' }],
    usage,
  });
  const event = (delta, finish = null) =>
    `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
  const events = [
    ...Array.from({ length: EVENTS }, (_, at) => event({ content: `word ${at} ` })),
    event({}, 'stop'),
    'data: [DONE]\n\n',
  ];
  listen((incoming, response) => {
    let isStream = incoming.url.includes('stream');
    incoming.on('data', (chunk) => {
      isStream ||= chunk.includes('"stream":true');
    });
    incoming.on('end', () => {
      if (!isStream)
        return response
          .writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
          .end(answer);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let at = 0;
      const next = () => {
        // In bursts, as a socket delivers them.
        for (let burst = 0; burst < 10 && at < events.length; burst += 1, at += 1) response.write(events[at]);
        if (at < events.length) setImmediate(next);
        else response.end();
      };
      next();
    });
  });
}

const agent = new Agent({ keepAlive: true });

function forward(incoming, headers, response) {
  const outgoing = request(
    { agent, host: '127.0.0.1', port: upstream, path: incoming.url, method: incoming.method, headers },
    (answer) => {
      response.writeHead(answer.statusCode, answer.headers);
      answer.pipe(response);
    },
  );
  outgoing.on('error', () => response.destroy());
  return outgoing;
}

/** What any proxy costs at the least. */
function startBare() {
  listen((incoming, response) => void incoming.pipe(forward(incoming, incoming.headers, response)));
}

/** The least a proxy costs that looks at the body. */
function startParsing() {
  listen((incoming, response) => {
    const chunks = [];
    incoming.on('data', (chunk) => chunks.push(chunk));
    incoming.on('end', () => {
      const body = Buffer.concat(chunks);
      const { messages } = JSON.parse(body.toString());
      if (!Array.isArray(messages)) throw new Error('no messages');
      forward(incoming, incoming.headers, response).end(body);
    });
  });
}

async function startEpitome() {
  const { createGateway, loadConfig } = await import('../packages/gateway/dist/index.js');
  const { sqliteStore } = await import('../packages/store/dist/sqlite/index.js');
  const folder = mkdtempSync(join(tmpdir(), 'epitome-bench-gateway-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const config = loadConfig({
    env: {
      EPITOME_GATEWAY_PORT: '0',
      EPITOME_GATEWAY_LOG: 'error',
      EPITOME_UPSTREAM_OPENAI: `http://127.0.0.1:${upstream}`,
    },
  });
  const policies = [{ window: 10_000_000 }];
  const gateway = createGateway(
    { ...config, policies },
    { store: await sqliteStore(join(folder, 'e.db'), { durability: 'process' }) },
  );
  console.log((await gateway.listen()).port);
}

function startPortkey() {
  const script = fileURLToPath(new URL('node_modules/@portkey-ai/gateway/build/start-server.js', import.meta.url));
  if (!existsSync(script)) {
    console.log('absent');
    return;
  }
  const port = 20_000 + (process.pid % 20_000);
  const child = spawn(process.execPath, [script, `--port=${port}`, '--headless'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  process.on('exit', () => child.kill());
  let said = '';
  child.stdout.on('data', (chunk) => {
    if (said.includes('Ready')) return;
    said += chunk;
    if (said.includes('Ready')) console.log(port);
  });
}

function listen(handle) {
  const server = createServer(handle);
  server.listen(0, '127.0.0.1', () => console.log(server.address().port));
}

const roles = {
  upstream: startUpstream,
  bare: startBare,
  parsing: startParsing,
  epitome: startEpitome,
  portkey: startPortkey,
};
process.stdin.on('end', () => process.exit(0));
// A line asks how things are. A collection costs what no request asked for, and leaves limits that suit no load: only the heap needs it.
process.stdin.on('data', (asked) => {
  if (asked.includes('heap')) globalThis.gc();
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ heapUsed: process.memoryUsage().heapUsed, cpuMs: (user + system) / 1000 }));
});
await roles[role]();
