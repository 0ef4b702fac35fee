/** Sentences as one paragraph, which the terminal's width breaks. */
export const paragraph = (...sentences: readonly string[]): string => sentences.join(' ');
