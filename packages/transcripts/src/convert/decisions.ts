import { estimateTokens, type Message } from 'epitome';
import { extractFacts } from 'epitome/facts';

/** What the assistant settled on and found out, in its own sentences and their order; the newest where not all fit. */
export function decisionsOf(messages: readonly Message[], maxTokens: number): readonly string[] {
  const said = messages
    .filter(({ role }) => role === 'assistant')
    .flatMap((message, index) => extractFacts(message, index))
    .flatMap((fact) => (fact.kind === 'decision' ? [bare(fact.value)] : []));
  const kept: string[] = [];
  let left = maxTokens;
  for (const sentence of [...new Set(said)].filter(isDecision).reverse()) {
    left -= estimateTokens(`- ${sentence}\n`);
    if (left < 0 || kept.length === MOST) break;
    kept.push(sentence);
  }
  return kept.reverse();
}

const MOST = 12;

/** Without the mark of the list it stood in. */
function bare(sentence: string): string {
  return sentence
    .replace(/\s+/g, ' ')
    .replace(/^(?:[-*•] |\d{1,3}[.)] )/, '')
    .trim();
}

/** A whole sentence that says what was chosen, or why; not one that leads to another, or that only tells the next step. */
function isDecision(sentence: string): boolean {
  return WHOLE.test(sentence) && !/[:?]$/.test(sentence) && !STEP.test(sentence) && SETTLED.test(sentence);
}

// `The problem is clear.` settles nothing.
const WHOLE = /^[^\p{Ll}\s:](?:\S*\s+){4}/u;
const STEP =
  /^(?:(?:now|next|first|then|ok(?:ay)?|so)\b,? )?(?:let me|i['’]m (?:going|now|checking)|before|now that)\b/i;
const SETTLED =
  /\b(?:decided|decision|chose|chosen|(?:I|we)(?:['’]ll| will) (?:use|go with|not)|let['’]s (?:not|go with)|going with|opted|settled on|instead of|root cause|turns out|the (?:issue|problem|bug|fix|reason|cause) (?:is|was)|because|conclusion|recommend)\b/i;
