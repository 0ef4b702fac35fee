/** An amount as a status line shows it: `980`, `52k`, `1.5M`. */
export function amount(value: number): string {
  if (value < 1000) return String(Math.round(value));
  const [unit, size] = value < 999_500 ? ['k', 1000] : ['M', 1_000_000];
  const shown = value / Number(size);
  const digits = unit === 'M' && shown < 100 ? 1 : 0;
  return `${shown.toFixed(digits).replace(/\.0$/, '')}${unit}`;
}

/** A share in whole per cent; `<1%` for what is more than nothing. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  return rounded === 0 && share > 0 ? '<1%' : `${rounded}%`;
}
