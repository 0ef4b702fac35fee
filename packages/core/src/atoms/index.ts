export { findAtoms } from './atoms.ts';
