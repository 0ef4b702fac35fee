import type { Prices } from 'epitome/economics';
import { knownModel } from '../../models/prices.ts';
import type { Environment } from '../../models/provider.ts';
import { openModels, readModelName } from '../../models/provider.ts';
import { type Answer, type Question, streamAnswer } from './stream.ts';

/** A model to talk to. */
export type ChatModel = {
  /** As `PROVIDER/MODEL`. */
  readonly name: string;
  /** Context window, in tokens. */
  readonly window: number;
  /** Whether the window had to be assumed. */
  readonly isAssumed: boolean;
  readonly prices?: Prices;
  /** Streams one answer; rejects with what went wrong, or the signal's reason. */
  readonly answer: (question: Question, signal: AbortSignal) => Promise<Answer>;
};

const ASSUMED_WINDOW = 128_000;

/** What is known better than the table knows it. */
export type ModelGiven = { readonly window?: number; readonly prices?: Prices };

/** Opens a model by its name; the SDK is loaded with the first question. */
export async function openChatModel(name: string, env: Environment, given: ModelGiven = {}): Promise<ChatModel> {
  const own = readModelName(name, 'model');
  const known = await knownModel(own.model);
  // Keys and addresses are checked now: better before something was typed.
  const models = await openModels(own, env, 'model');
  const prices = given.prices ?? known?.prices;
  let first = 0;
  return {
    name,
    window: given.window ?? known?.window ?? ASSUMED_WINDOW,
    isAssumed: given.window === undefined && known?.window === undefined,
    ...(prices === undefined ? {} : { prices }),
    answer: async (question, signal) => {
      for (; first < models.length - 1; first += 1) {
        const answer = await unlessUnknown(() => streamAnswer(models[first], question, signal));
        if (answer !== undefined) return answer;
      }
      return streamAnswer(models[first], question, signal);
    },
  };
}

/** A server that does not know this way of asking says so before it says anything else. */
async function unlessUnknown(ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (cause) {
    const { ModelFault } = await import('./fault.ts');
    if (cause instanceof ModelFault && (cause.fault.status === 404 || cause.fault.status === 405)) return undefined;
    throw cause;
  }
}
