import type { Ports, Summarizer } from 'epitome';
import { figure } from '../json/values.ts';
import type { SummarizerCall, Usage } from '../model/report.ts';

/** Ports that note each call of their summarizer, never what is said in it. */
export function noting(ports: Ports): { readonly ports: Ports; readonly calls: readonly SummarizerCall[] } {
  const calls: SummarizerCall[] = [];
  const { summarizer } = ports;
  if (summarizer === undefined) return { ports, calls };
  const noted: Summarizer = async (brief, signal) => {
    const startedAt = Date.now();
    const started = performance.now();
    const { purpose, maxTokens, model } = brief;
    const note = (end: Pick<SummarizerCall, 'usage' | 'finish' | 'error'>): void => {
      const asked = { purpose, maxTokens, ...(model === undefined ? {} : { model }) };
      calls.push({ ...asked, startedAt, durationMs: performance.now() - started, ...end });
    };
    try {
      const draft = await summarizer(brief, signal);
      const { usage, finish } = draft;
      note({ ...(usage === undefined ? {} : { usage }), ...(finish === undefined ? {} : { finish }) });
      return draft;
    } catch (cause) {
      note({ error: cause instanceof Error ? cause.name : 'unknown' });
      throw cause;
    }
  };
  return { ports: { ...ports, summarizer: noted }, calls };
}

/** What calls of a model took. A summarizer that does not say, or says no figure, took nothing as far as anybody knows. */
export function spentOn(calls: readonly SummarizerCall[]): Usage {
  return {
    input: calls.reduce((sum, { usage }) => sum + (figure(usage?.inputTokens) ?? 0), 0),
    output: calls.reduce((sum, { usage }) => sum + (figure(usage?.outputTokens) ?? 0), 0),
  };
}
