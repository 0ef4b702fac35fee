const marker = Symbol.for('epitome.ConfigError');

/** A configuration that cannot be used: every problem named, with key, value and what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(where: string, problems: readonly string[]) {
    super(
      problems.length === 1
        ? `${where}: ${problems[0]}`
        : [`${where}:`, ...problems.map((each) => `- ${each}`)].join('\n'),
    );
    this.problems = problems;
    Object.defineProperty(this, marker, { value: true });
  }
}

/** True for a `ConfigError` of any copy of this package. */
export function isConfigError(value: unknown): value is ConfigError {
  return typeof value === 'object' && value !== null && marker in value;
}
