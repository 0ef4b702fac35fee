import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** How the model behaves in one call. */
type Behaviour =
  | { readonly kind: 'text'; readonly text: string; readonly finish?: string; readonly hold?: true }
  | { readonly kind: 'call'; readonly name: string; readonly input: object }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly error?: object;
    }
  | { readonly kind: 'cut'; readonly text: string }
  | { readonly kind: 'hang' };

/** What a call is for. */
type Purpose = 'chat' | 'goals' | 'summary';

type Body = {
  readonly stream?: boolean;
  readonly messages: readonly { readonly role: string; readonly content?: unknown; readonly tool_calls?: unknown }[];
};

/** A server of OpenAI's wire format that plays behaviours in order, for each purpose by itself; the last one repeats. */
export type ChatModelServer = {
  readonly url: string;
  readonly received: { readonly purpose: Purpose; readonly body: Body; readonly text: string }[];
  readonly play: (purpose: Purpose, ...behaviours: readonly Behaviour[]) => void;
  /** Lets answers that are held go on. */
  readonly release: () => void;
  readonly close: () => Promise<void>;
};

const GOALS =
  'Keeping the query through the redirect\nMoving the sessions into Redis\nLimiting how often one may log in';
export const SUMMARY =
  '<state_snapshot>\n<current_goal>Keep the query.</current_goal>\n<trajectory>They talked about the login, step by step.</trajectory>\n<discarded_context_summary>Small talk.</discarded_context_summary>\n</state_snapshot>';

export async function startChatModel(): Promise<ChatModelServer> {
  const queues = new Map<Purpose, readonly Behaviour[]>();
  const received: ChatModelServer['received'] = [];
  const held: (() => void)[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      const body = JSON.parse(text) as Body;
      const purpose = purposeOf(text);
      received.push({ purpose, body, text });
      const queue = queues.get(purpose) ?? [];
      const [behaviour = DEFAULTS[purpose]] = queue;
      if (queue.length > 1) queues.set(purpose, queue.slice(1));
      if (body.stream) stream(response, behaviour, held);
      else whole(response, behaviour);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    received,
    play: (purpose, ...behaviours) => void queues.set(purpose, behaviours),
    release: () => {
      for (const go of held.splice(0)) go();
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const DEFAULTS: Readonly<Record<Purpose, Behaviour>> = {
  chat: { kind: 'text', text: 'That is **done**.' },
  goals: { kind: 'text', text: GOALS },
  summary: { kind: 'text', text: SUMMARY },
};

function purposeOf(text: string): Purpose {
  if (text.includes('You name what a user is working on')) return 'goals';
  return text.includes('</conversation>') ? 'summary' : 'chat';
}

const HEAD = { id: 'c', created: 1, model: 'm' } as const;
const USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 10,
  total_tokens: 1010,
  prompt_tokens_details: { cached_tokens: 800 },
} as const;

function whole(response: ServerResponse, behaviour: Behaviour): void {
  if (behaviour.kind === 'hang') return;
  if (behaviour.kind === 'cut') {
    response.destroy();
    return;
  }
  if (behaviour.kind === 'status') {
    fail(response, behaviour);
    return;
  }
  const content = behaviour.kind === 'text' ? behaviour.text : null;
  const finish_reason = behaviour.kind === 'text' ? (behaviour.finish ?? 'stop') : 'tool_calls';
  response.writeHead(200, { 'content-type': 'application/json' });
  const choices = [{ index: 0, finish_reason, message: { role: 'assistant', content } }];
  response.end(JSON.stringify({ ...HEAD, object: 'chat.completion', choices, usage: USAGE }));
}

function fail(response: ServerResponse, { status, headers, error }: Extract<Behaviour, { kind: 'status' }>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ error: error ?? { message: 'the test says no', type: 'test' } }));
}

function stream(response: ServerResponse, behaviour: Behaviour, held: (() => void)[]): void {
  if (behaviour.kind === 'hang') return;
  if (behaviour.kind === 'status') {
    fail(response, behaviour);
    return;
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const send = (delta: object, finish_reason: string | null = null, more: object = {}): void => {
    const choices = [{ index: 0, delta, finish_reason }];
    response.write(`data: ${JSON.stringify({ ...HEAD, object: 'chat.completion.chunk', choices, ...more })}\n\n`);
  };
  const end = (finish: string): void => {
    send({}, finish, { usage: USAGE });
    response.end('data: [DONE]\n\n');
  };
  if (behaviour.kind === 'call') {
    const called = { name: behaviour.name, arguments: JSON.stringify(behaviour.input) };
    send({
      role: 'assistant',
      tool_calls: [{ index: 0, id: `call_${Math.random()}`, type: 'function', function: called }],
    });
    end('tool_calls');
    return;
  }
  send({ role: 'assistant', content: behaviour.text });
  if (behaviour.kind === 'cut') {
    // What was sent must leave before the line is cut.
    setTimeout(() => response.destroy(), 20);
    return;
  }
  if (behaviour.hold) held.push(() => end(behaviour.finish ?? 'stop'));
  else end(behaviour.finish ?? 'stop');
}
