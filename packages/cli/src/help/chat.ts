/** What stands below the help of `chat`. */
export const CHAT_HELP: string = `
Models: openai/MODEL, anthropic/MODEL, google/MODEL, openai-compatible/MODEL.
Keys and addresses come from the environment; \`epitome help compact\` lists them.

Examples:
  epitome chat --demo
  epitome chat --model anthropic/claude-sonnet-4-5
  epitome chat --base-url http://localhost:11434/v1 --model qwen3
  epitome chat --continue

/help in the chat lists its commands. What was said is in your store before it
is shown as sent; \`epitome chat --resume\` lists the chats in it.`;
