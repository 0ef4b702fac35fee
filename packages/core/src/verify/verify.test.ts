import { expect, test } from 'vitest';
import { overlong, refusalOf } from './verify.ts';

const judge = (text: string, finish?: string, prompt = '', prior = '') =>
  refusalOf({ draft: finish === undefined ? { text } : { text, finish }, text, prompt, prior })?.code;

test('a text is too long above its limit', () => {
  expect(overlong(100, 100)).toBeUndefined();
  expect(overlong(100.5, 100)).toEqual({
    code: 'summary-huge',
    detail: '101 tokens where 100 are the most',
    evidence: { tokens: 101, limit: 100 },
  });
});

test.each([
  ['', 'summary-empty'],
  [' \n\t', 'summary-empty'],
  ['{}', 'summary-empty'],
  ['<state_snapshot>\n\n</state_snapshot>', 'summary-empty'],
  ['…', 'summary-empty'],
  ["I'm sorry, but I can't assist with that.", 'summary-refused'],
  ['I cannot help with summarizing this content.', 'summary-refused'],
  ['Sorry, I am not able to do this.', 'summary-refused'],
  ['As an AI language model, I cannot continue.', 'summary-refused'],
  ['I must decline to summarize this content.', 'summary-refused'],
  ["I'd rather not summarize this.", 'summary-refused'],
  ['I’m afraid I can’t do that.', 'summary-refused'],
  ['This request cannot be summarized as it violates our policy.', 'summary-refused'],
  ['Es tut mir leid, aber dabei kann ich nicht helfen.', 'summary-refused'],
  ['Leider kann ich diese Unterhaltung nicht zusammenfassen.', 'summary-refused'],
  ['Ich kann Ihnen dabei leider nicht helfen.', 'summary-refused'],
  ['Je suis désolé, mais je ne peux pas vous aider.', 'summary-refused'],
  ['Désolée, je ne peux pas résumer ce contenu.', 'summary-refused'],
  ['Lo siento, no puedo ayudar con eso.', 'summary-refused'],
  ['No puedo resumir esta conversación.', 'summary-refused'],
  ['Desculpe, não posso ajudar com isso.', 'summary-refused'],
  ['Mi dispiace, non posso aiutarti.', 'summary-refused'],
  ['Het spijt me, ik kan dit niet samenvatten.', 'summary-refused'],
  ['抱歉，我无法总结这段对话。', 'summary-refused'],
  ['对不起，我不能协助处理这个请求。', 'summary-refused'],
  ['我无法提供这段内容的总结。', 'summary-refused'],
  ['申し訳ありませんが、その内容は要約できません。', 'summary-refused'],
  ['죄송하지만 그 요청은 도와드릴 수 없습니다.', 'summary-refused'],
  ['Извините, я не могу помочь с этим.', 'summary-refused'],
  ['Error: connect ECONNREFUSED', 'summary-error'],
  ['{"error":{"message":"overloaded"}}', 'summary-error'],
  ['429 Too Many Requests', 'summary-error'],
  ['<html><body>Bad gateway</body></html>', 'summary-error'],
  ['Failed to generate summary', 'summary-error'],
  ["<state_snapshot>I'm sorry, but I can't help with that.</state_snapshot>", 'summary-refused'],
  ['Internal Server Error', 'summary-error'],
  ['API error (529): overloaded', 'summary-error'],
  ['500 users were migrated; 3 failed and were retried by hand.', undefined],
  ['Error handling was added to src/parse.ts, tests pass.', undefined],
  ['Failed to reproduce at first; then found the bug in the cache.', undefined],
  ['Message: parsing is implemented, printing is next.', undefined],
  ['The user fixed an error in parse.ts; tests pass.', undefined],
  ['Erroneous input was the cause; the parser now rejects it.', undefined],
  ['用户想要重构解析器。', undefined],
  ['用户对此表示抱歉，并要求重试。', undefined],
  ['Der Nutzer möchte den Parser umbauen; leider kann der Test noch nicht laufen.', undefined],
  ["L'utilisateur ne peut pas compiler ; je ne peux pas lire le journal.", undefined],
  ['I added the parser and must decline to guess what the tests say.', undefined],
  ['The user must decline the invitation; the draft reply is written.', undefined],
  ['No se puede compilar todavía; falta el módulo de red.', undefined],
  [
    `The server answered "I'm sorry, but I can't assist". ${Array.from({ length: 40 }, (_, at) => `Step ${at} went well. `).join('')}`,
    undefined,
  ],
  ['Sure! Here is the summary you asked for.', 'summary-empty'],
  ['Here’s a brief summary of the conversation:', 'summary-empty'],
  ['{"summary": ""}', 'summary-empty'],
  ['[object Object]', 'summary-empty'],
  ['ok', 'summary-empty'],
  ['Too Many Requests', 'summary-error'],
  ['context deadline exceeded', 'summary-error'],
  ['upstream connect error or disconnect/reset before headers', 'summary-error'],
  ['Could you please provide the conversation you want me to summarize?', 'summary-refused'],
  ['I don’t see any conversation here.', 'summary-refused'],
  ['<function_calls><invoke name="bash"></invoke></function_calls>', 'summary-empty'],
  [
    '<function_calls><invoke name="bash"><parameter name="c">ls</parameter></invoke></function_calls>',
    'summary-refused',
  ],
  ['I will now continue with fixing the timeout. Let me run the tests again.', 'summary-refused'],
  ['The user wants it. '.repeat(150), 'summary-echo'],
  ['Here is the summary: the parser is done, the printer is next.', undefined],
  ['Ok, the parser is done.', undefined],
  ['Let the parser be; the printer is next.', undefined],
] as const)('%j: %s', (text, code) => expect(judge(text)).toBe(code));

test.each([
  ['length', 'summary-cut-off'],
  ['max_tokens', 'summary-cut-off'],
  ['MAX_TOKENS', 'summary-cut-off'],
  ['refusal', 'summary-refused'],
  ['content-filter', 'summary-refused'],
  ['SAFETY', 'summary-refused'],
  ['stop', undefined],
  ['end_turn', undefined],
  ['tool-calls', 'summary-error'],
  ['error', 'summary-error'],
  ['MALFORMED_FUNCTION_CALL', 'summary-error'],
] as const)('a model that stopped with %s: %s', (finish, code) => expect(judge('A good summary.', finish)).toBe(code));

test('an echo of the prompt is refused, a short quote is not', () => {
  const prompt = Array.from({ length: 300 }, (_, index) => `line ${index} of the conversation`).join('\n');
  expect(judge(prompt.slice(0, prompt.length / 2), 'stop', prompt)).toBe('summary-echo');
  expect(judge(prompt.slice(0, 300), 'stop', prompt)).toBeUndefined();
  expect(judge(prompt.slice(0, prompt.length / 2), 'stop', prompt, prompt.slice(0, prompt.length / 2))).toBeUndefined();
});

test('a long text that is copied word for word is an echo, however small beside its source; joined notes are none', () => {
  const lines = Array.from(
    { length: 2000 },
    (_, index) => `line ${index} of the conversation tells thing ${index * 7}`,
  );
  const prompt = lines.join('\n');
  const text = prompt.slice(20_000, 26_000);
  const given = { draft: { text }, text, prompt, prior: '' };
  expect(refusalOf(given)?.code).toBe('summary-echo');
  expect(refusalOf({ ...given, isMerged: true })).toBeUndefined();
  const account = lines
    .filter((_, index) => index % 100 === 0)
    .map((line) => `- It was said that ${line}, and then more was done.`);
  expect(refusalOf({ ...given, draft: { text: account.join('\n') }, text: account.join('\n') })).toBeUndefined();
});

test('next to nothing is no summary of a long history where sections were asked for', () => {
  const tiny = (text: string, kind: 'snapshot' | 'progressive', read: number) =>
    refusalOf({ draft: { text }, text, prompt: 'x '.repeat(read / 2), prior: '', template: { kind } })?.code;
  expect(tiny('All is well.', 'snapshot', 60_000)).toBe('summary-empty');
  expect(tiny('All is well.', 'snapshot', 20_000)).toBeUndefined();
  expect(tiny('All is well.', 'progressive', 60_000)).toBeUndefined();
  expect(tiny('## Current State\nDone.', 'snapshot', 60_000)).toBeUndefined();
});

const snapshot = { kind: 'snapshot' } as const;
const tagged = { kind: 'tagged', tag: 'summary' } as const;
const whole = '<state_snapshot>\n<overall_goal>Move it</overall_goal>\n<key_knowledge>It is large</key_knowledge>';

test.each([
  ['a section that is open at the end', `${whole}\n<current_plan>1. [TODO] and the`, snapshot, undefined, true],
  ['the same from a model that says it finished', `${whole}\n<current_plan>1. and the`, snapshot, 'stop', true],
  ['a frame that is not closed', whole, snapshot, undefined, true],
  ['a frame that a finished model forgot to close', whole, snapshot, 'end_turn', false],
  ['a closed one', `${whole}\n</state_snapshot>`, snapshot, undefined, false],
  ['a section left open inside a closed frame', `${whole}<current_plan>x</state_snapshot>`, snapshot, undefined, false],
  ['no structure at all', 'It was moved.', snapshot, undefined, false],
  ['an open tag of another template', '<summary>It was moved.', snapshot, undefined, false],
  [
    'a frame named in the thinking before it',
    `<think>I write <state_snapshot></think>${whole}</state_snapshot>`,
    snapshot,
    undefined,
    false,
  ],
  ['a tagged summary that is not closed', '<summary>It was moved and', tagged, undefined, true],
  ['a tagged summary that a finished model forgot to close', '<summary>It was moved.', tagged, 'stop', false],
  ['a tagged summary', '<summary>It was moved.</summary>', tagged, undefined, false],
  ['plain prose', 'It was moved and', { kind: 'progressive' } as const, undefined, true],
  ['plain prose of a model that says it finished', 'It was moved and', { kind: 'progressive' } as const, 'stop', false],
  ['plain prose without a last stop', 'It was moved to src/a.ts', { kind: 'progressive' } as const, undefined, false],
] as const)('cut off by structure: %s', (_name, text, template, finish, isCut) => {
  const draft = finish === undefined ? { text } : { text, finish };
  const finding = refusalOf({ draft, text, prompt: '', prior: '', template });
  expect(finding?.code).toBe(isCut ? 'summary-cut-off' : undefined);
  if (isCut) expect(finding?.evidence?.line).toBe(text.split('\n').at(-1));
});

test('a refusal carries its words as evidence', () => {
  const text = 'I must decline to summarize this content.';
  expect(refusalOf({ draft: { text }, text, prompt: '', prior: '' })?.evidence).toEqual({ line: text });
});

test('odd drafts make no check throw', () => {
  for (const finish of [42, null, {}, [], true]) {
    const draft = JSON.parse(JSON.stringify({ text: 'A good summary.', finish }));
    expect(refusalOf({ draft, text: draft.text, prompt: '', prior: '' })).toBeUndefined();
  }
});

test.each([
  'Error: ENOENT was the failure the user reported; it was fixed by creating the file.',
  "I can't reproduce the bug any more, the user said. Next: write tests.",
])('a short summary that tells what the user said is one: %s', (text) => {
  expect(refusalOf({ draft: { text }, text, prompt: '', prior: '' })).toBeUndefined();
});
