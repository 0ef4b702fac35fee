import type { Body } from '../dialects/bodies.ts';
import { RULES } from '../dialects/index.ts';
import { type Reading, readBody, readOn } from '../dialects/reading.ts';
import { pointerAt } from '../json/pointer.ts';
import { NotJson } from '../json/scan.ts';
import { isRefusal, type Refusal } from '../model/call.ts';
import type { Dialect } from '../model/dialect.ts';
import { chainOf } from '../turn/chain.ts';
import type { TurnAsk } from '../turn/plane.ts';
import type { TurnRoute } from './ask.ts';
import type { Serving } from './context.ts';

/** A request as it was read. */
export type Asked = Pick<TurnAsk, 'reading' | 'chain' | 'model' | 'resolved'>;

/** Reads a request that is let in, and finds its policy. */
export function readRequest({ context, call }: Serving, route: TurnRoute, body: Body): Asked | Refusal {
  const budget = context.guard.budget.check(call.caller);
  if (budget !== undefined) return budget;
  const reading = readingOf(body, route.dialect);
  if (isRefusal(reading)) return reading;
  const model = route.model ?? reading.model;
  const { dialect, upstream, path } = route;
  const { caller, headers, path: asked } = call;
  const question = { dialect, model, upstream: upstream.name, path, asked, caller, headers };
  const resolved = context.policies.resolve(question);
  if (isRefusal(resolved)) return resolved;
  const chain = resolved.mode === 'off' ? { texts: [], ids: [] } : chainOf(reading, body.earlier?.ids);
  return { reading, chain, model, resolved };
}

/** What a body has in common with an earlier one is not read again. */
function readingOf({ bytes, earlier }: Body, dialect: Dialect): Reading | Refusal {
  try {
    if (earlier !== undefined) return readOn(bytes.toString('utf8', earlier.bytes), RULES[dialect], earlier.reading);
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
  }
  return tryReading(bytes.toString('utf8'), dialect);
}

/** Reads a body, or says where it is no JSON. */
export function tryReading(text: string, dialect: Dialect): Reading | Refusal {
  try {
    return readBody(text, RULES[dialect]);
  } catch (cause) {
    if (!(cause instanceof NotJson)) throw cause;
    return notJson(cause, pointerAt(text, cause.at));
  }
}

/** The refusal of a body that is no JSON. */
function notJson({ at, message }: NotJson, pointer: string): Refusal {
  const place = `at character ${at}${pointer === '' ? '' : `, in ${pointer}`}`;
  return { status: 400, code: 'invalid-json', message: `The body is not valid JSON: ${message}, ${place}.` };
}
