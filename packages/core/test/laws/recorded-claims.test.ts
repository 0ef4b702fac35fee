import { beforeAll, describe, expect, test } from 'vitest';
import { estimateTokens, formats, type Message } from '../../src/index.ts';
import { keepFacts } from '../../src/keep/keep.ts';
import { sentencesOf } from '../../src/keep/prompts.ts';
import type { KeptSource } from '../../src/keep/source.ts';
import { linesOf, recordedFiles, WITHOUT_RECORDED } from '../support/recorded.ts';

const files = recordedFiles('', '.jsonl');

type Recorded = { readonly head: KeptSource['head'] };

/** Findings about what a text says of the user, of outcomes and of orders, per line of it. */
function doubts(text: string, head: KeptSource['head']): readonly string[] {
  const { findings } = keepFacts(text, { head, prior: '' }, { factTokens: 0, count: estimateTokens });
  return findings.filter(({ code }) => code !== 'claim-unsupported').map(({ code, detail }) => `${code}: ${detail}`);
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
}

function load(): readonly Recorded[] {
  return files.flatMap((file) =>
    // Enough of each source; some have many that are alike.
    linesOf<{ messages: readonly unknown[] }>(file)
      .slice(0, 12)
      .map(({ messages: natives }) => {
        const messages: Message[] = [];
        for (const native of natives) messages.push(formats['openai-chat'].decode(native, messages));
        return { head: messages.map((message, index) => ({ message, index })) };
      }),
  );
}

describe.skipIf(files.length === 0)(`recorded sessions (${WITHOUT_RECORDED})`, () => {
  let sessions: readonly Recorded[] = [];
  let claims: readonly { readonly text: string; readonly at: number }[] = [];

  beforeAll(() => {
    sessions = load();
    claims = sessions.flatMap(({ head }, at) =>
      head
        .filter(({ message }) => message.role === 'user')
        .flatMap(({ message }) => sentencesOf(textOf(message).slice(0, 3000)))
        .filter((sentence) => sentence.split(' ').length > 4)
        .slice(0, 30)
        .map((sentence) => ({ text: `The user asked to ${sentence.replace(/\s+/g, ' ')}`, at })),
    );
  }, 300_000);

  const share = (step: number): number => {
    const flagged = sessions.flatMap((_, at) => {
      const other = sessions[(at + step) % sessions.length];
      const text = claims.flatMap((claim) => (claim.at === at ? [claim.text] : [])).join('\n');
      return doubts(text, other?.head ?? []).filter((doubt) => doubt.startsWith('claim-unconfirmed'));
    });
    return flagged.length / claims.length;
  };

  test('what the user said is not doubted', { timeout: 300_000 }, () => {
    expect(claims.length).toBeGreaterThan(300);
    expect(share(0)).toBeLessThan(0.002);
  });

  test('what another user said in another session is', { timeout: 300_000 }, () => {
    expect(share(7)).toBeGreaterThan(0.65);
  });

  test('what assistants said of their own sessions is not doubted', { timeout: 600_000 }, () => {
    let lines = 0;
    const found = sessions.flatMap(({ head }) => {
      // The longest accounts say most.
      const accounts = head
        .filter(({ message }) => message.role === 'assistant' && textOf(message).length > 400)
        .sort((one, other) => textOf(other.message).length - textOf(one.message).length)
        .slice(0, 6);
      return accounts.flatMap(({ message, index }) => {
        lines += textOf(message).split('\n').length;
        return doubts(textOf(message), head.slice(0, index));
      });
    });
    expect(lines).toBeGreaterThan(2000);
    expect(found.length / lines, found.join('\n')).toBeLessThan(0.002);
  });
});
