import type { Fixed } from 'epitome';
import type { Reading } from '../dialects/reading.ts';

/** System prompt and tools of a request, and their text, by which a change is seen. They are read when they are asked for. */
export function fixedOf({ system, tools }: Reading): { readonly fixed: Fixed; readonly fixedText: string } {
  return {
    get fixed(): Fixed {
      return {
        ...(system ? { system: readJson(system) } : {}),
        ...(tools ? { tools: readJson(tools) } : {}),
      };
    },
    fixedText: `${system}\n${tools}`,
  };
}

function readJson(text: string): unknown {
  return JSON.parse(text);
}
