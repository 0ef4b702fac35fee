import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a model behaves. `hang` never answers. */
type Answer =
  | { readonly kind: 'text'; readonly text: string; readonly cutOff?: true; readonly refused?: true }
  | { readonly kind: 'status'; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: 'hang' };

/** What a client sent. */
type Received = { readonly path: string; readonly headers: IncomingMessage['headers']; readonly body: string };

/** A server that speaks the wire formats of the providers, and plays the answers in order; the last one repeats. */
export type ModelServer = {
  readonly url: string;
  readonly received: Received[];
  readonly play: (...answers: readonly Answer[]) => void;
  readonly close: () => Promise<void>;
};

export async function startModelServer(): Promise<ModelServer> {
  let queue: readonly Answer[] = [];
  const received: Received[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const path = incoming.url ?? '';
      received.push({ path, headers: incoming.headers, body: Buffer.concat(chunks).toString() });
      const [answer = { kind: 'status', status: 500 }] = queue;
      queue = queue.length > 1 ? queue.slice(1) : queue;
      reply(response, path, answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    play: (...answers) => {
      received.length = 0;
      queue = answers;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function reply(response: ServerResponse, path: string, answer: Answer): void {
  if (answer.kind === 'hang') return;
  const body = answer.kind === 'text' ? wire(path, answer) : { error: { message: 'the test says no', type: 'test' } };
  const status = answer.kind === 'status' ? answer.status : body === undefined ? 404 : 200;
  const headers = answer.kind === 'status' ? answer.headers : {};
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body ?? { error: { message: 'no such path' } }));
}

type Text = Extract<Answer, { kind: 'text' }>;

function wire(path: string, answer: Text): object | undefined {
  if (path === '/v1/responses') return responses(answer);
  if (path === '/v1/chat/completions' || path === '/chat-only/v1/chat/completions') return chat(answer);
  if (path === '/v1/messages') return anthropic(answer);
  return path.startsWith('/v1beta/models/') ? gemini(answer) : undefined;
}

function responses({ text, cutOff, refused }: Text): object {
  const content = refused ? { type: 'refusal', refusal: text } : { type: 'output_text', text, annotations: [] };
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    status: cutOff ? 'incomplete' : 'completed',
    incomplete_details: cutOff ? { reason: 'max_output_tokens' } : null,
    model: 'm',
    output: [{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content: [content] }],
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  };
}

function chat({ text, cutOff, refused }: Text): object {
  const message = refused ? { role: 'assistant', content: null, refusal: text } : { role: 'assistant', content: text };
  const finish_reason = cutOff ? 'length' : refused ? 'content_filter' : 'stop';
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, finish_reason, message }],
    usage: { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 },
  };
}

function anthropic({ text, cutOff, refused }: Text): object {
  return {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'm',
    content: refused ? [] : [{ type: 'text', text }],
    stop_reason: cutOff ? 'max_tokens' : refused ? 'refusal' : 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 11, output_tokens: 7 },
  };
}

function gemini({ text, cutOff, refused }: Text): object {
  const content = { role: 'model', parts: refused ? [] : [{ text }] };
  return {
    candidates: [{ index: 0, content, finishReason: cutOff ? 'MAX_TOKENS' : refused ? 'SAFETY' : 'STOP' }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7, totalTokenCount: 18 },
  };
}
