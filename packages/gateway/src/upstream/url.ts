import type { Upstream } from '../model/dialect.ts';

const urls = new WeakMap<Upstream, URL>();

/** An upstream's address, read once. */
export function urlOf(upstream: Upstream): URL {
  const known = urls.get(upstream);
  if (known !== undefined) return known;
  const url = new URL(upstream.baseUrl);
  urls.set(upstream, url);
  return url;
}

/** Where an upstream listens. */
export function serverOf(upstream: Upstream): { readonly address: string; readonly port: number } {
  const { hostname, port, protocol } = urlOf(upstream);
  const usual = protocol === 'http:' ? 80 : 443;
  return { address: hostname, port: port === '' ? usual : Number(port) };
}
