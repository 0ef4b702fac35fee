import type { Calibration } from '../count/calibration.ts';
import { createMeter, type Meter } from '../count/meter.ts';
import { formatNamed } from '../formats/index.ts';
import { checkLike } from '../model/check.ts';
import { CompactionError } from '../model/errors.ts';
import type { Format, FormatName } from '../model/format.ts';
import type { Message, Part } from '../model/message.ts';
import { once } from '../model/once.ts';
import type { Cause, Policy, PresetName } from '../model/policy.ts';
import type { LogRecord } from '../model/record.ts';
import { type PresetAlias, type PresetKey, type PresetOf, type PresetOptions, policyNamed } from '../presets/index.ts';
import { chainIds } from '../record/ids.ts';
import { checkInput, checkTurn } from './check.ts';
import type { World } from './ports.ts';

/** A conversation in native values, with the log of what was done to it. */
export type Conversation = {
  readonly format: FormatName;
  readonly messages: readonly unknown[];
  readonly system?: unknown | undefined;
  readonly tools?: unknown | undefined;
  /** The log so far: records of earlier outcomes, failed ones included. */
  readonly records?: readonly LogRecord[] | undefined;
};

/** A policy, or a preset's name with its options beside it in the same object; without either it is our own preset. */
export type PolicyInput =
  | { readonly policy: Policy }
  | ({ readonly policy?: undefined } & PresetOptions['epitome'])
  | { [Name in PresetName]: { readonly policy: Name } & PresetOptions[Name] }[PresetName]
  | { [Alias in PresetAlias]: { readonly policy: Alias } & PresetOptions[PresetOf<Alias>] }[PresetAlias];

/** What one compaction is asked for. */
export type CompactInput = Conversation &
  PolicyInput & {
    /** @default 'automatic' */
    readonly cause?: Cause | undefined;
    /** What the user is working on. */
    readonly goal?: string | undefined;
    /** Instructions for this one compaction; they never enter the view. */
    readonly focus?: string | undefined;
    /** Ids of the messages, where the caller has them; else a hash chain over the messages. */
    readonly ids?: readonly string[] | undefined;
    /** The provider's real count of an earlier request, beside our estimate of it. */
    readonly calibration?: Calibration | undefined;
  };

/** An input that was checked and decoded. */
export type Request = {
  readonly format: Format;
  readonly natives: readonly unknown[];
  readonly messages: readonly Message[];
  readonly ids: readonly string[];
  readonly fixed: readonly Part[];
  readonly policy: Policy;
  readonly cause: Cause;
  readonly goal: string;
  readonly focus: string;
  readonly records: readonly LogRecord[];
  readonly calibration?: Calibration;
  readonly meter: Meter;
  readonly counted: number[];
};

/** Checks and decodes an input. Throws for misuse only. */
export function readRequest(input: CompactInput, world: World): Request {
  checkInput(input);
  checkTurn(input);
  const { format: name, messages: natives, system, tools, policy: given, ...others } = input;
  const { cause = 'automatic', goal = '', focus = '', records = [], ids, calibration, ...options } = others;
  const format = formatNamed(name);
  const policy = policyOf(given, options);
  const messages = decodeAll(natives, format);
  const chained = once(() => ids ?? chainIds(messages));
  return {
    format,
    natives,
    messages,
    // Hashing takes as long as counting, and where nothing is due nobody asks for ids.
    get ids() {
      return chained();
    },
    fixed: format.decodeFixed({ system, tools }),
    policy,
    cause,
    goal,
    focus,
    records,
    ...(calibration === undefined ? {} : { calibration }),
    meter: createMeter(policy.meter, name, world.counter),
    counted: [],
  };
}

/** A policy as given, or by a preset's name and its options. */
export function policyOf(
  given: Policy | PresetKey = 'epitome',
  options: Readonly<Record<string, unknown>> = {},
): Policy {
  if (typeof given === 'string') return policyNamed(given, options);
  const extra = Object.keys(options).find((key) => options[key] !== undefined);
  if (extra !== undefined) {
    throw new CompactionError('unknown-option', `\`${extra}\` stands beside a finished policy; give it to its preset.`);
  }
  return given;
}

/** Decodes a list in order. */
export function decodeAll(natives: readonly unknown[], format: Format): readonly Message[] {
  const messages: Message[] = [];
  for (const native of natives) messages.push(format.decode(native, messages));
  return messages;
}

/** The ids messages get where the caller has none, one for each. */
export function idsOf(format: FormatName, natives: readonly unknown[]): readonly string[] {
  checkLike(natives, [], 'messages');
  return chainIds(decodeAll(natives, formatNamed(format)));
}
