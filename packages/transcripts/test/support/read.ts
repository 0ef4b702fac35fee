import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Message, Part } from 'epitome';
import { decodeAll, messagesOf, readSessions, type Session } from '../../src/index.ts';

/** Path of a fixture. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));
}

/** All sessions of some bytes, given in chunks of a size. */
export async function sessionsOf(bytes: Uint8Array, size: number = bytes.length): Promise<readonly Session[]> {
  const sessions: Session[] = [];
  for await (const session of readSessions(chunksOf(bytes, Math.max(size, 1)))) sessions.push(session);
  return sessions;
}

/** The first session of a fixture. */
export async function sessionIn(name: string): Promise<Session> {
  const [session] = await sessionsOf(readFileSync(fixture(name)));
  if (session === undefined) throw new Error(`${name} holds no session`);
  return session;
}

/** The first session of lines that are values or texts. */
export async function sessionOfLines(lines: readonly unknown[]): Promise<Session> {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const [session] = await sessionsOf(Buffer.from(text));
  if (session === undefined) throw new Error('no session');
  return session;
}

/** Messages of the main branch in neutral form. */
export function neutral(session: Session): readonly Message[] {
  return decodeAll(messagesOf(session), session.format);
}

/** Parts of one kind, in order. */
export function partsOf<K extends Part['kind']>(
  messages: readonly Message[],
  kind: K,
): readonly Extract<Part, { kind: K }>[] {
  return messages.flatMap(({ parts }) =>
    parts.filter((part): part is Extract<Part, { kind: K }> => part.kind === kind),
  );
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
