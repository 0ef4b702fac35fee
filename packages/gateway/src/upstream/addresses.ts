import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import type { Upstream } from '../model/dialect.ts';

const inner = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  inner.addSubnet(net, prefix, 'ipv4');
  inner.addSubnet(`::ffff:${net}`, 96 + prefix, 'ipv6');
}
for (const [net, prefix] of [
  ['::', 127],
  ['64:ff9b::', 96],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  inner.addSubnet(net, prefix, 'ipv6');
}

/** Whether an address is this machine or of a private network. */
function isPrivate(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && inner.check(address, family === 4 ? 'ipv4' : 'ipv6');
}

type Place = Pick<Upstream, 'baseUrl' | 'allowPrivate'>;

/** Whether an upstream may be on a private network: said so, or written as such. */
export function allowsPrivate({ baseUrl, allowPrivate }: Place): boolean {
  const host = hostOf(baseUrl);
  return allowPrivate ?? (host === 'localhost' || (isIP(host) !== 0 && !isLinkLocal(host)));
}

/** Whether an upstream is written as an address that it may not have. No name is looked up for it, so no lookup would notice. */
export function isForbidden(place: Place): boolean {
  return isPrivate(hostOf(place.baseUrl)) && !allowsPrivate(place);
}

function hostOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.replace(/^\[|\]$/g, '');
}

// Where clouds keep the credentials of their machines; no model is served there.
const linkLocal = new BlockList();
linkLocal.addSubnet('169.254.0.0', 16, 'ipv4');
linkLocal.addSubnet('::ffff:169.254.0.0', 112, 'ipv6');
linkLocal.addSubnet('fe80::', 10, 'ipv6');

function isLinkLocal(address: string): boolean {
  return linkLocal.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/** What a connection fails with whose upstream's name resolves to a private address, and is not to. */
export const PRIVATE_ADDRESS = 'EPRIVATEADDRESS';

type Found = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** A lookup that refuses names which resolve to private addresses; it is asked at every connection. */
export function publicLookup(host: string, options: LookupOptions, found: Found): void {
  lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return found(error, []);
    const hidden = addresses.find(({ address }) => isPrivate(address));
    if (hidden !== undefined) {
      const error = new Error(`${host} resolves to a private address; set allowPrivate for this upstream if it may.`);
      return found(Object.assign(error, { code: PRIVATE_ADDRESS }), []);
    }
    const [first] = addresses;
    if (options.all || first === undefined) return found(null, addresses);
    return found(null, first.address, first.family);
  });
}
