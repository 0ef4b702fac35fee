export { redactSecrets } from './redact.ts';
export type { Redaction, Redactor, SecretCount } from './redaction.ts';
export { type SafelyOptions, type SafeRedaction, safely } from './safely.ts';
