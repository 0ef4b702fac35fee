import { inspectSession } from '@epitome/transcripts';
import { redactSecrets } from 'epitome/secrets';
import { type CostOptions, costsOf } from '../costs.ts';
import { type PickOptions, pickBranch, pickSession } from '../input/open.ts';
import { openInput } from '../input/read.ts';
import { type Inspected, inspectionLines } from '../output/inspection.ts';
import { columns } from '../output/text.ts';
import { writeOut } from '../output/write.ts';

/** Options of `inspect`. */
export type InspectOptions = Pick<PickOptions, 'session' | 'branch'> & CostOptions & { readonly json?: true };

/** Shows what is in a session. Returns the exit code. */
export async function runInspect(
  file: string | undefined,
  options: InspectOptions,
  signal: AbortSignal,
): Promise<number> {
  const input = await openInput(file, signal);
  const { session, count } = await pickSession(input, options.session);
  const inspection = inspectSession(session, pickBranch(session, options.branch));
  const costs = await costsOf(inspection, session, options);
  const inspected: Inspected = { inspection, sessions: count, ...(costs === undefined ? {} : { costs }) };
  const lines = options.json ? [JSON.stringify(inspected)] : inspectionLines(inspected, columns());
  await writeOut(`${redactSecrets(lines.join('\n')).text}\n`);
  return 0;
}
