import type { StoreStats } from '../model/port.ts';
import type { Prepare } from './statements.ts';

/** Counts of what a tenant has. */
export function statsOf(prepare: Prepare, tenant: string): StoreStats {
  const count = (sql: string): number => (prepare(sql).get(tenant) as { n: number }).n;
  return {
    conversations: count('select count(*) as n from conversations where tenant = ?'),
    branches: count('select count(*) as n from branches where tenant = ?'),
    messages: count('select count(*) as n from messages where tenant = ?'),
    records: count('select count(*) as n from records where tenant = ?'),
    payloads: count('select count(*) as n from payloads where tenant = ?'),
    payloadBytes: count('select coalesce(sum(length(body)), 0) as n from payloads where tenant = ?'),
    messageBytes: count('select coalesce(sum(length(native)), 0) as n from messages where tenant = ?'),
  };
}
