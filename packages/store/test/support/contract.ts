import { branchLaws } from './branches.ts';
import { isolationLaws } from './isolation.ts';
import { lookupLaws } from './lookups.ts';
import { messageLaws } from './messages.ts';
import { recallLaws } from './recalls.ts';
import { recordLaws } from './record-laws.ts';
import type { Subject } from './subject.ts';
import { tenantLaws } from './tenants.ts';
import { thinkingLaws } from './thinking.ts';
import { transferLaws } from './transfers.ts';

/** Everything a store must do, whatever it is made of. */
export function storeContract(subject: Subject): void {
  messageLaws(subject);
  branchLaws(subject);
  isolationLaws(subject);
  recordLaws(subject);
  thinkingLaws(subject);
  recallLaws(subject);
  transferLaws(subject);
  lookupLaws(subject);
  tenantLaws(subject);
}
