export { type Digest, type DigestOptions, digest } from './digest.ts';
