import type { Details } from '../model/item.ts';
import type { Session } from '../model/session.ts';
import { openhands } from '../readers/openhands.ts';
import { StoredSession } from './build.ts';

/** An event of OpenHands' own storage: its name there, and its JSON text. */
export type OpenhandsEvent = { readonly id: string; readonly text: string };

/** A session of OpenHands' own storage, in which every event is a record of its own. */
export async function readOpenhands(
  details: Details,
  events: AsyncIterable<OpenhandsEvent> | Iterable<OpenhandsEvent>,
): Promise<Session | undefined> {
  const session = new StoredSession(openhands);
  for await (const { id, text } of events) {
    const value = session.parse(text, `event ${id}`);
    if (value !== undefined) session.push({ path: ['events'], value });
  }
  session.tell(details);
  return session.finish();
}
