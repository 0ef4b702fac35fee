import type { Attributes } from '@opentelemetry/api';

/** Only those attributes that are there. */
export function present(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
