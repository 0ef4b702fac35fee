import { describe, expect, test } from 'vitest';
import { diffFacts, unpackLedger } from '../../src/facts/index.ts';
import { type CompactionRecord, compact, type LogRecord, presets } from '../../src/index.ts';

const turn = (step: number): { role: string; content: string } => ({
  role: step % 2 === 0 ? 'user' : 'assistant',
  content: `Step ${step}: src/mod${step % 40}/file${step}.ts failed with E${1000 + step}, see ticket EPI-${step}; loadStep${step} took ${step * 7} ms and the rest of what was said in this turn is told in plain words so that there is something to leave out.`,
});
const turns = (count: number) => Array.from({ length: count }, (_, step) => turn(step));
const idsOf = (count: number) => Array.from({ length: count }, (_, step) => `0d4f2a3e-77aa-4c1c-9f0e-${step}`);
const policy = presets.epitome({ window: 16_000 });

async function compacted(count: number, records: readonly LogRecord[] = []): Promise<CompactionRecord> {
  const request = {
    format: 'openai-chat',
    policy,
    cause: 'manual',
    messages: turns(count),
    ids: idsOf(count),
    records,
  } as const;
  const { record } = await compact(request);
  if (record === undefined) throw new Error('nothing was compacted');
  return record;
}

describe('facts of a record', () => {
  test('are a small share of a long conversation, round after round, and name their messages', async () => {
    const first = await compacted(2500);
    const second = await compacted(4000, [first]);
    for (const [record, count] of [
      [first, 2500],
      [second, 4000],
    ] as const) {
      const size = JSON.stringify(record.facts).length;
      expect(size).toBeLessThan(JSON.stringify(turns(count)).length / 10);
      if (record.facts === undefined) throw new Error('no facts');
      const { path, id } = diffFacts(record.facts, record.text);
      // Each path and ticket of the head is accounted for, kept, named or counted.
      expect(path?.total).toBeGreaterThan(count * 0.9);
      expect(id?.lost.every(({ last, lastId }) => lastId === idsOf(count)[last])).toBe(true);
    }
  });

  test('that an earlier version kept unpacked are read, and merged into the next round', async () => {
    const first = await compacted(300);
    if (first.facts === undefined) throw new Error('no facts');
    const old = JSON.parse(JSON.stringify({ ...first, facts: unpackLedger(first.facts) }));
    const [next, same] = await Promise.all([compacted(600, [old]), compacted(600, [first])]);
    expect(next.facts).toEqual(same.facts);
    expect(next.replaces).toEqual([first.id]);
    expect(next.text).toBe(same.text);
  });
});
