/** Told how a command ended. */
export type Ended = (exitCode: number) => void;

/** Values of an option that may be given more than once. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
