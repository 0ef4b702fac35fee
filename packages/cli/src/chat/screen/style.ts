/** How a piece of text looks. */
export type Look = 'bold' | 'dim' | 'italic' | 'underline' | 'inverse' | 'accent' | 'good' | 'warning' | 'bad' | 'code';

/** Puts looks on texts. */
export type Style = (text: string, ...looks: readonly Look[]) => string;

/** Where lines are written. */
export type Canvas = { readonly width: number; readonly style: Style };

const ATTRIBUTES: Readonly<Record<'bold' | 'dim' | 'italic' | 'underline' | 'inverse', readonly [number, number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  underline: [4, 24],
  inverse: [7, 27],
};

const COLOURS: Readonly<Record<Exclude<Look, keyof typeof ATTRIBUTES>, readonly [number, number]>> = {
  accent: [36, 39],
  good: [32, 39],
  warning: [33, 39],
  bad: [31, 39],
  code: [35, 39],
};

/** Looks as escape sequences; without colours where `NO_COLOR` says so. */
export function styleFor(env: Readonly<Record<string, string | undefined>>): Style {
  const hasColours = !env['NO_COLOR'];
  return (text, ...looks) => {
    let styled = text;
    for (const look of looks) {
      const codes = look in ATTRIBUTES ? ATTRIBUTES[look as keyof typeof ATTRIBUTES] : undefined;
      const colour = hasColours && look in COLOURS ? COLOURS[look as keyof typeof COLOURS] : undefined;
      const [on, off] = codes ?? colour ?? [];
      if (on !== undefined && text !== '') styled = `\u001b[${on}m${styled}\u001b[${off}m`;
    }
    return styled;
  };
}

/** Texts as they are. */
export const unstyled: Style = (text) => text;
