import { type Attributes, ProxyTracerProvider, trace } from '@opentelemetry/api';
import type { ChatCompressionEvent } from 'epitome/goals';

// Names of the conventions for generative AI are still in flux: those in use are here and nowhere else.
const TRACER = 'epitome';
const OPERATION = 'gen_ai.operation.name';
const COMPACTED = 'gen_ai.conversation.compacted';

/** Gives an event to the tracer that is installed; without one nothing happens. */
export function emit({ event: name, ...fields }: ChatCompressionEvent): void {
  const attributes: Attributes = { [OPERATION]: 'compact' };
  for (const [key, value] of Object.entries(fields)) if (value !== null) attributes[key] = value;
  // Only `true` says something: what is not set is not known.
  if (fields.status === 'compressed' || fields.status === 'truncated') attributes[COMPACTED] = true;
  trace.getTracer(TRACER).startSpan(name, { attributes }).end();
}

/** Waits until the installed SDK has sent what it holds back, as far as it can be asked. */
export async function flush(): Promise<void> {
  const provider: unknown = trace.getTracerProvider();
  const installed: unknown = provider instanceof ProxyTracerProvider ? provider.getDelegate() : provider;
  if (typeof installed !== 'object' || installed === null || !('forceFlush' in installed)) return;
  const { forceFlush } = installed;
  if (typeof forceFlush === 'function') await Promise.resolve(forceFlush.call(installed)).catch(() => undefined);
}
