import { redactSecrets } from 'epitome/secrets';
import type { z } from 'zod';

const SHOWN = 60;
// Values under these keys are never repeated.
const HIDDEN = ['key', 'secret', 'hash', 'headers'];

/** What was given, and where each part of it was said. */
type Given = {
  readonly value: unknown;
  readonly placeOf: (path: readonly PropertyKey[]) => string | undefined;
};

/** What is wrong with a configuration, as sentences that name key, value and what it takes. */
export function problemsOf(issues: readonly z.core.$ZodIssue[], { value, placeOf }: Given): readonly string[] {
  return issues.flatMap((issue) => {
    const said = placeOf(issue.path);
    const place = said === undefined ? '' : ` (${said})`;
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(
        (key) => `${pathOf([...issue.path, key])} is no setting${place}; see the configuration reference.`,
      );
    }
    return [`${pathOf(issue.path)} ${foundAt(value, issue.path)}${place}; ${wantedBy(issue)}.`];
  });
}

function pathOf(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text === '' ? 'the configuration' : text.replace(/^\./, '');
}

function foundAt(value: unknown, path: readonly PropertyKey[]): string {
  const found = path.reduce<unknown>(
    (inner, key) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );
  if (found === undefined) return 'is missing';
  if (path.some((key) => HIDDEN.includes(String(key)))) return 'is not as it should be';
  if (typeof found === 'object') return `is ${Array.isArray(found) ? 'a list' : found === null ? 'empty' : 'a table'}`;
  const text = JSON.stringify(typeof found === 'string' ? withoutSecrets(found) : found);
  return `is ${text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text}`;
}

/** An address may hold a password in front of its @, and a key behind its ? or #. */
function withoutSecrets(text: string): string {
  const isAddress = text.includes('://');
  const hidden = text.replace(/^([^:]*:\/\/)?.*@/s, '$1[redacted]@');
  return redactSecrets(isAddress ? hidden.replace(/([?#]).*$/s, '$1[redacted]') : hidden).text;
}

function wantedBy(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `it takes ${typeWords(issue.expected)}`;
    case 'invalid_value':
      return `it takes one of ${issue.values.map((each) => JSON.stringify(each)).join(', ')}`;
    case 'too_small':
      return `it takes ${issue.inclusive ? '' : 'more than '}${issue.minimum}${issue.inclusive ? ' or more' : ''}${unitOf(issue.origin)}`;
    case 'too_big':
      return `it takes ${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}${unitOf(issue.origin)}`;
    default:
      return issue.message.replace(/\.$/, '');
  }
}

function unitOf(origin: string): string {
  return { string: ' characters', array: ' entries' }[origin] ?? '';
}

function typeWords(expected: string): string {
  const words: Readonly<Record<string, string>> = {
    object: 'a table',
    array: 'a list',
    string: 'a text',
    int: 'a whole number',
  };
  return words[expected] ?? `a ${expected}`;
}
