/** A text that is worth a closer look at, and what for. */
export type Hint = {
  readonly text: string;
  readonly topic: number;
  /** Whether capitals and small letters are one. */
  readonly isFolded: boolean;
  /** Whether it counts only where no letter or digit stands in front. */
  readonly isStart: boolean;
  /** Whether it counts with this character behind it, as its code. */
  readonly isFollowed?: (code: number) => boolean;
};

/** Tells the topics whose hints a text holds, in one pass over its characters whatever the number of hints. */
export function createHintFinder(hints: readonly Hint[]): (text: string) => ReadonlySet<number> {
  const { next, ends, firstEnd } = automatonOf(hints);
  return (text) => {
    let topics: Set<number> | undefined;
    let state = 0;
    const { length } = text;
    for (let index = 0; index < length; index += 1) {
      const code = text.charCodeAt(index);
      state = code < WIDTH ? (next[state | code] ?? 0) : 0;
      if (state < firstEnd) continue;
      for (const hint of ends[(state - firstEnd) / WIDTH] ?? []) {
        if (topics?.has(hint.topic) !== true && counts(hint, text, index)) {
          topics ??= new Set();
          topics.add(hint.topic);
        }
      }
    }
    return topics ?? NONE;
  };
}

const NONE: ReadonlySet<number> = /* @__PURE__ */ new Set<number>();
// ASCII: no hint has any other character.
const WIDTH = 128;

function counts({ text: hint, isStart, isFollowed }: Hint, text: string, end: number): boolean {
  const start = end - hint.length + 1;
  if (isStart && start > 0 && isWord(text.charCodeAt(start - 1))) return false;
  return isFollowed === undefined || (end + 1 < text.length && isFollowed(text.charCodeAt(end + 1)));
}

function isWord(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
}

type Node = { readonly to: (Node | undefined)[]; hints: Hint[]; fail: Node | undefined; id: number };
type Automaton = {
  /** The state that follows a state and a character; a state is where its row begins. Those where a hint ends come last. */
  readonly next: Uint32Array;
  readonly firstEnd: number;
  readonly ends: readonly (readonly Hint[])[];
};

/** The machine of Aho and Corasick, as one table. */
function automatonOf(hints: readonly Hint[]): Automaton {
  const root = newNode();
  for (const hint of hints) insert(root, hint);
  const nodes = linked(root);
  const plain = nodes.filter(({ hints: found }) => found.length === 0);
  const ending = nodes.filter(({ hints: found }) => found.length > 0);
  for (const [id, node] of [...plain, ...ending].entries()) node.id = id * WIDTH;
  const next = new Uint32Array(nodes.length * WIDTH);
  for (const { id, to } of nodes) {
    for (const [code, target] of to.entries()) if (target !== undefined) next[id + code] = target.id;
  }
  return { next, firstEnd: plain.length * WIDTH, ends: ending.map(({ hints: found }) => found) };
}

function newNode(): Node {
  return { to: Array.from({ length: WIDTH }, () => undefined), hints: [], fail: undefined, id: 0 };
}

function insert(root: Node, hint: Hint): void {
  let node = root;
  for (const letter of hint.text) {
    const codes = hint.isFolded ? [letter.toLowerCase(), letter.toUpperCase()] : [letter];
    const [target = newNode()] = codes.flatMap((each) => node.to[each.charCodeAt(0)] ?? []);
    for (const each of codes) node.to[each.charCodeAt(0)] ??= target;
    node = node.to[letter.charCodeAt(0)] ?? target;
  }
  node.hints.push(hint);
}

/** Breadth first, so that where a search falls back to is complete before it is needed. */
function linked(root: Node): readonly Node[] {
  const nodes = [root];
  const seen = new Set(nodes);
  for (const node of nodes) {
    for (let code = 0; code < WIDTH; code += 1) {
      const fallback = node.fail?.to[code] ?? (node === root ? undefined : root);
      const target = node.to[code];
      if (target === undefined) node.to[code] = node === root ? root : fallback;
      else if (!seen.has(target)) {
        seen.add(target);
        target.fail = fallback ?? root;
        target.hints = [...target.hints, ...target.fail.hints];
        nodes.push(target);
      }
    }
  }
  return nodes;
}
