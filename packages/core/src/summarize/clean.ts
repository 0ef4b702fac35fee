import type { Template } from '../model/policy.ts';

/** A draft's text with scratchpads gone, reduced to what the template asked for. */
export function cleanDraft(raw: string, template: Template): string {
  const whole = raw.toWellFormed();
  const text = withoutScratchpad(whole).trim();
  switch (template.kind) {
    case 'snapshot':
      return snapshotIn(text) ?? snapshotIn(whole) ?? text;
    case 'tagged':
      return inner(text, template.tag) ?? inner(whole, template.tag) ?? text;
    case 'progressive':
    case 'sections':
      return text;
    default:
      return template satisfies never;
  }
}

/** What a goal-focused snapshot says it left out. */
export function discardedContext(text: string): string | undefined {
  const found = inner(text, 'discarded_context_summary');
  return found === undefined || found === '' ? undefined : found;
}

/** Tag of the structured summary. */
export const SNAPSHOT_TAG = 'state_snapshot';

// At the start of a line, or right behind another one.
const SCRATCHPAD =
  /(?:^[ \t]*|(?<=<\/\w{5,10}>))<(scratchpad|thinking|think|analysis|reasoning)(?: [^<>\n]{0,200})?>/gim;

// Reasoning written into the text channel is not part of the summary (open-webui#29308).
function withoutScratchpad(text: string): string {
  let kept = '';
  let from = 0;
  for (const { 0: opening, 1: tag = '', index } of text.matchAll(SCRATCHPAD)) {
    if (index < from) continue;
    const closing = new RegExp(`</${tag}>`, 'gi');
    closing.lastIndex = index + opening.length;
    kept += text.slice(from, index);
    // What is not closed goes to the end, unless a summary stands in front of it.
    if (!closing.test(text)) return kept.trim() === '' ? '' : text;
    from = closing.lastIndex;
  }
  return kept + text.slice(from);
}

/** The snapshot without another one nested in it, closed if the model forgot to. */
function snapshotIn(text: string): string | undefined {
  const content = inner(text, SNAPSHOT_TAG)?.replaceAll(`<${SNAPSHOT_TAG}>`, '').replaceAll(`</${SNAPSHOT_TAG}>`, '');
  return content === undefined || content.trim() === '' ? undefined : wrap(SNAPSHOT_TAG, content.trim());
}

/** A tag of its own lines around a text. */
export function wrap(tag: string, body: string): string {
  return `<${tag}>\n${body}\n</${tag}>`;
}

/** What stands between a tag and its last closing one, or to the end where it is not closed. */
export function inner(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  if (start < 0) return undefined;
  const from = start + tag.length + 2;
  const end = text.lastIndexOf(`</${tag}>`);
  return text.slice(from, end < from ? text.length : end).trim();
}
