/** Whether a stored text is JSON, as everything that was taken in is. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
