/** The protocols a gateway speaks. Each has one wire format of the same name. */
export const DIALECTS = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
/** One of `DIALECTS`. */
export type Dialect = (typeof DIALECTS)[number];

/** Where a gateway may send requests: only what is configured, never what a request names. */
export type Upstream = {
  /** What it is called in logs, and the first part of the path that asks for it (`/NAME/v1/…`). */
  readonly name: string;
  /** Where it is, with any path in front of the protocol's own, such as `https://api.openai.com`. */
  readonly baseUrl: string;
  /** The protocols it speaks. It serves their paths where no other upstream in front of it does. */
  readonly dialects: readonly Dialect[];
  /** The upstream's own key, sent in place of the caller's; without it the caller's goes through. */
  readonly key?: string;
  /** Headers sent with every request, such as an organization; names in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether it may be on this machine or a private network.
   * @default false for names that resolve there; an address written as such in `baseUrl` counts as allowed, unless it is link-local
   */
  readonly allowPrivate?: boolean;
};
