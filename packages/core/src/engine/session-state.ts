import type { Finding } from '../model/finding.ts';
import { escapeFrame, escapeTag } from '../model/frame.ts';

/**
 * State that is not conversation, by name: rules, language, plan, todos, running jobs. Each is asked when a compaction runs
 * and stands behind its summary as it is then; it is never summarized, and an empty text is left out.
 */
export type StateProviders = Readonly<Record<string, () => string>>;

/** What the providers say now, as the model is shown it, and which of them failed. */
export type SessionState = { readonly text: string; readonly findings: readonly Finding[] };

const TAG = 'session_state';
const LABEL = 'What the application keeps beside the conversation, as it is now:';

/** Asks every provider; one that throws costs its own text and nothing else. */
export function renderState(providers: StateProviders = {}): SessionState {
  const findings: Finding[] = [];
  const blocks = Object.entries(providers).flatMap(([name, render]) => {
    try {
      const text = String(render() ?? '').trim();
      return text === '' ? [] : [`<${TAG} name="${name}">\n${escapeFrame(escapeTag(text, TAG))}\n</${TAG}>`];
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      findings.push({ code: 'state-failed', detail: `${name}: ${reason}` });
      return [];
    }
  });
  return { text: blocks.length === 0 ? '' : [LABEL, ...blocks].join('\n'), findings };
}
