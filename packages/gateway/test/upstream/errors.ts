import type { IncomingHttpHeaders } from 'node:http';
import type { Failure, Json } from './types.ts';

/** The key of an `Authorization: Bearer` header. */
export function bearerOf(headers: IncomingHttpHeaders): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
}

const OPENAI_TYPES: Readonly<Record<Failure['kind'], string>> = {
  invalid: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  auth: 'invalid_request_error',
  'rate-limit': 'rate_limit_error',
  server: 'server_error',
  overloaded: 'server_error',
  'not-found': 'invalid_request_error',
};

const OPENAI_CODES: Readonly<Partial<Record<Failure['kind'], string>>> = {
  auth: 'invalid_api_key',
  'rate-limit': 'rate_limit_exceeded',
};

/** An error as OpenAI tells it. */
export function openaiError({ kind, message, param, code }: Failure): Json {
  return {
    error: { message, type: OPENAI_TYPES[kind], param: param ?? null, code: code ?? OPENAI_CODES[kind] ?? null },
  };
}

const ANTHROPIC_TYPES: Readonly<Record<Failure['kind'], string>> = {
  invalid: 'invalid_request_error',
  'too-long': 'invalid_request_error',
  auth: 'authentication_error',
  'rate-limit': 'rate_limit_error',
  server: 'api_error',
  overloaded: 'overloaded_error',
  'not-found': 'not_found_error',
};

/** An error as Anthropic tells it. */
export function anthropicError({ kind, message }: Failure): Json {
  return { type: 'error', error: { type: ANTHROPIC_TYPES[kind], message }, request_id: 'req_local' };
}

const GEMINI_STATUSES: Readonly<Record<Failure['kind'], string>> = {
  invalid: 'INVALID_ARGUMENT',
  'too-long': 'INVALID_ARGUMENT',
  auth: 'UNAUTHENTICATED',
  'rate-limit': 'RESOURCE_EXHAUSTED',
  server: 'INTERNAL',
  overloaded: 'UNAVAILABLE',
  'not-found': 'NOT_FOUND',
};

/** An error as Google tells it. */
export function geminiError({ kind, status, message }: Failure): Json {
  return { error: { code: status, message, status: GEMINI_STATUSES[kind] } };
}
