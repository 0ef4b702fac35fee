import type { Found } from './runs.ts';

/** Joins words with a capital that stand beside each other into names; a sentence's first word alone is none. */
export class Names {
  readonly #text: string;
  readonly #found: Found;
  #start = -1;
  #end = -1;
  #isInitial = false;
  #isJoined = false;

  constructor(text: string, found: Found) {
    this.#text = text;
    this.#found = found;
  }

  /** Takes one more word with a capital. */
  add(start: number, end: number, isMidSentence: boolean): void {
    if (this.#start >= 0 && start === this.#end + 1 && isMidSentence) {
      if (this.#isInitial && STARTERS.test(this.#text.slice(this.#start, this.#end))) {
        this.#start = start;
        this.#isInitial = false;
      }
      this.#isJoined = true;
      this.#end = end;
      return;
    }
    this.close();
    this.#start = start;
    this.#end = end;
    this.#isInitial = !isMidSentence;
    this.#isJoined = false;
  }

  /** Tells of the name that is open. */
  close(): void {
    const isNone = this.#isInitial && !this.#isJoined;
    if (this.#start >= 0 && this.#end - this.#start > 2 && !isNone) this.#found('name', this.#start, this.#end);
    this.#start = -1;
  }
}

// Words that often begin a sentence in front of a name.
const STARTERS =
  /^(?:The|An?|In|On|At|By|For|From|To|With|Of|And|But|Or|If|When|While|As|We|I|You|He|She|It|They|This|That|These|My|Our|Your|His|Her|Is|Are|Was|Does|Did|Can|Let|Use|See|Ask|Meet|Dear|Hi|Hey|Hello|Thanks|Yes|No|Then|Now|Also|Der|Die|Das|Ein|Eine|Le|La|Les|El)$/;
