// How fast facts are taken from messages, beside one `RegExp.test` pass over the same texts in the same run.
import { goal, inChild, runAsScript, table } from './harness.mjs';

async function report() {
  const { source, characters, extraction, passes } = inChild({ kind: 'facts' });
  const rows = passes.map(({ name, pattern, speed }) => [
    name,
    `\`${pattern.replaceAll('|', '\\|')}\``,
    speed.toFixed(0),
    `1/${(speed / extraction).toFixed(1)}`,
  ]);
  const text = [
    table(['pattern for', '', 'M characters/s', 'extraction is'], rows),
    `Extraction of all facts: ${extraction.toFixed(0)} M characters/s of CPU time, the least disturbed of nine passes over ${(characters / 1e6).toFixed(1)} M characters of ${source}. No pattern matches anywhere.`,
  ].join('\n\n');
  const goals = passes.map(({ name, speed }) =>
    goal(`a twentieth of a pass for ${name}`, `1/${(speed / extraction).toFixed(1)}`, extraction * 20 >= speed),
  );
  return { title: 'Taking facts', text, goals };
}

export { report };

await runAsScript(import.meta.url, report);
