export { type Asked, type CheckIn, type CheckInInput, type CheckInPorts, checkIn } from './check-in.ts';
export type { Answer, Choice, GoalPrompt, Question } from './choice.ts';
export type { Spoken } from './conversation.ts';
export { type Course, courseOf, type Known, type SelectionMethod } from './course.ts';
export type { Ended } from './ended.ts';
export { type Extraction, extractGoals, type GoalFault, type GoalPorts, type GoalSource } from './extract.ts';
export { GOAL_LENGTH, MOST_GOALS } from './goal.ts';
export { type LessOften, lessOften, NO_REDUCTIONS, type Reductions } from './less-often.ts';
export {
  answerQuestion,
  type Key,
  type Option,
  openQuestion,
  type QuestionEvent,
  type QuestionState,
} from './machine.ts';
export { parseGoals } from './parse.ts';
export { type OptionLine, type QuestionView, questionLines, viewQuestion } from './render.ts';
export { type CompactionResult, confirmationOf, resultLines, resultOf, suggestionOf } from './result.ts';
export { CHECK_IN_DEFAULTS, type CheckInSettings } from './settings.ts';
export { type ChatCompressionEvent, type CompressionAttempt, compressionEvent } from './telemetry.ts';
export { truncateMiddle } from './truncate.ts';
