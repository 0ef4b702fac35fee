import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openMcp, readMcpServers } from './mcp.ts';
import { type Approval, builtInTools, createToolbox } from './toolbox.ts';

const outer = realpathSync(mkdtempSync(join(tmpdir(), 'epitome-tools-')));
const folder = join(outer, 'work');
afterAll(() => rmSync(outer, { recursive: true }));

beforeAll(() => {
  mkdirSync(join(folder, 'src'), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  writeFileSync(join(folder, 'src', 'a.ts'), 'one\ntwo\nThree needles\n');
  writeFileSync(join(folder, 'node_modules', 'b.ts'), 'needle');
  writeFileSync(join(folder, 'image.png'), Buffer.from([0, 1, 2]));
  writeFileSync(join(outer, 'secret.txt'), 'secret');
  symlinkSync(join(outer, 'secret.txt'), join(folder, 'link.txt'));
});

const never = new AbortController().signal;

async function call(name: string, input: object, answer: Approval = 'deny') {
  const asked: string[] = [];
  const box = createToolbox(await builtInTools(folder, { PATH: process.env['PATH'], MY_API_KEY: 'canary' }));
  const ask = async ({ what }: { what: string }): Promise<Approval> => {
    asked.push(what);
    return answer;
  };
  return { ...(await box.run({ id: '1', name, input }, ask, never)), asked };
}

test.each([
  ['read_file', { path: 'src/a.ts', offset: 2, limit: 1 }, 'two'],
  ['list_files', { depth: 2 }, 'image.png\nsrc/\nsrc/a.ts'],
  ['search', { text: 'needle' }, 'src/a.ts:3: Three needles'],
])('%s works inside the folder', async (name, input, text) => {
  expect(await call(name, input)).toEqual({ text, asked: [] });
});

test.each([
  ['a path that leads out', { path: '../secret.txt' }, 'outside the working directory'],
  ['a path from the root', { path: join(outer, 'secret.txt') }, 'outside the working directory'],
  ['a link that leads out', { path: 'link.txt' }, 'outside the working directory'],
  ['a file outside that is not there', { path: '../nothing' }, 'outside the working directory'],
  ['a file that is not there', { path: 'nothing' }, 'There is no "nothing"'],
  ['a binary file', { path: 'image.png' }, 'binary'],
  ['a folder', { path: 'src' }, 'directory'],
  ['a NUL', { path: 'a\0b' }, 'NUL'],
])('%s is refused in a sentence', async (_, input, words) => {
  const { text, isError } = await call('read_file', input);
  expect([isError, text]).toEqual([true, expect.stringContaining(words)]);
});

describe('a shell command', () => {
  test('runs when it was allowed, without the keys of the environment, and says its exit code', async () => {
    const { text, isError, asked } = await call('shell', { command: 'echo "k:$MY_API_KEY"; exit 3' }, 'once');
    expect([text, isError, asked.length]).toEqual(['k:\n[exit 3]', true, 1]);
  });

  test('does not run when it was not', async () => {
    const { text } = await call('shell', { command: 'touch made' });
    expect(text).toContain('did not allow');
    expect((await call('list_files', {})).text).not.toContain('made');
  });

  test('is asked about once where they say always, and again where it differs', async () => {
    const box = createToolbox(await builtInTools(folder, process.env));
    let asked = 0;
    const ask = async (): Promise<Approval> => {
      asked += 1;
      return 'always';
    };
    for (const command of ['true', 'true', 'true ; true'])
      await box.run({ id: '1', name: 'shell', input: { command } }, ask, never);
    expect(asked).toBe(2);
  });

  test('ends with all it started when it is stopped', async () => {
    const box = createToolbox(await builtInTools(folder, process.env));
    const stop = new AbortController();
    const running = box.run(
      { id: '1', name: 'shell', input: { command: 'sleep 60 & sleep 60' } },
      async () => 'once',
      stop.signal,
    );
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(running).rejects.toThrow('enough');
  });

  test('keeps the start and the end of much output', async () => {
    const { text } = await call('shell', { command: 'seq 1 100000' }, 'once');
    expect(text.length).toBeLessThan(33_000);
    expect(text.startsWith('1\n2\n')).toBe(true);
    expect(text).toMatch(/characters left out[\s\S]*\[exit 0\]$/);
  });
});

describe('servers of the Model Context Protocol', () => {
  let server: Server;
  const makeServer = (): McpServer => {
    const made = new McpServer({ name: 'clock', version: '1' });
    made.registerTool('hour', { description: 'The hour' }, () => ({ content: [{ type: 'text', text: 'noon' }] }));
    return made;
  };
  beforeAll(async () => {
    server = createServer((request, response) => {
      const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined } as never);
      void makeServer()
        .connect(transport as never)
        .then(() => transport.handleRequest(request, response));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  const STDIO = `
    import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
    import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
    const server = new McpServer({ name: 'clock', version: '1' });
    server.registerTool('hour', {}, () => ({ content: [{ type: 'text', text: 'midnight' + (process.env.MY_API_KEY ?? '') }] }));
    await server.connect(new StdioServerTransport());`;

  test('give their tools by command and by address; what needs no approval is none of them; one that fails is said', async () => {
    const { port } = server.address() as AddressInfo;
    const file = join(outer, 'mcp.json');
    const command = { command: process.execPath, args: ['--input-type=module', '-e', STDIO] };
    const mcpServers = {
      near: command,
      far: { url: `http://127.0.0.1:${port}/mcp` },
      none: { command: join(outer, 'nothing') },
    };
    writeFileSync(file, JSON.stringify({ mcpServers }));
    const mcp = await openMcp(await readMcpServers(file), never);
    const box = createToolbox(mcp.tools);
    const asked: string[] = [];
    const ask = async ({ what }: { what: string }): Promise<Approval> => {
      asked.push(what);
      return 'once';
    };
    const run = (name: string) => box.run({ id: '1', name, input: {} }, ask, never);
    expect([(await run('near_hour')).text, (await run('far_hour')).text]).toEqual(['midnight', 'noon']);
    expect(asked).toEqual(['hour {}', 'hour {}']);
    expect(mcp.notes).toEqual([expect.stringContaining('MCP server none cannot be used')]);
    await mcp.close();
  });

  test('a file that names none is refused with what is wrong', async () => {
    const file = join(outer, 'wrong.json');
    writeFileSync(file, '{"mcpServers": {"x": {}}}');
    await expect(readMcpServers(file)).rejects.toThrow('the MCP server "x" needs a command or a url');
  });
});
