import type { Call } from '../model/call.ts';

const OWN = /^\/(?:healthz|readyz|metrics|openapi\.json)(?:\/|$)/;
const CONVERSATIONS = /^\/v1\/conversations(?:\/|$)/;

// OpenAI's Conversations API has the same paths, makes conversations by POST and calls them conv_…; it has no list of them.
const OPENAIS = /^\/v1\/conversations\/conv_/;

/** Whether a request is for the gateway itself. */
export function isOwn({ method, path }: Pick<Call, 'method' | 'path'>): boolean {
  if (OWN.test(path)) return true;
  if (!CONVERSATIONS.test(path)) return false;
  if (/^\/v1\/conversations\/?$/.test(path)) return method === 'GET' || method === 'HEAD';
  return isNamedHere(path);
}

/** Whether a path holds the id of a conversation that is kept here, which may be any text. */
export function isNamedHere(path: string): boolean {
  return path.startsWith('/v1/conversations/') && !OPENAIS.test(path);
}
