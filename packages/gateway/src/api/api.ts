import type { Log, Store } from '@epitome/store';
import { fieldsOf, parsed, textIn } from '../json/values.ts';
import { type Call, isRefusal, lackOf, type Refusal, type Reply, type Scope } from '../model/call.ts';
import type { Api } from '../model/parts.ts';
import type { LastTurn, Whose } from '../turn/answers.ts';
import { failureReply, NOT_FOUND, refusalOf } from './errors.ts';
import { type Health, healthOf } from './health.ts';
import { matchRoute, paramsOf } from './match.ts';
import { openApiDocument } from './openapi.ts';
import { stringify } from './raw.ts';
import { EXPORT_PATH, ROUTES } from './routes.ts';
import { nothing } from './schemas.ts';

/** What the API takes from the world. */
export type ApiPorts = {
  readonly store: Store;
  /** Figures in the text format of Prometheus. */
  readonly metrics: () => string;
  /** What is known of the turn that a change of the view might break. @default Nothing. */
  readonly lastTurn?: (whose: Whose) => LastTurn;
  /** @default Whether the store answers. */
  readonly health?: Health;
  /** Told of what failed; its answer names nothing of it. */
  readonly onFault: (where: string, cause: unknown) => void;
};

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' };

/** The gateway's own paths. */
export function createApi(ports: ApiPorts): Api {
  const document = stringify(openApiDocument());
  const { health = healthOf(ports.store) } = ports;
  return {
    handle: async (call, body) => {
      switch (call.path) {
        case '/healthz':
          return readOnly(call) ?? { status: 200, body: { status: 'ok' } };
        case '/readyz':
          return readOnly(call) ?? health.reply();
        case '/openapi.json':
          return readOnly(call) ?? { status: 200, headers: JSON_TYPE, body: document };
        case '/metrics':
          return (
            readOnly(call) ?? lacking(call, 'admin') ?? { status: 200, headers: METRICS_TYPE, body: ports.metrics() }
          );
        default:
          return call.path.startsWith('/v1/conversations') ? serve(ports, call, body) : undefined;
      }
    },
  };
}

const METRICS_TYPE = { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' };

function readOnly({ method }: Call): Reply | undefined {
  return method === 'GET' || method === 'HEAD' ? undefined : wrongMethod(['GET']);
}

function wrongMethod(allowed: readonly string[]): Reply {
  const message = `This path takes ${allowed.join(', ')}.`;
  const reply = failureReply({ status: 405, code: 'wrong-method', message });
  return { ...reply, headers: { ...reply.headers, allow: allowed.join(', ') } };
}

function lacking({ caller }: Call, scope: Scope): Reply | undefined {
  const lack = lackOf(scope, caller);
  return lack && failureReply(lack);
}

async function serve(ports: ApiPorts, call: Call, body: Buffer): Promise<Reply | undefined> {
  const exported = paramsOf(EXPORT_PATH, call.path);
  try {
    const log = ports.store.forTenant(call.caller.tenant);
    if (exported !== undefined)
      return readOnly(call) ?? lacking(call, 'read') ?? (await exportOf(log, exported['id'] ?? ''));
    return await serveRoute({ log, lastTurn: ports.lastTurn ?? (() => ({ kind: 'unknown' })) }, call, body);
  } catch (cause) {
    const refusal = refusalOf(cause);
    if (refusal === undefined || refusal.status >= 500) ports.onFault('api', cause);
    return failureReply(
      refusal ?? { status: 500, code: 'internal', message: 'The gateway failed on this request; its log says where.' },
    );
  }
}

type Around = Required<Pick<ApiPorts, 'lastTurn'>> & { readonly log: Log };

async function serveRoute({ log, lastTurn }: Around, call: Call, body: Buffer): Promise<Reply> {
  const match = matchRoute(ROUTES, call.method === 'HEAD' ? 'GET' : call.method, call.path);
  if (match === undefined) return failureReply(NOT_FOUND);
  if ('allowed' in match) return wrongMethod(match.allowed);
  const { route, params } = match;
  const denied = lacking(call, route.scope);
  if (denied !== undefined) return denied;
  const query = Object.fromEntries(new URLSearchParams(call.query));
  const ready = route.check({ query, body: route.body === nothing ? {} : jsonOf(body) });
  if (isRefusal(ready)) return failureReply(ready);
  const whose = {
    tenant: log.tenant,
    conversation: params['id'] ?? '',
    branch: textIn(fieldsOf(ready.body)['branch']),
  };
  const last: LastTurn = route.changesView ? lastTurn(whose) : { kind: 'unknown' };
  if (last.kind === 'under-way') return failureReply(UNDER_WAY);
  const answer = await ready.run(log, params, last);
  return answer === undefined ? failureReply(NOT_FOUND) : { status: 200, headers: JSON_TYPE, body: stringify(answer) };
}

const UNDER_WAY: Refusal = {
  status: 409,
  code: 'bound-reasoning',
  message: 'The turn under way is bound to this view; let it end first.',
};

function jsonOf(body: Buffer): unknown {
  return body.length === 0 ? {} : parsed(body.toString('utf8'));
}

async function exportOf(log: Log, id: string): Promise<Reply> {
  if ((await log.conversation(id)) === undefined) return failureReply(NOT_FOUND);
  const lines: string[] = [];
  for await (const line of log.export(id)) lines.push(line.trimEnd());
  const name = id.replace(/[^\w.-]/g, '_');
  const headers = {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'content-disposition': `attachment; filename="${name}.jsonl"`,
  };
  return { status: 200, headers, body: `${lines.join('\n')}\n` };
}
