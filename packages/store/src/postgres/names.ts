/** Whether PostgreSQL can hold a text. No id or name is one it cannot: what is asked for by such a text is not there. */
export function canBeThere(name: string): boolean {
  return name.isWellFormed() && !name.includes('\0');
}
