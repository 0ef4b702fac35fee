export { isContextOverflow, type OverflowReading, readOverflow } from './overflow.ts';
export type { OverflowProvider } from './provider.ts';
export type { OverflowUnit } from './wordings.ts';
