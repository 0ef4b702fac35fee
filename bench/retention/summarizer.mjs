import { compact, presets } from '../../packages/core/src/index.ts';
import { quarter, textOf } from './corpus.mjs';

/**
 * Preset `epitome` with a model behind it, over any OpenAI-compatible endpoint: `OPENAI_BASE_URL`, `OPENAI_API_KEY`. What is
 * measured is what a user gets: chunked and merged where the head is long, checked, with facts behind it.
 */
export function modelSummarizer(model) {
  const summarizer = (brief, signal) => ask(model, brief, signal);
  return async ({ headMessages }, maxTokens) => {
    const outcome = await compact(
      {
        format: 'openai-chat',
        messages: headMessages.map(({ native }) => native),
        policy: presets.epitome({
          window: 1_000_000,
          target: maxTokens,
          keepTokens: 0,
          mask: false,
          summaryMaxTokens: Math.floor(maxTokens * 0.75),
          factTokens: Math.floor(maxTokens * 0.2),
        }),
        cause: 'manual',
      },
      {
        summarizer,
        counter: quarter,
        summarizerWindow: Number(process.env.SUMMARIZER_WINDOW ?? 128_000),
        maxCalls: 40,
      },
    );
    const isOwn = outcome.method === 'model';
    // Where a summary is refused or does not fit, the digest stands in for it, as it does for a user.
    if (!isOwn && failure !== undefined) throw new Unanswered(model, failure);
    if (!isOwn) console.error(`bench:retention: the digest stood in for a summary of ${model} (${reasonOf(outcome)}).`);
    return outcome.messages
      .map(textOf)
      .join('\n')
      .slice(0, maxTokens * 4);
  };
}

function reasonOf({ findings }) {
  return findings.find(({ code }) => /^summary-|^wrong-language|^inflated/.test(code))?.code ?? 'it was too long';
}

/** No summary came from the model: a sentence for people, no stack. */
export class Unanswered extends Error {
  constructor(model, reason) {
    super(
      `bench:retention: ${model} gave no summary (${reason}). Check OPENAI_BASE_URL (${base()}) and OPENAI_API_KEY, or leave out --summarizer.`,
    );
  }
}

const base = () => process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';

// The engine turns a failed call into a finding and goes on without a model; the bench wants to know why.
let failure;

async function ask(model, { system, prompt, maxTokens }, signal) {
  const response = await fetch(`${base()}/chat/completions`, {
    method: 'POST',
    signal,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY ?? ''}` },
    body: JSON.stringify({
      model,
      max_tokens: maxTokens,
      messages: [
        { role: 'system', content: system },
        { role: 'user', content: prompt },
      ],
    }),
  }).catch((cause) => {
    failure = `no connection: ${cause.cause?.message ?? cause.message}`;
    throw cause;
  });
  if (!response.ok) {
    failure = `${response.status} ${(await response.text()).slice(0, 200)}`;
    throw new Error(failure);
  }
  failure = undefined;
  const { choices, usage } = await response.json();
  const [{ message, finish_reason: finish }] = choices;
  return {
    text: message.content ?? '',
    finish,
    usage: { inputTokens: usage?.prompt_tokens, outputTokens: usage?.completion_tokens },
  };
}
