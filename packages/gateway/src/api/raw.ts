/** JSON text that goes into an answer as it is: parsing and printing it again could change numbers and doubled keys. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON of a value, in which `RawJson` stands in its own characters. */
export function stringify(value: unknown): string {
  const raws: string[] = [];
  const nonce = `raw:${crypto.randomUUID()}:`;
  const text = JSON.stringify(value, (_key, each: unknown) => {
    if (!(each instanceof RawJson)) return each;
    raws.push(each.text);
    return `${nonce}${raws.length - 1}`;
  });
  // Nobody can have written the nonce into a message: it was made just now.
  return raws.length === 0
    ? text
    : text.replace(new RegExp(`"${nonce}(\\d+)"`, 'g'), (_found, at: string) => raws[Number(at)] ?? 'null');
}
