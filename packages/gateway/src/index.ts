export { openApiDocument } from './api/openapi.ts';
export type {
  Branch,
  BranchView,
  Changed,
  Conversation,
  ConversationDetail,
  ConversationPage,
  Hits,
  MessagePage,
  RecordDetail,
  RecordList,
  RecordSummary,
  StoredMessageView,
  Tree,
} from './api/schemas.ts';
export { ConfigError, isConfigError } from './config/errors.ts';
export { REQUEST_HEADERS } from './config/headers.ts';
export { type ConfigSource, hashOf, loadConfig } from './config/load.ts';
export { createPolicies } from './config/policies.ts';
export { configJsonSchema } from './config/schema.ts';
export { type ConfigNews, type ConfigWatch, watchConfig } from './config/watch.ts';
export { createGateway, type Gateway, type GatewayPorts } from './gateway.ts';
export { type Call, type Caller, isRefusal, type Refusal, type Reply, SCOPES, type Scope } from './model/call.ts';
export type { Budget, ClientKey, Config, Limits, ModelFacts, PolicyRule, Timeouts } from './model/config.ts';
export { DIALECTS, type Dialect, type Upstream } from './model/dialect.ts';
export type { Api, ExchangeSpan, Guard, Observer, Policies } from './model/parts.ts';
export type { PolicyQuestion, Resolved } from './model/policy.ts';
export type { CompactionNews, Exchange, TurnReport, TurnStatus, Usage } from './model/report.ts';
export { createLogger } from './observe/logger.ts';
export type { Metrics } from './observe/metrics.ts';
export { createObserver, type ObserverPorts } from './observe/observer.ts';
