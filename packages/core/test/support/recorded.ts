import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Recorded conversations of real agents; third-party, so they stand beside the repository and may be absent. */
const recorded: string =
  process.env['EPITOME_DATA'] ?? fileURLToPath(new URL('../../../../../shared/data', import.meta.url));

/** Said with tests that are skipped without them. */
export const WITHOUT_RECORDED = 'skipped where there is no ../shared/data';

/** Files below a folder of the recorded conversations; none where that is absent. */
export function recordedFiles(folder: string, ending: string): readonly string[] {
  const below = `${recorded}/${folder}`;
  if (!existsSync(below)) return [];
  return readdirSync(below)
    .filter((name) => name.endsWith(ending))
    .map((name) => `${below}/${name}`);
}

/** The JSON values of a file's lines. */
export function linesOf<Value>(file: string): readonly Value[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
