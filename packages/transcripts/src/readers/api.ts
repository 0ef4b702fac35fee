import type { FormatName } from 'epitome';
import { holdsServerState } from 'epitome/server-state';
import { detectFormat, FormatTally } from '../api/detect.ts';
import type { Details, Item, Piece, Reader } from '../model/item.ts';
import { defined, isObject, type JsonObject, listOf, objectOf, stringOf } from '../model/json.ts';
import { unread } from './items.ts';

/** Messages as the providers' APIs take them: a list or lines of messages, or of requests, each of which is a session. */
export const api: Reader = {
  source: 'api',
  claims: ({ path, value }) => {
    if (!isObject(value)) return false;
    if (path.length === 1) return KEYS.has(path[0] ?? '') && isMessage(value);
    return path.length === 0 && (isMessage(value) || keyOf(value) !== undefined);
  },
  open: () => {
    let open: OpenSession | undefined;
    const start = (): readonly Item[] => {
      if (open !== undefined) return [];
      open = new OpenSession();
      return [{ kind: 'session', source: 'api', format: 'openai-chat', details: {} }];
    };
    const end = (): readonly Item[] => {
      const items = open?.end() ?? [];
      open = undefined;
      return items;
    };
    return {
      push: (piece) => {
        if (piece.path.length === 0 && isObject(piece.value) && keyOf(piece.value) !== undefined) {
          return [...end(), ...requestItems(piece.value)];
        }
        const started = start();
        return [...started, ...(open?.push(piece) ?? [])];
      },
      end,
    };
  },
};

const KEYS: ReadonlySet<string> = new Set(['messages', 'input', 'contents', 'history']);

function isMessage(value: JsonObject): boolean {
  return (
    typeof value['role'] === 'string' ||
    Array.isArray(value['parts']) ||
    /_call|reasoning/.test(stringOf(value['type']))
  );
}

function keyOf(value: JsonObject): string | undefined {
  for (const key of KEYS) if (Array.isArray(value[key])) return key;
  return undefined;
}

/** Gathers what stands around the messages; the format is known when all have been seen. */
class OpenSession {
  readonly #tally = new FormatTally();
  readonly #envelope: Record<string, unknown> = {};
  #hasEnvelope = false;

  push({ path, value }: Piece): readonly Item[] {
    const [key, inner] = path;
    if (key === undefined || KEYS.has(key)) {
      if (key !== undefined) this.#note(key, []);
      if (!isObject(value)) return [unread(`${key ?? ''} (no message)`)];
      this.#tally.add(value);
      return [entryOf(value)];
    }
    const before = this.#envelope[key];
    if (inner !== undefined) this.#note(key, { ...objectOf(before), [inner]: value });
    else this.#note(key, LISTS.has(key) ? [...listOf(before), value] : value);
    return [];
  }

  end(): readonly Item[] {
    const envelope = this.#hasEnvelope ? this.#envelope : undefined;
    const { format } = this.#tally.format(envelope);
    return [{ kind: 'details', details: { ...fixedOf(this.#envelope), ...keptOf(format, this.#envelope), format } }];
  }

  #note(key: string, value: unknown): void {
    this.#hasEnvelope = true;
    this.#envelope[key] = value;
  }
}

// Members whose lists come entry by entry.
const LISTS: ReadonlySet<string> = new Set(['tools', 'system', 'functions']);

function requestItems(request: JsonObject): readonly Item[] {
  const messages = listOf(request[keyOf(request) ?? '']);
  const { format } = detectFormat(messages, request);
  const entries = messages.map((message) => (isObject(message) ? entryOf(message) : unread('(no message)')));
  const details = { ...fixedOf(request), ...keptOf(format, request) };
  return [{ kind: 'session', source: 'api', format, details }, ...entries];
}

function keptOf(format: FormatName, body: JsonObject): Details {
  return holdsServerState({ format, body, messages: [] }) ? { isKeptByServer: true } : {};
}

function entryOf(value: JsonObject): Item {
  return { kind: 'entry', natives: [value], ...(value['role'] === 'user' ? { isPrompt: true } : {}) };
}

/** System prompt, tools, model and names of a request. */
function fixedOf(envelope: JsonObject): Details {
  // Google's JavaScript SDK takes both inside `config`.
  const from = { ...objectOf(envelope['config']), ...envelope };
  return defined({
    system: from['system'] ?? from['instructions'] ?? from['systemInstruction'] ?? from['system_instruction'],
    tools: from['tools'] ?? from['functions'],
    model: stringOf(from['model']) || undefined,
    id: stringOf(from['id']) || stringOf(from['conversation_id']) || undefined,
    title: stringOf(from['title']) || undefined,
  });
}
