export type { Gateway, GatewayPorts } from './gateway.ts';
export { type Call, type Caller, isRefusal, type Refusal, type Reply, SCOPES, type Scope } from './model/call.ts';
export type { ClientKey, Config, Limits, PolicyRule, Timeouts } from './model/config.ts';
export { DIALECTS, type Dialect, type Upstream } from './model/dialect.ts';
export type { Api, ExchangeSpan, Guard, Observer, Policies } from './model/parts.ts';
export type { PolicyQuestion, Resolved } from './model/policy.ts';
export type { CompactionNews, Exchange, TurnReport, TurnStatus, Usage } from './model/report.ts';
