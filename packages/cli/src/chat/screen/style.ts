/** How a piece of text looks. */
export type Look = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'accent' | 'good' | 'warning' | 'bad' | 'code';

/** Puts looks on texts. */
export type Style = (text: string, ...looks: readonly Look[]) => string;

/** What turns a look on, and what turns it off. */
type Codes = readonly [on: number, off: number];

/** Where lines are written. */
export type Canvas = { readonly width: number; readonly style: Style };

type Attribute = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse';

const ATTRIBUTES: Readonly<Record<Attribute, Codes>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
};

const COLOURS: Readonly<Record<Exclude<Look, Attribute>, Codes>> = {
  accent: [36, 39],
  good: [32, 39],
  warning: [33, 39],
  bad: [31, 39],
  code: [35, 39],
};

/** Looks as escape sequences; without colours where `NO_COLOR` says so. */
export function styleFor(env: Readonly<Record<string, string | undefined>>): Style {
  const codes: Readonly<Partial<Record<Look, Codes>>> = env['NO_COLOR'] ? ATTRIBUTES : { ...ATTRIBUTES, ...COLOURS };
  return (text, ...looks) => {
    if (text === '') return text;
    return looks.reduce((styled, look) => {
      const [on, off] = codes[look] ?? [];
      return on === undefined ? styled : `\u001b[${on}m${styled}\u001b[${off}m`;
    }, text);
  };
}

/** Texts as they are. */
export const unstyled: Style = (text) => text;
