import { UsageError } from '../../errors.ts';
import { writeOut } from '../../output/write.ts';
import { existing, type StoreOptions, withLog } from '../../store-options.ts';

/** Options of `store forget`. */
export type ForgetOptions = StoreOptions & { readonly yes?: true; readonly json?: true };

/** Deletes a conversation for good. Returns the exit code. */
export async function runForget(conversation: string, { yes, json, ...options }: ForgetOptions): Promise<number> {
  return withLog({ location: existing(options), tenant: options.tenant }, async (log, where) => {
    const name = JSON.stringify(conversation);
    if ((await log.conversation(conversation)) === undefined) {
      throw new UsageError(`There is no conversation ${name} in ${where}; \`epitome store list\` names them.`);
    }
    if (!yes) {
      throw new UsageError(`This deletes ${name} with all branches and summaries for good; add --yes if you mean it.`);
    }
    await log.forget(conversation);
    if (json) await writeOut(`${JSON.stringify({ forgotten: conversation })}\n`);
    else console.error(`Forgotten: ${name}.`);
    return 0;
  });
}
