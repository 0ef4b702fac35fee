export type { Calibration } from './count/calibration.ts';
export { estimateTokens } from './count/heuristic.ts';
export { compact } from './engine/compact.ts';
export { type Compactor, createCompactor, type ReportedUsage } from './engine/compactor.ts';
export type { CompactionEvent } from './engine/events.ts';
export type { Elsewhere } from './engine/live-view.ts';
export { describeOutcome, type Outcome, type OutcomeReason } from './engine/outcome.ts';
export type { Ports } from './engine/ports.ts';
export { type Preview, preview } from './engine/preview.ts';
export { type Projectable, project } from './engine/projected.ts';
export { type CompactInput, type Conversation, idsOf, type PolicyInput } from './engine/request.ts';
export type { CompactorInput, TurnInput } from './engine/session.ts';
export type { StateProviders } from './engine/session-state.ts';
export { formatNamed, formats } from './formats/index.ts';
export type { Brief, Draft, DraftUsage, Prompt, PromptContext, Summarizer } from './model/brief.ts';
export type { CostFigures, CostModel, Payback } from './model/cost.ts';
export { type Basis, type Count, type Counter, type Sizes, shrank } from './model/count.ts';
export type { Decision, WaitReason } from './model/decision.ts';
export { CompactionError, type CompactionErrorCode, isCompactionError } from './model/errors.ts';
export type { Evidence, Finding, FindingCode } from './model/finding.ts';
export {
  type Fixed,
  FORMAT_NAMES,
  type Format,
  type FormatName,
  type Severity,
  type Violation,
} from './model/format.ts';
export { escapeTag } from './model/frame.ts';
export type { InsertedMessage, Media, MediaKind, Message, Part, PartEdit, Role } from './model/message.ts';
export type { Plan, PlanRefusal } from './model/plan.ts';
export { type Cause, type Policy, PRESET_NAMES, type PresetName, type Split, type Trigger } from './model/policy.ts';
export type {
  CompactionRecord,
  LogRecord,
  MessageTally,
  Method,
  Status,
  TokenSpan,
  UndoRecord,
} from './model/record.ts';
export { isPrompt, type View, type ViewEntry } from './model/view.ts';
export {
  PRESET_ALIASES,
  PRESET_RULES,
  type PresetKey,
  type PresetOptions,
  policyNamed,
  presetNamed,
  presets,
} from './presets/index.ts';
export type { OptionRule, OptionRules } from './presets/options.ts';
export type { Branch } from './record/project.ts';
export { redo, undo } from './record/undo.ts';
