import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Compactor, createCompactor, formats, isCompactionError } from '../../src/index.ts';
import { builders, scriptedSummarizer } from '../../src/testing/index.ts';

const WORDS = ' word'.repeat(300);
const { user, assistant } = builders.anthropic;

/** One step of a tool loop; Claude without interleaved thinking thinks only where the loop opens. */
function step(at: number, opens: boolean): readonly unknown[] {
  const thinking = opens ? [{ type: 'thinking', thinking: 'hm', signature: `s${at}` }] : [];
  const use = { type: 'tool_use', id: `t${at}`, name: 'read', input: {} };
  const result = { type: 'tool_result', tool_use_id: `t${at}`, content: `${at}${WORDS}` };
  return [
    { role: 'assistant', content: [...thinking, use] },
    { role: 'user', content: [result] },
  ];
}

/** What the API refuses of these with thinking enabled (A10, A3): the validator does not know whether it is. */
function loopRules(list: readonly unknown[]): readonly string[] {
  const broken = formats.anthropic
    .validate(list)
    .flatMap(({ rule }) => (rule === 'A10' || rule === 'A3' ? [rule] : []));
  const step = list.slice(list.findLastIndex(isPrompt) + 1).find((message) => Object(message).role === 'assistant');
  const opens = typeof Object(step).content === 'string' || Object(step).content?.[0]?.type === 'thinking';
  return step === undefined || opens ? broken : [...broken, 'A10'];
}

function isPrompt(message: unknown): boolean {
  const { role, content } = Object(message);
  return role === 'user' && typeof content === 'string';
}

function underWay(): unknown[] {
  return [user(`old${WORDS}`), assistant(`done${WORDS}`), user('Read the files.'), ...step(1, true), ...step(2, false)];
}

function sessionOf(answerAfterMs = 0): Compactor {
  const say = scriptedSummarizer('normal');
  return createCompactor(
    { format: 'anthropic', policy: 'snapshot', window: 100_000 },
    {
      summarizer: async (brief, signal) => {
        await new Promise((resolve) => setTimeout(resolve, answerAfterMs));
        return say(brief, signal);
      },
    },
  );
}

describe('a loop whose opening thinking is compacted', () => {
  test('is not compacted by what was prepared before its later steps', async () => {
    const session = createCompactor(
      { format: 'anthropic', window: 20_000 },
      { summarizer: scriptedSummarizer('normal') },
    );
    const messages: unknown[] = [];
    for (let at = 0; at < 8; at += 1) {
      messages.push(user(`question ${at}${WORDS}`), assistant(`answer ${at}${WORDS}`));
      await session.beforeModel(messages);
    }
    messages.push(user('Read all the files.'));
    for (let at = 0; at < 60; at += 1) {
      const { messages: sent } = await session.beforeModel(messages);
      expect(loopRules(sent)).toEqual([]);
      await session.settled();
      const last = sent.at(-1);
      messages.push(...step(at, isPrompt(last)));
    }
    expect(session.records().length).toBeGreaterThan(0);
    session.stop();
  });

  test('is not compacted again by a redo behind a further step', async () => {
    const session = sessionOf();
    const messages = underWay();
    expect((await session.compact(messages)).status).toBe('compressed');
    session.undo(undefined, messages);
    messages.push(...step(3, false));
    expect(() => session.redo(messages)).toThrow('bound to this view');
    expect(loopRules(session.view(messages))).toEqual([]);
    messages.push(assistant('All read.'), user('And now?'));
    session.redo(messages);
    expect(loopRules(session.view(messages))).toEqual([]);
    expect(session.view(messages).length).toBeLessThan(messages.length);
  });

  test('is not compacted under steps that were appended meanwhile', async () => {
    const session = sessionOf(5);
    const messages = underWay();
    const running = session.compact(messages);
    messages.push(...step(3, false));
    expect(await running).toMatchObject({ status: 'noop', reason: 'bound-reasoning' });
    expect(session.view(messages)).toEqual(messages);
    expect(session.records()).toMatchObject([{ status: 'noop', calls: 1, covers: [] }]);
  });

  type Deed = 'step' | 'answer' | 'compact' | 'compact-late' | 'undo' | 'redo';
  const deed = fc.constantFrom<Deed>('step', 'answer', 'compact', 'compact-late', 'undo', 'redo');
  const takenBack = fc.constant<readonly Deed[]>(['compact', 'undo', 'step', 'redo']);
  const deeds = fc
    .array(fc.oneof(fc.array(deed, { maxLength: 4 }), takenBack), { minLength: 1, maxLength: 5 })
    .map((lists) => lists.flat());

  test('never leaves a step of it in front, whatever is compacted, taken back and appended', async () => {
    await fc.assert(
      fc.asyncProperty(deeds, async (list) => {
        const session = sessionOf();
        const messages = underWay();
        for (const [at, deed] of list.entries()) {
          await carryOut(deed, { session, messages, at: at + 10 });
          expect(loopRules(session.view(messages))).toEqual([]);
        }
      }),
      { numRuns: 200 },
    );
  });

  async function carryOut(
    deed: Deed,
    { session, messages, at }: { session: Compactor; messages: unknown[]; at: number },
  ): Promise<void> {
    const opens = (): boolean => isPrompt(session.view(messages).at(-1));
    if (deed === 'step') messages.push(...step(at, opens()));
    else if (deed === 'answer') messages.push(assistant(`Done ${at}.`), user(`Go on ${at}.`));
    else if (deed === 'compact') await session.compact(messages);
    else if (deed === 'compact-late') {
      const next = step(at, opens());
      const running = session.compact(messages);
      messages.push(...next);
      await running;
    } else {
      try {
        if (deed === 'undo') session.undo(undefined, messages);
        else session.redo(messages);
      } catch (cause) {
        if (!isCompactionError(cause)) throw cause;
      }
    }
  }
});
