import { TokenLimiterProcessor } from '@mastra/core/processors';
import { toModelMessage } from './ai-sdk.mjs';

/** Mastra counts the whole prompt before each request. */
export const decide = {
  mastra: {
    title: 'Mastra TokenLimiterProcessor',
    open: (chat) => {
      const limiter = new TokenLimiterProcessor({ limit: 1_000_000_000 });
      return { messages: chat.map(toModelMessage), decide: (prompt) => limiter.processLLMRequest({ prompt }) };
    },
  },
};

/** It drops what does not fit; there is no summary. */
export const full = {
  mastra: {
    title: 'Mastra TokenLimiterProcessor, trims',
    prepare: (chat) => {
      const limiter = new TokenLimiterProcessor({ limit: 300_000 });
      const prompt = chat.map(toModelMessage);
      return () => limiter.processLLMRequest({ prompt });
    },
    check: (result) => result.prompt.length > 0,
  },
};
