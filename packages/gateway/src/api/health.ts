import type { Store } from '@epitome/store';
import type { Reply } from '../model/call.ts';

const PATIENCE_MS = 2000;
// Balancers ask often; the store need not be asked each time.
const FRESH_MS = 1000;

/** Whether the store answers, asked at most once a second. */
export function healthOf(store: Store, now: () => number = () => performance.now()): () => Promise<Reply> {
  let last: { readonly at: number; readonly reply: Promise<Reply> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > FRESH_MS) last = { at: now(), reply: ask(store) };
    return last.reply;
  };
}

async function ask(store: Store): Promise<Reply> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
  });
  try {
    await Promise.race([store.forTenant('epitome-health').conversation('none'), late]);
    return { status: 200, body: { status: 'ok' } };
  } catch {
    return { status: 503, headers: { 'retry-after': '1' }, body: { status: 'unavailable', reason: 'store' } };
  } finally {
    clearTimeout(timer);
  }
}
