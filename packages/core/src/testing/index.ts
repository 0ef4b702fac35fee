export { type Builders, builders, type ToolInput } from './builders.ts';
export type { Note } from './dialects/piece.ts';
export { type Rendered, renderScript } from './dialects.ts';
export {
  garbageArbitrary,
  type ScriptOptions,
  scriptArbitrary,
  soundScriptArbitrary,
  textArbitrary,
} from './generators.ts';
export { IMAGE_MARK, imagePayload } from './payload.ts';
export {
  type AnswerStep,
  type CallsStep,
  type CompactionStep,
  isSound,
  type OrphanStep,
  type PromptStep,
  type Script,
  type ScriptCall,
  type ScriptResult,
  type ServerToolStep,
  type Step,
  type SystemStep,
} from './script.ts';
export {
  BEHAVIOURS,
  type Behaviour,
  type ScriptedSummarizer,
  scriptedSummarizer,
  USABLE_BEHAVIOURS,
} from './summarizers.ts';
export { HOSTILE_TEXTS, sampleText, TEXT_KINDS, type TextKind, type TextSpec } from './texts.ts';
