import { type Entries, entriesOf } from '../facts/entries.ts';
import { ledgerKey } from '../facts/keys.ts';
import { scanText } from '../facts/scan.ts';
import type { Ledger } from '../model/facts.ts';
import { isOpen } from './outcomes.ts';
import { sentencesOf } from './prompts.ts';

/** A statement that something was done to files of which no call says a word. */
export type Untouched = { readonly claim: string; readonly path: string; readonly isKept?: true };

/** The first statement of a line that a file was made, moved or changed, where calls name files but none of these. */
export function untouchedIn(line: string, ledger: Ledger): Untouched | undefined {
  if (!CHANGED.test(line)) return undefined;
  const entries = entriesOf(ledger);
  for (const claim of sentencesOf(line)) {
    if (!CHANGED.test(claim) || isOpen(claim)) continue;
    const paths = pathsIn(claim);
    const kept = paths.find((path) => isDeletion(claim, path) && isKept(path, entries));
    if (kept !== undefined && hasCalls(entries)) return { claim, path: kept, isKept: true };
    const isTouched = paths.some((path) => {
      const key = ledgerKey({ kind: 'path', value: path });
      const entry = entries.get(key);
      // What nobody named at all is an invention, and told as such.
      return entry === undefined || entry.counts.call > 0 || entries.has(`file${key}`);
    });
    const [path] = paths;
    if (path !== undefined && !isTouched && hasCalls(entries)) return { claim, path };
  }
  return undefined;
}

/** Whether it is the path itself that is said to be gone, and not something in it. */
function isDeletion(claim: string, path: string): boolean {
  const at = claim.indexOf(path);
  return GONE_BEFORE.test(claim.slice(0, at)) || GONE_BEHIND.test(claim.slice(at + path.length));
}

const GONE_BEFORE = /\b(?:deleted|removed) (?:the )?(?:file )?[`'"]?(?:\.\/)?$/i;
const GONE_BEHIND = /^[`'"]? (?:was|has been|is) (?:now |also |already )*(?:deleted|removed)\b/i;

/** Whether calls deal with a file and none of them may have taken it away. */
function isKept(path: string, entries: Entries): boolean {
  const file = entries.get(`file${ledgerKey({ kind: 'path', value: path })}`);
  if (file === undefined || file.status === 'deleted') return false;
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
  for (const { kind, value } of entries.values())
    if (kind === 'command' && TAKING.test(value) && (value.includes(name) || /[*]|\b-r/.test(value))) return false;
  return true;
}

const TAKING = /\b(?:rm|rmdir|unlink|del|delete|remove|mv|move|clean|checkout|reset|stash|rimraf|find)\b/i;

const DONE =
  'moved|created|renamed|deleted|removed|edited|updated|modified|changed|added|implemented|refactored|fixed|patched';
// Said with an auxiliary, of who did it, or alone at the start.
const CHANGED = new RegExp(
  `\\b(?:was|were|been|is|are|successfully|have|has|I|we|assistant|agent)(?: (?:now|also|successfully|then|already|been|has|have))* (?:written|rewritten|rewrote|wrote|${DONE})\\b|^[^\\p{L}]*(?:wrote|rewrote|${DONE})\\b|\\[DONE\\]`,
  'iu',
);

function pathsIn(claim: string): readonly string[] {
  const paths: string[] = [];
  scanText(claim, (kind, start, end) => {
    const value = claim.slice(start, end);
    if (kind === 'path' && /[/\\]/.test(value) && /\.\w{1,5}$/.test(value)) paths.push(value);
  });
  return paths;
}

// In a chat without tools it is the user who does things.
function hasCalls(entries: Entries): boolean {
  for (const { kind } of entries.values()) if (kind === 'file' || kind === 'command') return true;
  return false;
}
