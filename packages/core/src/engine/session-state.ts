import type { Finding } from '../model/finding.ts';
import { frameState } from '../model/frame.ts';

/**
 * State that is not conversation, by name: rules, language, plan, todos, running jobs. Each is asked when a compaction runs
 * and stands behind its summary as it is then; it is never summarized, and an empty text is left out.
 */
export type StateProviders = Readonly<Record<string, () => string>>;

/** What the providers say now, as the model is shown it, and which of them failed. */
export type SessionState = { readonly text: string; readonly findings: readonly Finding[] };

/** Asks every provider; one that throws costs its own text and nothing else. */
export function renderState(providers: StateProviders = {}): SessionState {
  const findings: Finding[] = [];
  const texts: Record<string, string> = {};
  for (const [name, render] of Object.entries(providers)) {
    try {
      const text = String(render() ?? '').trim();
      if (text !== '') texts[name] = text;
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      findings.push({ code: 'state-failed', detail: `${name}: ${reason}` });
    }
  }
  return { text: frameState(texts), findings };
}
