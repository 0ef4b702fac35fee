import { expect } from 'vitest';
import { isObject, listOf } from '../../src/formats/native.ts';
import { BRIDGE, CONTINUATION } from '../../src/model/filler.ts';
import { type Fate, isPlaceholder } from './fates.ts';
import type { Law } from './harness.ts';
import type { Run } from './run.ts';

/** Laws on what our own messages say, and on blocks nobody may touch. */
export const TEXTS: readonly Law<Run>[] = [
  {
    name: 'law 20: what we write has no half of a surrogate pair',
    check: ({ outcome, fates }) => {
      const written = outcome.messages.filter((_, at) => fates[at]?.kind !== 'kept');
      expect(written.flatMap(stringsIn).filter((text) => !text.isWellFormed())).toEqual([]);
    },
  },
  {
    name: 'law 21: a sealed block is the original one or is gone with its whole block',
    check: ({ rendered, outcome, fates }) => {
      fates.forEach((fate, at) => {
        if (fate.kind !== 'edited') return;
        const blocks = new Set(blocksOf(rendered.messages[fate.from]));
        const changed = blocksOf(outcome.messages[at]).filter((block) => !blocks.has(block));
        expect(changed.filter((block) => !stringsIn(block).some(isPlaceholder))).toEqual([]);
      });
    },
  },
  {
    name: 'law 21: no bound thinking stays behind something that changed (A12)',
    check: ({ outcome, before }) => {
      const changed = outcome.messages.findIndex((native, at) => JSON.stringify(native) !== JSON.stringify(before[at]));
      const behind = changed < 0 ? [] : outcome.messages.slice(changed);
      expect(behind.filter(holdsBoundThinking)).toEqual([]);
    },
  },
  {
    name: 'law 24: a summary is labelled, delimited, and cannot close its own frame',
    check: ({ fates }) => {
      for (const text of summariesOf(fates)) {
        expect(text).toMatch(/^<conversation_summary check="[0-9a-z-]+">\nSummary of the earlier conversation/);
        const [, behind, ...more] = text.split('</conversation_summary>');
        expect(more).toEqual([]);
        expect(['', `\n\n${CONTINUATION}`]).toContain(withoutOutput(behind ?? ''));
      }
    },
  },
  {
    name: 'law 24: beside a summary only words without content are added, an answer by the assistant, a bridge by the user',
    check: ({ fates }) => {
      fates.forEach((fate, at) => {
        if (fate.kind !== 'filler') return;
        expect(fates[at - 1]?.kind).toBe('summary');
        expect(fate.role).toBe(fate.text === BRIDGE ? 'user' : 'assistant');
      });
    },
  },
  {
    name: 'instructions of one compaction never enter the view',
    check: ({ outcome, case: { focus }, fates }) => {
      const written = JSON.stringify(outcome.messages.filter((_, at) => fates[at]?.kind !== 'kept'));
      if (focus !== '') expect(written).not.toContain('</focus> $&');
    },
  },
];

/** What stands behind a summary less the newest output of tools, each in a frame that it cannot close. */
function withoutOutput(behind: string): string {
  const block = String.raw`\n<tool_output>\n(?:(?!</tool_output>|</session_state>)[^])*\n</tool_output>`;
  return behind.replace(new RegExp(String.raw`^\n\nOutput of the newest tool calls, [^\n]*(?:${block})+`), '');
}

function summariesOf(fates: readonly Fate[]): readonly string[] {
  return fates.flatMap((fate) => (fate.kind === 'summary' ? [fate.text] : []));
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

function blocksOf(native: unknown): readonly unknown[] {
  return isObject(native) && Array.isArray(native['content']) ? listOf(native['content']) : [];
}

// Anthropic's own blocks, and the same signatures through OpenAI-like servers and the AI SDK.
function holdsBoundThinking(native: unknown): boolean {
  const json = JSON.stringify(native);
  return json.includes('"signature":"sig_');
}
