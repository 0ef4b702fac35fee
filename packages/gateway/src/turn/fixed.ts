import type { Fixed } from 'epitome';
import type { Reading } from '../dialects/reading.ts';

/** System prompt and tools of a request, read anew: where nothing but a change is looked for, `fixedTextOf` is enough. */
export function fixedOf({ system, tools }: Reading): Fixed {
  return {
    ...(system ? { system: readJson(system) } : {}),
    ...(tools ? { tools: readJson(tools) } : {}),
  };
}

/** System prompt and tools as the client wrote them, by which a change is seen. */
export function fixedTextOf({ system, tools }: Reading): string {
  return `${system}\n${tools}`;
}

function readJson(text: string): unknown {
  return JSON.parse(text);
}
