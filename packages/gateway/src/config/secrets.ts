import { readFileSync, statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';

/** Where a key is taken from. */
export type SecretSource = { readonly env: string } | { readonly file: string };

/** Where secrets are looked for. */
export type SecretPlaces = { readonly env: Readonly<Record<string, string | undefined>>; readonly folder: string };

const LONGEST = 8192;

/** The secret, or why there is none; a reason never holds the secret. */
export function readSecret(
  source: SecretSource,
  places: SecretPlaces,
): { readonly value: string } | { readonly problem: string } {
  const found = 'env' in source ? places.env[source.env] : textOf(source.file, places);
  const origin = 'env' in source ? `the variable ${source.env}` : `the file ${source.file}`;
  if (found === undefined)
    return { problem: `comes from ${origin}, which ${'env' in source ? 'is not set' : 'cannot be read'}` };
  const value = found.trim();
  if (value === '') return { problem: `comes from ${origin}, which is empty` };
  // It goes out as a header: a line break in it would be another header.
  if (!/^[\x21-\x7e]+$/.test(value) || value.length > LONGEST) {
    return { problem: `comes from ${origin}, which holds white space or characters that no key has` };
  }
  return { value };
}

function textOf(path: string, { folder }: SecretPlaces): string | undefined {
  const full = isAbsolute(path) ? path : resolve(folder, path);
  try {
    return statSync(full).size > LONGEST ? undefined : readFileSync(full, 'utf8');
  } catch {
    return undefined;
  }
}
