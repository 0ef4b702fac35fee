import { describe, expect, test } from 'vitest';
import { compact, formats, type Policy, presets } from '../../src/index.ts';
import { type Session, sessions } from './sessions.ts';

// Whole views, to be read: `=` is the very object that came in, `~` one that was edited, `+` one of ours.
const window = 100_000;
const policies: readonly Policy[] = [
  presets.epitome({ window }),
  presets.snapshot({ window }),
  presets.deliberate({ window }),
  presets.selective({ window, retentionWindow: 2 }),
  presets.branch({ window }),
  presets.threshold({ window }),
];

describe.each(sessions)('$name', (session) => {
  test.each(policies)('by $preset', async (policy) => {
    const view = await viewOf(session, policy);
    await expect(view).toMatchFileSnapshot(`./views/${session.name}.${policy.preset}.txt`);
  });
});

async function viewOf({ format, messages }: Session, policy: Policy): Promise<string> {
  const summarizer = ({ prompt }: { prompt: string }) =>
    Promise.resolve({ text: `A summary of ${prompt.split('\n[').length - 1} messages.` });
  const ports = { summarizer, now: () => 0, newId: () => 'record' };
  const outcome = await compact({ format, messages, policy, cause: 'manual' }, ports);
  const { status, reason, tokens, counts, findings } = outcome;
  const broken = formats[format].validate(outcome.messages).filter(({ severity }) => severity === 'error');
  return [
    `${status} (${reason}): ${tokens.before} → ${tokens.after} tokens, ${counts.compressed} messages replaced`,
    ...findings.map(({ code, detail }) => `finding ${code}: ${detail}`),
    ...broken.map(({ rule, at, detail }) => `breaks ${rule} at ${at}: ${detail}`),
    ...outcome.messages.map(
      (native) => `${markOf(native, messages, outcome.record?.inserts.length ?? 0)} ${line(native)}`,
    ),
    '',
  ].join('\n');

  function markOf(native: unknown, given: readonly unknown[], inserts: number): string {
    if (given.includes(native)) return '=';
    return inserts > 0 && outcome.messages.indexOf(native) < firstKept(given) ? '+' : '~';
  }
  function firstKept(given: readonly unknown[]): number {
    const texts = outcome.record?.inserts.map(({ text }) => JSON.stringify(text).slice(1, 40)) ?? [];
    const last = outcome.messages.findLastIndex((native) =>
      texts.some((text) => JSON.stringify(native).includes(text)),
    );
    return given.length === 0 ? 0 : last + 1;
  }
}

function line(native: unknown): string {
  const text = JSON.stringify(native);
  return text.length <= 240 ? text : `${text.slice(0, 160)} … ${text.slice(-60)}`;
}
