import { promptOf, SUMMARIZER_SYSTEM } from '../../packages/core/src/summarize/templates.ts';

/** A summarizer over any OpenAI-compatible endpoint: `OPENAI_BASE_URL`, `OPENAI_API_KEY`. For people who have a key. */
export function modelSummarizer(model) {
  const base = process.env.OPENAI_BASE_URL ?? 'https://api.openai.com/v1';
  return async ({ head, headMessages }, maxTokens) => {
    const conversation = head.map((text, index) => `[${headMessages[index].role}]\n${text}`).join('\n\n');
    const prompt = promptOf({ kind: 'snapshot' })({
      conversation,
      recent: '',
      prior: '',
      goal: '',
      focus: '',
      maxTokens,
    });
    const response = await fetch(`${base}/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${process.env.OPENAI_API_KEY ?? ''}` },
      body: JSON.stringify({
        model,
        max_tokens: maxTokens,
        messages: [
          { role: 'system', content: SUMMARIZER_SYSTEM },
          { role: 'user', content: prompt },
        ],
      }),
    });
    if (!response.ok) throw new Error(`${model}: ${response.status} ${await response.text()}`);
    const { choices } = await response.json();
    return choices[0].message.content.slice(0, maxTokens * 4);
  };
}
