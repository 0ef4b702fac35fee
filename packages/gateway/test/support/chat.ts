import type { Json } from '../upstream/index.ts';

/** A chat of so many exchanges, each of about `words` words, that ends with a prompt. */
export function chatOf(exchanges: number, words = 200, mark = ''): readonly Json[] {
  const messages: Json[] = [{ role: 'system', content: 'You are a careful engineer.' }];
  for (let at = 0; at < exchanges; at += 1) {
    messages.push({ role: 'user', content: `Question ${at}${mark}: ${filler(at, words)}` });
    messages.push({ role: 'assistant', content: `Answer ${at}: ${filler(at + 7, words)}` });
  }
  return [...messages, { role: 'user', content: `What now, after ${exchanges}${mark}?` }];
}

const WORDS = 'parser token branch record window ledger commit schema index cursor stream header policy branch'.split(
  ' ',
);

function filler(seed: number, words: number): string {
  return Array.from({ length: words }, (_, at) => WORDS[(seed * 31 + at * 7) % WORDS.length]).join(' ');
}

/** Posts a chat and gives the answer with its text. */
export async function post(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer k', ...headers },
    body: text,
  });
  return { status: answer.status, text: await answer.text(), told: answer.headers };
}

export type Answered = { readonly status: number; readonly text: string; readonly told: Headers };

/** The status header without its reason. */
export function statusOf({ told }: Answered): string | undefined {
  return told.get('x-epitome-status')?.split(';')[0];
}
