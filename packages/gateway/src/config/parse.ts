import { LineCounter, parseDocument } from 'yaml';
import { ConfigError } from './errors.ts';

/** A file's value, `null` where there is nothing in it, and on which line a key of it stands. */
export type Parsed = { readonly value: unknown; readonly lineOf: (path: readonly PropertyKey[]) => number | undefined };

/** Reads YAML, of which JSON is a part; throws `ConfigError` with the line where it is neither. */
export function parseConfig(text: string, where: string): Parsed {
  const lines = new LineCounter();
  // Tags and merge keys have no use here, and `stringKeys` keeps objects from being keys.
  const document = parseDocument(text, { lineCounter: lines, schema: 'core', stringKeys: true, logLevel: 'silent' });
  if (document.errors.length > 0) {
    throw new ConfigError(
      where,
      document.errors
        .slice(0, 5)
        .map(({ code, message, pos }) => `line ${lines.linePos(pos[0]).line}: ${sentence(code, message)}`),
    );
  }
  return {
    value: document.toJS({ maxAliasCount: 100 }) ?? null,
    lineOf: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const node = document.getIn(path.slice(0, length), true);
        const range = typeof node === 'object' && node !== null && 'range' in node ? node.range : undefined;
        if (Array.isArray(range) && typeof range[0] === 'number') return lines.linePos(range[0]).line;
      }
      return undefined;
    },
  };
}

// The parser quotes the line at fault, which may hold what nobody should see in a log.
function sentence(code: string, message: string): string {
  return `${message.split('\n')[0]?.replace(/ at line \d+, column \d+:?$/, '') ?? 'not YAML'} (${code})`;
}
