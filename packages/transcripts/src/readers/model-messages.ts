/** What a tool gave back. */
export type Output = {
  readonly text: string;
  readonly isError: boolean;
  readonly media: readonly { readonly mimeType: string; readonly data: string }[];
};

/** A result as the AI SDK's messages have it. */
export function toolResult(call: { readonly callId: string; readonly name: string }, output: Output): unknown {
  return { type: 'tool-result', toolCallId: call.callId, toolName: call.name, output: outputOf(output) };
}

function outputOf({ text, isError, media }: Output): unknown {
  if (media.length === 0) return { type: isError ? 'error-text' : 'text', value: text };
  const files = media.map(({ mimeType, data }) => ({ type: 'media', mediaType: mimeType, data: withoutPrefix(data) }));
  return { type: 'content', value: [{ type: 'text', text }, ...files] };
}

function withoutPrefix(data: string): string {
  return data.startsWith('data:') ? data.slice(data.indexOf(',') + 1) : data;
}
