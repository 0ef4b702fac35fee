import type { Inspection } from '@epitome/transcripts';
import type { Costs, ReportedCost } from '../costs.ts';
import { short } from './chart.ts';
import { percent } from './sentences.ts';
import { counted, plain } from './text.ts';

/** What a session cost, and would cost, in words. */
export function costLines({ models }: Inspection, costs: Costs | undefined): readonly string[] {
  if (costs === undefined) {
    const named =
      models.length === 0 ? 'its model is not known' : `no prices are known for ${plain(models.join(', '))}`;
    return [`  ${named}; --prices input,output,cached,written gives them per million tokens`];
  }
  return [
    ...(costs.reported === undefined ? [] : [`  ${reportedSentence(costs.reported)}`]),
    `  ${dollars(costs.plain)} computed for ${counted(costs.calls, 'request')} at ${plain(costs.model)}: nothing compacted, all messages in each, the cache holding`,
    `  ${compactedSentence(costs)}`,
    ...cheapestLines(costs),
  ];
}

function reportedSentence({ total, byModel, unpriced }: ReportedCost): string {
  const parts = byModel.map(({ model, cost }) => `${plain(model) || 'a model without a name'} ${dollars(cost)}`);
  const rest = unpriced.map((model) => `no prices are known for ${plain(model) || 'a model without a name'}`);
  return `${dollars(total)} for the tokens that were reported: ${[...parts, ...rest].join(', ')}`;
}

function compactedSentence(costs: Costs): string {
  const { plain: whole, compacted, compactions, window, isWindowKnown, trigger } = costs;
  const room = `a window of ${short(window)}${isWindowKnown ? '' : ' (assumed)'}`;
  if (compactions === 0) return `our preset would not compact: it begins at ${short(trigger)} tokens in ${room}`;
  return `${dollars(compacted)} with ${counted(compactions, 'compaction')} by our preset, at ${short(trigger)} tokens in ${room}: ${change(whole, compacted)}`;
}

function cheapestLines({ plain: whole, compactions, cheapest }: Costs): readonly string[] {
  if (cheapest === undefined) return compactions === 0 ? ['  nor would it pay earlier; --window tries another'] : [];
  const { compacted, compactions: times, window, trigger } = cheapest;
  return [
    `  ${dollars(compacted)} with ${counted(times, 'compaction')} at ${short(trigger)} tokens already (--window ${short(window)}): ${change(whole, compacted)}`,
  ];
}

function change(whole: number, compacted: number): string {
  const share = whole > 0 ? 1 - compacted / whole : 0;
  return share >= 0 ? `${percent(share)} less` : `${percent(-share)} more`;
}

function dollars(amount: number): string {
  return `$${amount < 0.1 ? amount.toFixed(4) : amount.toFixed(2)}`;
}
