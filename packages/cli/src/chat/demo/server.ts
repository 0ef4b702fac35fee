import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerTo } from './script.ts';

/** A model that only knows its script, behind a real server of OpenAI's wire format. */
export type DemoServer = { readonly url: string; readonly close: () => Promise<void> };

// About as fast as a hosted model writes.
const PIECE_MS = 24;
const PIECE_CHARS = 14;
const MOST_BYTES = 8_000_000;

/** Starts it on this machine, for this machine alone. */
export async function startDemoServer(): Promise<DemoServer> {
  const server = createServer((incoming, response) => {
    void reply(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Asked = {
  readonly stream?: boolean;
  readonly messages?: readonly { readonly role: string; readonly content?: unknown }[];
};

async function reply(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > MOST_BYTES) {
      response.writeHead(413).end();
      return;
    }
    chunks.push(chunk);
  }
  const body = Buffer.concat(chunks).toString('utf8');
  const asked = JSON.parse(body) as Asked;
  const text = answerTo((asked.messages ?? []).map(({ content }) => textOf(content)));
  const usage = usageOf(body, text);
  if (asked.stream) await streamed(response, text, usage);
  else await whole(response, text, usage);
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part: { text?: unknown }) => (typeof part.text === 'string' ? part.text : '')).join('\n');
}

type Usage = Readonly<Record<string, unknown>>;

/** Figures such as a provider reports: most of a conversation that goes on is cached. */
function usageOf(body: string, text: string): Usage {
  const prompt = Math.ceil(body.length / 4.2);
  const output = Math.ceil(text.length / 4);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: Math.floor(prompt * 0.9) },
  };
}

const HEAD = { id: 'demo', created: 0, model: 'demo' } as const;

async function whole(response: ServerResponse, text: string, usage: Usage): Promise<void> {
  // A summary takes its time, or nobody would see that it is being written.
  await delay((text.length / PIECE_CHARS) * PIECE_MS * 0.8);
  const choices = [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }];
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage }));
}

async function streamed(response: ServerResponse, text: string, usage: Usage): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (data: object): void => {
    response.write(`data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', ...data })}\n\n`);
  };
  for (let at = 0; at < text.length && !response.destroyed; at += PIECE_CHARS) {
    const content = text.slice(at, at + PIECE_CHARS);
    send({ choices: [{ index: 0, delta: { role: 'assistant', content }, finish_reason: null }] });
    await delay(PIECE_MS);
  }
  send({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage });
  response.end('data: [DONE]\n\n');
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
