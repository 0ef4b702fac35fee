import { StringDecoder } from 'node:string_decoder';
import { createParser } from 'eventsource-parser';
import type { DialectRules } from '../dialects/rules.ts';
import type { HeaderMap } from './headers.ts';
import { readerOf } from './reader.ts';
import type { Answer } from './send.ts';

/** How an event stream begins: all bytes read of it so far, and the error it says instead of an answer. */
export type Opening = { readonly bytes: Buffer; readonly failure?: unknown };

// Some providers announce an answer long before they have one: whoever waits is to see it after a moment.
const LONGEST_WAIT_MS = 1000;
const MOST_BYTES = 256 * 1024;

/**
 * Reads an event stream up to the first event that is part of an answer, or an error. Nothing of it has gone to the client
 * yet, so that the request can still be put in another way.
 */
export function openingOf(body: Answer['body'], rules: DialectRules, headers: HeaderMap = {}): Promise<Opening> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    let isDecided = false;
    let failure: unknown;
    const decoder = new StringDecoder('utf8');
    const parser = createParser({
      onEvent: ({ event, data }) => {
        const heard = { ...(event === undefined ? {} : { name: event }), data };
        if (isDecided || rules.isAnnouncement(heard)) return;
        isDecided = true;
        failure = rules.failureIn(heard);
      },
    });
    const settle = (): void => {
      clearTimeout(timer);
      body.pause();
      body.off('data', see).off('end', finish).off('close', finish);
      reader.leave();
      resolve({ bytes: Buffer.concat(chunks), ...(failure === undefined ? {} : { failure }) });
    };
    const reader = readerOf(headers, (piece) => {
      parser.feed(decoder.write(piece));
      if (isDecided) settle();
    });
    const finish = (): void => void reader.end().then(settle);
    const see = (chunk: Buffer): void => {
      chunks.push(chunk);
      length += chunk.length;
      reader.see(chunk);
      if (length > MOST_BYTES) settle();
    };
    const timer = setTimeout(settle, LONGEST_WAIT_MS);
    body.on('data', see).on('end', finish).on('close', finish);
    // What cannot be read decides nothing.
    if (reader.isBlind) settle();
  });
}
