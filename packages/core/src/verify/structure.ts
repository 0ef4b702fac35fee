import type { Template } from '../model/policy.ts';

/**
 * Whether a text ends before the structure it was asked for does: a section that is open at its end, or a frame that is
 * never closed. A model that says it finished may forget the frame, but not the end of a section.
 */
export function isCutOff(text: string, template: Template, isFinished: boolean): boolean {
  const frame = FRAMES[template.kind] ?? (template.kind === 'tagged' ? template.tag : undefined);
  if (frame === undefined) return false;
  const opened = text.lastIndexOf(`<${frame}>`);
  if (opened < 0 || text.includes(`</${frame}>`, opened)) return false;
  return !isFinished || hasOpenSection(text.slice(opened + frame.length + 2));
}

const FRAMES: Partial<Readonly<Record<Template['kind'], string>>> = { snapshot: 'state_snapshot' };

function hasOpenSection(text: string): boolean {
  const [last] = [...text.matchAll(/<([a-z]+(?:_[a-z]+)+)>/g)].slice(-1);
  return last !== undefined && !text.includes(`</${last[1]}>`, last.index);
}
