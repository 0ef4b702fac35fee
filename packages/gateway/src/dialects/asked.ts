import { fieldsOf, figure, parsed } from '../json/values.ts';
import type { AskedFacts } from '../model/report.ts';
import type { Reading } from './reading.ts';
import type { DialectRules } from './rules.ts';

/** What a request says of itself, as far as spans tell it. */
export function askedIn(reading: Reading, { maxTokens, reasoning }: DialectRules): AskedFacts {
  const limit = figure(firstOf(reading, maxTokens));
  const level = firstOf(reading, reasoning);
  const previous = memberAt(reading, 'previous_response_id');
  return {
    ...(limit === undefined ? {} : { maxTokens: limit }),
    ...(typeof level === 'string' ? { reasoning: level } : {}),
    ...(typeof previous === 'string' ? { previousResponse: previous } : {}),
  };
}

function firstOf(reading: Reading, paths: readonly string[]): unknown {
  return paths.map((path) => memberAt(reading, path)).find((value) => value !== undefined && value !== null);
}

function memberAt({ fields }: Reading, path: string): unknown {
  const [first = '', ...inside] = path.split('.');
  const written = fields.get(first);
  const value: unknown = written ? parsed(written) : undefined;
  return inside.reduce((outer: unknown, key) => fieldsOf(outer)[key], value);
}
