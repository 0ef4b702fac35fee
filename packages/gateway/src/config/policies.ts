import { isCompactionError, type Policy, policyNamed } from 'epitome';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Config, PolicyRule } from '../model/config.ts';
import type { Policies } from '../model/parts.ts';
import type { PolicyQuestion, Resolved } from '../model/policy.ts';
import { aboveWindow } from './check.ts';
import { type Asked, readHeaders } from './headers.ts';
import { matches } from './match.ts';
import { modelTable } from './models.ts';

const STANDARD_PRESET = 'epitome';
const MOST_POLICIES = 500;

/**
 * Policies by configuration and headers: rules in their order, later ones over earlier ones, headers over all. Told once of
 * each model whose window had to be assumed.
 */
export function createPolicies(
  config: Pick<Config, 'policies' | 'models'>,
  onAssumed: (model: string) => void = () => {},
): Policies {
  const models = modelTable(config.models ?? []);
  const tell = toldOnce(onAssumed);
  const policyOf = madeOnce();
  return {
    resolve: (question) => {
      const asked = readHeaders(question.headers);
      if (isRefusal(asked)) return asked;
      const rule = ruleFor(question, config.policies);
      const model = models(question.model);
      const window = asked.window ?? rule.window ?? model.window;
      const target = asked.target ?? rule.target;
      // A rule's target may be for models with a larger window than this one has: it says nothing here.
      const isFitting = target !== undefined && target <= window;
      const isAsked = asked.target !== undefined || asked.window !== undefined;
      if (target !== undefined && !isFitting && isAsked) return targetTooLarge(target, window);
      const preset = asked.preset ?? rule.preset ?? STANDARD_PRESET;
      // Options are those of the rule's own preset; another one would not know them.
      const options = asked.preset === undefined || asked.preset === rule.preset ? rule.options : {};
      try {
        const policy = policyOf(preset, { ...options, window, ...(isFitting ? { target } : {}) });
        const isWindowAssumed = model.isWindowAssumed && asked.window === undefined && rule.window === undefined;
        if (isWindowAssumed) tell(question.model);
        return resolvedOf({ policy, isWindowAssumed, prices: model.prices }, rule, asked);
      } catch (error) {
        return refusalOf(error);
      }
    },
  };
}

function toldOnce(tell: (model: string) => void): (model: string) => void {
  const told = new Set<string>();
  return (model) => {
    if (told.has(model) || told.size >= MOST_POLICIES) return;
    told.add(model);
    tell(model);
  };
}

/** Makes each policy once: what is measured by it goes on as long as it is the same. */
function madeOnce(): (preset: string, options: Readonly<Record<string, unknown>>) => Policy {
  const made = new Map<string, Policy>();
  return (preset, options) => {
    const key = JSON.stringify([preset, options]);
    const known = made.get(key);
    if (known) return known;
    const policy = policyNamed(preset, options);
    if (made.size >= MOST_POLICIES) made.clear();
    made.set(key, policy);
    return policy;
  };
}

type Chosen = Pick<Resolved, 'policy' | 'isWindowAssumed'> & { readonly prices: Resolved['prices'] | undefined };

function resolvedOf({ prices, ...chosen }: Chosen, rule: PolicyRule, asked: Asked): Resolved {
  const goal = asked.goal ?? rule.goal;
  return {
    ...chosen,
    mode: asked.mode ?? rule.mode ?? 'on',
    force: asked.force ?? false,
    ...(asked.linear ? { linear: true } : {}),
    ...(prices === undefined ? {} : { prices }),
    ...(goal === undefined ? {} : { goal }),
    ...(asked.conversation === undefined ? {} : { conversation: asked.conversation }),
  };
}

function ruleFor(question: PolicyQuestion, rules: readonly PolicyRule[]): PolicyRule {
  let merged: PolicyRule = {};
  for (const rule of rules) {
    if (!isFor(rule.when, question)) continue;
    const { when: _, ...said } = rule;
    // Options belong to their preset: another preset starts with none.
    const isOther = said.preset !== undefined && said.preset !== merged.preset;
    const options = { ...(isOther ? {} : merged.options), ...said.options };
    merged = { ...merged, ...said, options };
  }
  return merged;
}

function isFor(
  when: PolicyRule['when'],
  { model, dialect, upstream, path, asked = path, caller }: PolicyQuestion,
): boolean {
  if (when === undefined) return true;
  return (
    (when.model === undefined || matches(when.model, model)) &&
    (when.dialect === undefined || when.dialect === dialect) &&
    (when.upstream === undefined || when.upstream === upstream) &&
    (when.path === undefined || [path, asked].some((each) => matches(when.path ?? '*', each))) &&
    (when.key === undefined || when.key === caller.keyId)
  );
}

function targetTooLarge(target: number, window: number): Refusal {
  return { status: 400, code: 'bad-policy', message: aboveWindow(target, window) };
}

function refusalOf(error: unknown): Refusal {
  if (!isCompactionError(error)) throw error;
  return { status: 400, code: 'bad-policy', message: error.message };
}
