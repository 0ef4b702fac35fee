import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ask, DIALECTS, run } from './faults/running.ts';
import { sendRaw } from './guard/server.ts';

test.each(DIALECTS)('a stream that outlasts timeouts.shutdown ends with the error event of %s', async (dialect) => {
  const endless = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write('event: message_start\ndata: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n');
  });
  await new Promise<void>((resolve) => endless.listen(0, '127.0.0.1', resolve));
  const { port } = endless.address() as AddressInfo;
  const running = await run({
    yaml: `timeouts: { shutdown: 100 }
upstreams: [{ name: endless, baseUrl: "http://127.0.0.1:${port}", dialects: [${DIALECTS.join(', ')}] }]`,
  });
  const answer = await ask(running.url, dialect, { stream: true });
  const text = answer.text();
  await running.stop();
  expect(await text).toMatch(/"delta":\{"content":"a"\}.*\n\n(event: error\n)?data: .*The gateway stopped/);
  endless.closeAllConnections();
  endless.close();
});

test('CONNECT is answered with 405, not with a connection that closes', async () => {
  const running = await run();
  const { port } = new URL(running.url);
  const raw = await sendRaw(Number(port), 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com:443\r\n\r\n');
  expect(raw).toMatch(/^HTTP\/1\.1 405 Method Not Allowed\r\n.*wrong-method/s);
  await running.stop();
});
