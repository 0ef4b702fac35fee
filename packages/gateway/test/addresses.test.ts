import type { LookupAddress } from 'node:dns';
import { expect, test } from 'vitest';
import { allowsPrivate, isForbidden, publicLookup } from '../src/upstream/addresses.ts';

test('a name that resolves to this machine is refused when a connection is made', async () => {
  const found = await new Promise<readonly [Error | null, string | LookupAddress[]]>((resolve) => {
    publicLookup('localhost', {}, (error, address) => resolve([error, address]));
  });
  expect(found[0]?.message).toMatch(/localhost resolves to a private address/);
  expect(found[1]).toEqual([]);
});

test.each<[string, boolean | undefined, boolean, boolean]>([
  ['https://api.example.com', undefined, false, false],
  ['https://api.example.com', true, true, false],
  ['http://localhost:8080', undefined, true, false],
  ['http://127.0.0.1:8080', undefined, true, false],
  ['http://127.0.0.1:8080', false, false, true],
  ['http://[::1]', false, false, true],
  ['http://169.254.169.254', undefined, false, true],
  ['http://2852039166', undefined, false, true],
  ['http://[::ffff:169.254.169.254]', undefined, false, true],
  ['http://[fe80::1]', undefined, false, true],
  ['http://169.254.169.254', true, true, false],
  ['http://8.8.8.8', false, false, false],
])('%s with allowPrivate %s: private %s, forbidden %s', (baseUrl, allowPrivate, isAllowed, isRefused) => {
  const place = { baseUrl, ...(allowPrivate === undefined ? {} : { allowPrivate }) };
  expect([allowsPrivate(place), isForbidden(place)]).toEqual([isAllowed, isRefused]);
});
