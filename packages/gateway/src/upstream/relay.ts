import type { ServerResponse } from 'node:http';
import type { DialectRules } from '../dialects/rules.ts';
import type { Refusal } from '../model/call.ts';
import { type ElementHold, holdElements } from './elements.ts';
import type { Answer } from './send.ts';
import type { AnswerForm, Watch } from './watch.ts';

/** How an answer came to its end. */
export type Relayed = {
  readonly end: 'complete' | 'incomplete' | 'gone';
  readonly bytes: number;
  readonly firstByteAt?: number;
};

/** An answer on its way to the client. */
export type Relaying = {
  readonly answer: Answer;
  /** What was read of it already. */
  readonly opening?: Buffer | undefined;
  readonly response: ServerResponse;
  readonly form: AnswerForm | 'opaque';
  readonly watch?: Pick<Watch, 'see'>;
  /** What the client is told where the upstream breaks off, and in which protocol; where there is none, the connection breaks. */
  readonly broken?: { readonly rules: DialectRules; readonly refusal: () => Refusal };
  /** Ends the answer as if the upstream broke off. */
  readonly stop?: AbortSignal;
};

/**
 * Passes an answer on chunk by chunk as it comes, no faster than the client takes it. Of an event stream, what follows the
 * last whole event waits for the rest of its event, so that an upstream that breaks off leaves no half event behind; so do
 * elements of an array.
 */
export async function relay(relaying: Relaying): Promise<Relayed> {
  const { answer, opening = NOTHING, response, form, watch, stop } = relaying;
  const held = holdFor(form);
  const whole = held === undefined ? Number(answer.headers['content-length'] ?? Number.NaN) : Number.NaN;
  let bytes = 0;
  let firstByteAt: number | undefined;
  const pass = (chunk: Buffer): boolean => {
    firstByteAt ??= performance.now();
    const out = held === undefined ? chunk : held.push(chunk);
    bytes += out.length;
    // What is known to be the last goes out with the end, in one piece.
    if (bytes === whole) response.end(out);
    const mayGoOn = out.length === 0 || bytes === whole || response.write(out);
    watch?.see(chunk);
    return mayGoOn;
  };
  const cut = (): void => void answer.body.destroy();
  stop?.addEventListener('abort', cut, { once: true });
  try {
    if (opening.length > 0) pass(opening);
    await pump(answer.body, response, held === undefined ? { pass } : { pass, isMany: true });
  } catch {
    if (response.destroyed) return ended('gone', bytes, firstByteAt);
    breakOff(relaying, bytes, held);
    return ended('incomplete', bytes, firstByteAt);
  } finally {
    stop?.removeEventListener('abort', cut);
  }
  const rest = held?.rest();
  if (!response.writableEnded) response.end(rest);
  return ended('complete', bytes + (rest?.length ?? 0), firstByteAt);
}

/** Who takes chunks, and says whether more may come at once; `isMany`: most are small. */
type Taker = { readonly pass: (chunk: Buffer) => boolean; readonly isMany?: true };

/** Gives each chunk to a taker. Iterating would cost a promise a chunk, and more. */
function pump(body: Answer['body'], response: ServerResponse, { pass, isMany }: Taker): Promise<void> {
  return new Promise((resolve, reject) => {
    const take = (chunk: Buffer): void => {
      if (!pass(chunk)) body.pause();
    };
    const gathered = gather(take, () => void body.destroy());
    const goOn = (): void => void body.resume();
    const gone = (): void => {
      if (!response.writableFinished) body.destroy();
    };
    const stop = (): void => {
      response.off('drain', goOn);
      response.off('close', gone);
    };
    const broke = (): void => reject(new Error('the answer broke off'));
    response.on('drain', goOn).on('close', gone);
    body.on('data', isMany ? gathered.take : take);
    if (body.readableEnded) resolve();
    body.on('end', gathered.flush).on('error', gathered.flush).on('end', resolve).on('error', reject);
    body.on('close', () => {
      stop();
      // Whatever came before decided; who hears nothing else hears this.
      if (!body.readableEnded) broke();
    });
    if (body.destroyed) broke();
    // It may have been stopped after its opening.
    body.resume();
  });
}

type Gathered = { readonly take: (chunk: Buffer) => void; readonly flush: () => void };

/** Makes one of chunks that come at once: writing one costs the same, however small it is. None of them waits for a later one. */
function gather(take: (chunk: Buffer) => void, failed: () => void): Gathered {
  let waiting: Buffer[] = [];
  const flush = (): void => {
    const [first, ...more] = waiting;
    waiting = [];
    if (first === undefined) return;
    try {
      take(more.length === 0 ? first : Buffer.concat([first, ...more]));
    } catch {
      failed();
    }
  };
  return {
    take: (chunk) => {
      if (waiting.push(chunk) === 1) process.nextTick(flush);
    },
    flush,
  };
}

function ended(end: Relayed['end'], bytes: number, firstByteAt: number | undefined): Relayed {
  return { end, bytes, ...(firstByteAt === undefined ? {} : { firstByteAt }) };
}

/** Ends the answer as the protocol says errors in a stream; where it has no way to, the connection breaks, as the upstream's did. */
function breakOff({ response, form, broken }: Relaying, bytes: number, held: Hold | undefined): void {
  if (broken === undefined || held === undefined || held.mayFollow?.() === false) {
    response.destroy();
    return;
  }
  const { rules, refusal } = broken;
  if (form === 'events') response.end(rules.errorEvent(refusal()));
  else response.end(`${bytes === 0 ? '[' : ','}${JSON.stringify(rules.errorBody(refusal()))}]`);
}

type Hold = Pick<ElementHold, 'push' | 'rest'> & Partial<ElementHold>;

const NOTHING = Buffer.alloc(0);
const LINE_END = 10;
// Larger than any event seen; one that is larger still is passed on in pieces.
const MOST_HELD = 1024 * 1024;

function holdFor(form: Relaying['form']): Hold | undefined {
  if (form === 'events') return createHold();
  return form === 'array' ? holdElements(MOST_HELD) : undefined;
}

function createHold(): Hold {
  let waiting: Buffer = NOTHING;
  return {
    push: (chunk) => {
      const all = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
      const cut = all.length > MOST_HELD ? all.length : endOfEvents(all);
      waiting = all.subarray(cut);
      return all.subarray(0, cut);
    },
    rest: () => waiting,
  };
}

/** Where the last whole event ends. A blank line ends one, whatever the line ends are. */
function endOfEvents(bytes: Buffer): number {
  // Most chunks end with an event.
  if (bytes.at(-1) === LINE_END && bytes.at(-2) === LINE_END) return bytes.length;
  const plain = bytes.lastIndexOf('\n\n');
  const windows = bytes.lastIndexOf('\r\n\r\n');
  return Math.max(plain < 0 ? 0 : plain + 2, windows < 0 ? 0 : windows + 4);
}
