/** Whose wording or address an error has; wordings that many share name nobody. */
export type OverflowProvider =
  | 'anthropic'
  | 'azure'
  | 'bedrock'
  | 'cerebras'
  | 'cohere'
  | 'copilot'
  | 'dashscope'
  | 'deepseek'
  | 'fireworks'
  | 'google'
  | 'groq'
  | 'litellm'
  | 'llama.cpp'
  | 'lm-studio'
  | 'minimax'
  | 'mistral'
  | 'moonshot'
  | 'ollama'
  | 'openai'
  | 'openrouter'
  | 'together'
  | 'vllm'
  | 'xai'
  | 'zai';

/** The provider behind the address a request went to. */
export function providerOf(url: string): OverflowProvider | undefined {
  const host = /^https?:\/\/([^/?#]{1,255})/i.exec(url)?.[1]?.toLowerCase() ?? '';
  return HOSTS.find(([part]) => host.includes(part))?.[1];
}

const HOSTS: readonly (readonly [part: string, provider: OverflowProvider])[] = [
  ['azure.com', 'azure'],
  ['api.openai.com', 'openai'],
  ['anthropic.com', 'anthropic'],
  ['googleapis.com', 'google'],
  ['amazonaws.com', 'bedrock'],
  ['mistral.ai', 'mistral'],
  ['groq.com', 'groq'],
  ['deepseek.com', 'deepseek'],
  ['api.x.ai', 'xai'],
  ['together.', 'together'],
  ['fireworks.ai', 'fireworks'],
  ['openrouter.ai', 'openrouter'],
  ['cohere.', 'cohere'],
  ['cerebras.ai', 'cerebras'],
  ['moonshot.', 'moonshot'],
  ['kimi.com', 'moonshot'],
  ['dashscope', 'dashscope'],
  ['minimax', 'minimax'],
  ['api.z.ai', 'zai'],
  ['bigmodel.cn', 'zai'],
  ['githubcopilot.com', 'copilot'],
  ['ollama.com', 'ollama'],
];
