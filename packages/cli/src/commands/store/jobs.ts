import { type Jobs, LOCAL_TENANT, openJobs, type QueuedJob } from '@epitome/store';
import { UsageError } from '../../errors.ts';
import { plain } from '../../output/text.ts';
import { writeOut } from '../../output/write.ts';
import { existing, findConversation, type StoreOptions, withLog } from '../../store-options.ts';

/** Options of `store jobs`. */
export type JobsOptions = Pick<StoreOptions, 'store'> & { readonly json?: true; readonly retry?: true };

/** Lists what waits, runs, or failed for good; revives the last. Returns the exit code. */
export async function runJobs({ json, retry, ...options }: JobsOptions): Promise<number> {
  return withJobs(options, async (jobs) => {
    const all = await jobs.list();
    for (const job of all) await writeOut(`${json ? JSON.stringify(job) : lineOf(job)}\n`);
    if (all.length === 0 && !json) console.error('No jobs.');
    const dead = retry ? all.filter(({ state }) => state === 'dead') : [];
    for (const { tenant, conversation, branch, payload } of dead) {
      await jobs.enqueue({ tenant, conversation, branch, payload });
    }
    if (retry) console.error(`${dead.length} dead jobs will be tried again.`);
    return 0;
  });
}

/** Options of `store compact`. */
export type QueueOptions = StoreOptions & {
  readonly branch?: string;
  readonly goal?: string;
  readonly focus?: string;
  readonly force?: true;
  readonly json?: true;
};

/** Asks the workers of a store to compact a conversation. Returns the exit code. */
export async function runQueue(wanted: string, options: QueueOptions): Promise<number> {
  const { branch, goal, focus, force, json, tenant = LOCAL_TENANT } = options;
  const conversation = await withLog({ location: existing(options), tenant }, async (log) => {
    const { id } = await findConversation(log, wanted);
    const branches = await log.branches(id);
    if (branch !== undefined && !branches.some(({ name }) => name === branch)) {
      const names = branches.map(({ name }) => name).join(', ');
      throw new UsageError(`There is no branch ${JSON.stringify(branch)}; there are ${plain(names)}.`);
    }
    return id;
  });
  return withJobs(options, async (jobs) => {
    const payload = {
      cause: force ? 'manual' : 'automatic',
      ...(goal === undefined ? {} : { goal }),
      ...(focus === undefined ? {} : { focus }),
    };
    await jobs.enqueue({ tenant, conversation, payload, ...(branch === undefined ? {} : { branch }) });
    if (json) await writeOut(`${JSON.stringify({ tenant, conversation, branch: branch ?? 'main', payload })}\n`);
    else console.error('Queued; `epitome worker` on this store does it.');
    return 0;
  });
}

async function withJobs(options: StoreOptions, work: (jobs: Jobs) => Promise<number>): Promise<number> {
  const jobs = await openJobs(existing(options));
  try {
    return await work(jobs);
  } finally {
    await jobs.close();
  }
}

function lineOf({ tenant, conversation, branch, state, attempts, dueAt, error }: QueuedJob): string {
  const due = dueAt === undefined ? '' : ` until ${new Date(dueAt).toISOString().slice(0, 19).replace('T', ' ')}`;
  const tries = attempts === 0 ? '' : `, ${attempts} tries`;
  return plain(`${state}${due}${tries}  ${tenant}/${conversation} ${branch}${error === undefined ? '' : `: ${error}`}`);
}
