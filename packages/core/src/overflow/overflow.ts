import { type Evidence, gatherEvidence } from './evidence.ts';
import { readTexts, type Sizes } from './match.ts';
import { type OverflowProvider, providerOf } from './provider.ts';
import type { OverflowUnit } from './wordings.ts';

/** What an error says about the length of the request. */
export type OverflowReading =
  | {
      readonly overflow: true;
      /** What gave it away, the surest first: a code, the reason an answer stopped, the wording, the bare HTTP status. */
      readonly by: 'code' | 'stop-reason' | 'text' | 'status';
      readonly unit: OverflowUnit;
      readonly provider?: OverflowProvider;
      /** The most the provider takes, in `unit`, where it says so. */
      readonly limit?: number;
      /** What it counted, with the part set aside for the answer where it counts that. */
      readonly requested?: number;
      /** That part. */
      readonly output?: number;
    }
  | {
      readonly overflow: false;
      readonly reason: 'rate-limit' | 'output-limit' | 'media' | 'unrelated';
    };

/** True when an error says that the request was too long for the model, so that compacting and asking again can help. */
export function isContextOverflow(error: unknown): boolean {
  return readOverflow(error).overflow;
}

/** Reads from whatever an SDK threw, or a response body, whether the request was too long, and by how much; never throws. */
export function readOverflow(error: unknown): OverflowReading {
  const evidence = gatherEvidence(error);
  if (isThrottled(evidence)) return { overflow: false, reason: 'rate-limit' };
  const told = readTexts(evidence.texts);
  const code = evidence.codes.find((each) => Object.hasOwn(CODES, each));
  const figures = told.kind === 'overflow' ? { ...structured(evidence), ...told.figures } : structured(evidence);
  if (isOutputAlone(figures)) return { overflow: false, reason: 'output-limit' };
  const unit = told.kind === 'overflow' ? told.unit : 'tokens';
  const provider =
    evidence.urls.map(providerOf).find((each) => each !== undefined) ??
    ('provider' in told ? told.provider : undefined);
  const rest = { ...(provider === undefined ? {} : { provider }), ...figures };
  if (code !== undefined) return { overflow: true, by: 'code', unit: CODES[code] ?? unit, ...rest };
  if (evidence.stops.some((stop) => STOPS.has(stop))) return { overflow: true, by: 'stop-reason', unit, ...rest };
  if (told.kind === 'overflow') return { overflow: true, by: 'text', unit, ...rest };
  if (told.kind === 'near-miss') return { overflow: false, reason: told.reason };
  if (isTooLargeByStatus(evidence)) return { overflow: true, by: 'status', unit: 'bytes', ...rest };
  return { overflow: false, reason: 'unrelated' };
}

// Codes in small letters and digits. `undefined`: the text may know the unit, else it is tokens.
const CODES: Readonly<Record<string, OverflowUnit | undefined>> = {
  contextlengthexceeded: undefined, // OpenAI, Azure, Groq, Cerebras and most that speak their dialect
  modelmaxprompttokensexceeded: 'tokens', // GitHub Copilot
  exceedcontextsizeerror: 'tokens', // llama.cpp
  inputtoolarge: 'tokens', // xAI
  prompttoolong: 'tokens',
  contextwindowexceeded: 'tokens',
  modelcontextwindowexceeded: 'tokens',
  contextwindowexceedederror: 'tokens', // LiteLLM
  contextoverflowerror: 'tokens', // LangChain
  contextwindowoverflowexception: 'tokens', // Strands
  requesttoolarge: 'bytes', // Anthropic, 413
  requesttoolargeerror: 'bytes',
};

// Anthropic, Bedrock and Z.ai; Mistral; Cohere.
const STOPS = new Set(['modelcontextwindowexceeded', 'contextwindowexceeded', 'modellength', 'errorlimit']);

const THROTTLED =
  /^(?:ratelimit|toomanyrequests|throttl|resourceexhausted|insufficientquota|quota|exceededcurrentquota|overloaded|servicequota|billing)/;

// 402: out of credit; 529: Anthropic is overloaded.
function isThrottled({ statuses, codes }: Evidence): boolean {
  return (
    statuses.some((status) => status === 429 || status === 402 || status === 529) ||
    codes.some((code) => THROTTLED.test(code))
  );
}

function structured({ limit, requested }: Evidence): Sizes {
  return { ...(limit === undefined ? {} : { limit }), ...(requested === undefined ? {} : { requested }) };
}

// An answer that takes the whole window leaves nothing to win: compacting again and again was an endless loop
// (OpenHands/OpenHands#9937). Asking for a shorter answer is the cure.
const LARGEST_OUTPUT_SHARE = 0.9;

function isOutputAlone({ limit, output }: Sizes): boolean {
  return limit !== undefined && output !== undefined && output >= LARGEST_OUTPUT_SHARE * limit;
}

function isTooLargeByStatus({ statuses, texts }: Evidence): boolean {
  return statuses.includes(413) || texts.some((text) => /^(?:\w{0,20}error:? )?(?:http |status )?413\b/i.test(text));
}
