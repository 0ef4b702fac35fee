import { readFile } from 'node:fs/promises';
import type { JSONSchema7 } from 'ai';
import { messageOf, UsageError } from '../../errors.ts';
import { isObject } from '../../input/json.ts';
import { version } from '../../version.ts';
import { type Input, limited, type Tool } from './tool.ts';

/** A server of the Model Context Protocol: a command to start, or an address. */
export type McpServer =
  | {
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Readonly<Record<string, string>>;
    }
  | { readonly name: string; readonly url: string; readonly headers: Readonly<Record<string, string>> };

/** The tools of the servers that could be reached, and sentences about those that could not. */
export type McpTools = {
  readonly tools: readonly Tool[];
  readonly notes: readonly string[];
  readonly close: () => Promise<void>;
};

/** Reads a file of the usual shape: `{"mcpServers": {"name": {"command": …} or {"url": …}}}`. */
export async function readMcpServers(file: string): Promise<readonly McpServer[]> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw new UsageError(`The MCP servers in ${file} cannot be read: ${messageOf(cause)}`, { cause });
  }
  const servers = isObject(value) ? value['mcpServers'] : undefined;
  if (!isObject(servers)) throw new UsageError(`${file} has no object mcpServers.`);
  return mcpServersIn(servers, file);
}

/** Servers by name, as a file has them. */
export function mcpServersIn(servers: Readonly<Record<string, unknown>>, file: string): readonly McpServer[] {
  return Object.entries(servers).map(([name, server]) => serverOf(name, server, file));
}

function serverOf(name: string, server: unknown, file: string): McpServer {
  const { command, args, env, url, headers } = isObject(server) ? server : {};
  if (typeof url === 'string' && URL.canParse(url)) return { name, url, headers: textsIn(headers) };
  if (typeof command === 'string' && command !== '') {
    return { name, command, args: Array.isArray(args) ? args.map(String) : [], env: textsIn(env) };
  }
  throw new UsageError(`${file}: the MCP server ${JSON.stringify(name)} needs a command or a url.`);
}

/** Connects to all servers at once; one that fails is left out and said so. */
export async function openMcp(servers: readonly McpServer[], signal: AbortSignal): Promise<McpTools> {
  const opened = await Promise.all(
    servers.map(async (server) => {
      try {
        return await connectTo(server, signal);
      } catch (cause) {
        return {
          tools: [],
          notes: [`MCP server ${server.name} cannot be used: ${messageOf(cause)}`],
          close: async () => {},
        };
      }
    }),
  );
  return {
    tools: opened.flatMap(({ tools }) => tools),
    notes: opened.flatMap(({ notes }) => notes),
    close: async () => void (await Promise.all(opened.map(({ close }) => close().catch(() => undefined)))),
  };
}

type Client = InstanceType<typeof import('@modelcontextprotocol/sdk/client/index.js').Client>;

async function connectTo(server: McpServer, signal: AbortSignal): Promise<McpTools> {
  const { Client } = await import('@modelcontextprotocol/sdk/client/index.js');
  const client = new Client({ name: 'epitome', version: version() });
  try {
    await client.connect(await transportOf(server), { signal, timeout: CONNECT_MS });
    const tools = (await listed(client, signal)).map((tool) => toolOf(server.name, tool, client));
    return { tools, notes: [], close: () => client.close() };
  } catch (cause) {
    // What was started must not outlive a server that cannot be used.
    await client.close().catch(() => undefined);
    throw cause;
  }
}

const CONNECT_MS = 20_000;
const MOST_PAGES = 50;

/** All tools of a server, which may list them in pages. */
async function listed(client: Client, signal: AbortSignal): Promise<readonly Listed[]> {
  const tools: Listed[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found = await client.listTools(cursor === undefined ? undefined : { cursor }, {
      signal,
      timeout: CONNECT_MS,
    });
    for (const tool of found.tools) tools.push(tool);
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return tools;
}

async function transportOf(server: McpServer): Promise<Parameters<Client['connect']>[0]> {
  if ('url' in server) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js');
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { ...server.headers }, redirect: 'error' },
    });
    // The SDK's class declares `sessionId` looser than its own interface.
    return transport as Parameters<Client['connect']>[0];
  }
  const { getDefaultEnvironment, StdioClientTransport } = await import('@modelcontextprotocol/sdk/client/stdio.js');
  const { command, args, env } = server;
  return new StdioClientTransport({
    command,
    args: [...args],
    env: { ...getDefaultEnvironment(), ...env },
    stderr: 'ignore',
  });
}

type Listed = Awaited<ReturnType<Client['listTools']>>['tools'][number];

/** A tool of a server. Its name carries the server's; somebody must allow it. */
function toolOf(server: string, tool: Listed, client: Client): Tool {
  const name = `${server}_${tool.name}`.replace(/[^\w-]/g, '_').slice(0, 64);
  const describe = (input: Input): string => `${server}: ${tool.name} ${JSON.stringify(input)}`;
  return {
    name,
    description: tool.description ?? `${tool.name} of ${server}`,
    inputSchema: tool.inputSchema as JSONSchema7,
    describe,
    asks: (input) => ({
      title: `Let ${server} do this?`,
      what: `${tool.name} ${JSON.stringify(input, null, 2)}`,
      always: tool.name,
    }),
    run: async (input, signal) => {
      const result = await client.callTool({ name: tool.name, arguments: { ...input } }, undefined, { signal });
      const text = limited(textIn(result.content));
      return result.isError === true ? { text, isError: true } : { text };
    },
  };
}

function textIn(content: unknown): string {
  if (!Array.isArray(content)) return JSON.stringify(content ?? '');
  return content
    .map((part: unknown) => {
      if (isObject(part) && typeof part['text'] === 'string') return part['text'];
      return isObject(part) ? `[${String(part['type'])}]` : '';
    })
    .join('\n');
}

function textsIn(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, String(text)]));
}
