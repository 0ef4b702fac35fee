// Character codes of JSON: the same in text and in bytes of UTF-8.
export const QUOTE = 34;
export const BACKSLASH = 92;
export const OPEN_BRACKET = 91;
export const CLOSE_BRACKET = 93;
export const OPEN_BRACE = 123;
export const CLOSE_BRACE = 125;
