import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Log } from '../../src/index.ts';
import type { Subject } from './subject.ts';
import { compactBranch, exchanges, linesOf } from './world.ts';

const DEEDS = [
  ...['append', 'compact', 'begin', 'undo', 'restore', 'fork', 'forget'],
  ...['recall', 'export', 'list', 'expand', 'stats', 'records', 'find'],
] as const;
type Deed = { readonly tenant: number; readonly what: (typeof DEEDS)[number]; readonly conversation: number };

/** Law 39: whatever is interleaved, no answer holds anything of another tenant. */
export function tenantLaws({ store, newTenant, runs }: Subject): void {
  describe('tenants', () => {
    test('never see each other, under random interleavings', async () => {
      const deed = fc.record({
        tenant: fc.nat({ max: 2 }),
        what: fc.constantFrom('append', ...DEEDS),
        conversation: fc.nat({ max: 1 }),
      });
      const property = fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 24 }), async (deeds) => {
        const marks = [0, 1, 2].map((index) => `mark${newTenant().replaceAll(/\W/g, '')}x${index}`);
        const logs = marks.map((mark) => store().forTenant(mark));
        // The same ids for all, so that only the tenant keeps them apart.
        for (const log of logs) {
          for (const id of ['c0', 'c1']) await log.create({ format: 'openai-chat', id });
        }
        const answers = await Promise.all(deeds.map(async (each) => doIt(logs, marks, each)));
        for (const [index, answer] of answers.entries()) {
          const own = marks[deeds[index]?.tenant ?? 0] ?? '';
          for (const mark of marks.filter((other) => other !== own)) expect(answer).not.toContain(mark);
        }
      });
      await fc.assert(property, { numRuns: runs });
    });

    test('are named plainly', () => {
      for (const tenant of ['', 'a\nb', 'x'.repeat(300), '\ud800']) {
        expect(() => store().forTenant(tenant)).toThrow('A tenant must be');
      }
    });
  });
}

/** The same beginning for all, but for a mark. */
function saidBy(mark: string): string {
  return JSON.stringify({ role: 'user', content: `${mark} common words ${'long '.repeat(600)}` });
}

async function doIt(logs: readonly Log[], marks: readonly string[], deed: Deed): Promise<string> {
  const log = logs[deed.tenant];
  const mark = marks[deed.tenant] ?? '';
  if (log === undefined) return '';
  const conversation = `c${deed.conversation}`;
  try {
    switch (deed.what) {
      case 'append': {
        return JSON.stringify(await log.append({ conversation }, [saidBy(mark), ...exchanges(0, 2)]));
      }
      case 'compact':
        return JSON.stringify(await compactBranch(log, { conversation }));
      case 'begin':
        return JSON.stringify(await log.begin({ conversation }, `${mark} ${crypto.randomUUID()}`));
      case 'undo':
        return JSON.stringify([await log.undo({ conversation }), await log.redo({ conversation })]);
      case 'restore': {
        const [first] = await log.messages({ conversation });
        return JSON.stringify(await log.restore({ conversation }, [first?.id ?? 'none']));
      }
      case 'fork':
        return JSON.stringify(await log.fork({ conversation }, { name: `${mark} ${crypto.randomUUID()}` }));
      case 'records': {
        const records = await log.records({ conversation });
        const histories = await Promise.all(records.map(({ record }) => log.history(conversation, record.id)));
        const work = await log.workOf({ conversation });
        return JSON.stringify([
          ...[records, histories, work.input, work.view.entries],
          await log.findSummaryForBranch({ conversation }),
        ]);
      }
      case 'find': {
        const found = marks.map(async (of) =>
          (await log.find({ format: 'openai-chat', messages: [saidBy(of)] })) === undefined ? '' : of,
        );
        return (await Promise.all(found)).join();
      }
      case 'recall':
        return JSON.stringify([await log.recall('common words'), await log.recall('mark')]);
      case 'export':
        return (await linesOf(log)).join('\n');
      case 'list':
        return JSON.stringify([
          await log.conversations(),
          await log.branches(conversation),
          await log.tree(conversation),
          await log.find({ format: 'openai-chat', messages: exchanges(0, 2) }),
        ]);
      case 'expand': {
        const [first] = await log.messages({ conversation });
        return JSON.stringify(await log.expand(conversation, first?.id ?? 'none'));
      }
      case 'stats':
        return JSON.stringify([await log.stats(), await log.viewOf({ conversation })]);
      case 'forget':
        return JSON.stringify(await log.forget(conversation));
      default:
        return deed.what satisfies never;
    }
  } catch (error) {
    return String(error);
  }
}
