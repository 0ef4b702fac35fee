import { isStoreError, type Store, type StoreErrorCode } from '@epitome/store';
import type { Reply } from '../model/call.ts';

const PATIENCE_MS = 2000;
// Balancers ask often; the store need not be asked each time.
const FRESH_MS = 1000;

/** Whether requests can be served. */
export type Health = {
  readonly reply: () => Promise<Reply>;
  /** Told of what failed: from then on the store must be seen to write again. */
  readonly noted: (cause: unknown) => void;
};

/** What a health asks of the world. */
type HealthPorts = {
  /** @default the process's clock */
  readonly now?: () => number;
  /** Told once of what is found to fail, until it is well again. */
  readonly onFault?: (cause: unknown) => void;
};

/** Whether the store answers, and writes where a write failed last; asked at most once a second. */
export function healthOf(
  store: Store,
  { now = () => performance.now(), onFault = () => {} }: HealthPorts = {},
): Health {
  let isTold = false;
  let last: { readonly at: number; readonly reply: Promise<Reply> } | undefined;
  let isFailing = false;
  const check = async (): Promise<void> => {
    try {
      store.probe?.();
    } catch (cause) {
      if (!isTold) onFault(cause);
      isTold = true;
      throw cause;
    }
    isTold = false;
    // Who is not ready is sent no turn that would show that it is again.
    await (isFailing ? write(store) : read(store));
    isFailing = false;
  };
  return {
    reply: () => {
      if (last === undefined || now() - last.at > FRESH_MS) last = { at: now(), reply: within(check) };
      return last.reply;
    },
    noted: (cause) => {
      if (!isStoreError(cause) || !FAILING.has(cause.code) || isFailing) return;
      isFailing = true;
      last = undefined;
    },
  };
}

const FAILING: ReadonlySet<StoreErrorCode> = new Set(['full', 'read-only', 'locked', 'corrupt', 'unavailable']);
const TENANT = 'epitome-health';

async function read(store: Store): Promise<void> {
  await store.forTenant(TENANT).conversation('none');
}

async function write(store: Store): Promise<void> {
  const log = store.forTenant(TENANT);
  const id = crypto.randomUUID();
  await log.create({ id, format: 'openai-chat' });
  await log.forget(id);
}

async function within(check: () => Promise<void>): Promise<Reply> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PATIENCE_MS);
  });
  try {
    await Promise.race([check(), late]);
    return { status: 200, body: { status: 'ok' } };
  } catch {
    return { status: 503, headers: { 'retry-after': '1' }, body: { status: 'unavailable', reason: 'store' } };
  } finally {
    clearTimeout(timer);
  }
}
