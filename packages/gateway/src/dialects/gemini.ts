import { type Fields, fieldsOf, figure, objectsIn, textIn } from '../json/values.ts';
import type { Refusal } from '../model/call.ts';
import { type DialectRules, errorMember, facts, usage } from './rules.ts';

const NAMES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  408: 'DEADLINE_EXCEEDED',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

function errorOf({ status, message }: Refusal): Fields {
  return { error: { code: status, message, status: NAMES[status] ?? 'INTERNAL' } };
}

/** generateContent and streamGenerateContent. */
export const gemini: DialectRules = {
  name: 'gemini',
  list: 'contents',
  wrappers: ['generateContentRequest', 'generate_content_request'],
  isLead: () => false,
  system: ['systemInstruction', 'system_instruction'],
  tools: ['tools'],
  sessions: [],
  serverState: [],
  isKeptElsewhere: () => false,
  usageOf: (value) => {
    const { promptTokenCount, candidatesTokenCount, cachedContentTokenCount, thoughtsTokenCount } = fieldsOf(
      value['usageMetadata'],
    );
    return usage({
      input: figure(promptTokenCount),
      output: figure(candidatesTokenCount),
      cacheRead: figure(cachedContentTokenCount),
      reasoning: figure(thoughtsTokenCount),
    });
  },
  factsOf: ({ responseId, modelVersion, candidates }) =>
    facts({
      id: responseId,
      model: modelVersion,
      finishReasons: objectsIn(candidates).map(({ finishReason }) => finishReason),
    }),
  wordsOf: ({ candidates }) =>
    objectsIn(fieldsOf(objectsIn(candidates)[0]?.['content'])['parts'])
      .map(({ text, thought }) => (thought === true ? '' : textIn(text)))
      .join(''),
  writtenIn: ({ candidates }) => objectsIn(candidates).map(({ content }) => content),
  maxTokens: ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
  reasoning: ['generationConfig.thinkingConfig.thinkingLevel'],
  isEnd: ({ data }) => data.includes('"finishReason"'),
  isAnnouncement: () => false,
  failureIn: errorMember,
  errorBody: errorOf,
  errorEvent: (refusal) => `data: ${JSON.stringify(errorOf(refusal))}\n\n`,
};
