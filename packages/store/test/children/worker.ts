// Takes one job and never ends it.
import { writeSync } from 'node:fs';
import { locationOf, openJobs } from '../../src/index.ts';

const jobs = await openJobs(locationOf(process.argv[2] ?? ''));
await jobs.startWorker(async ({ conversation }) => {
  writeSync(1, `took ${conversation}\n`);
  await new Promise(() => {});
});
