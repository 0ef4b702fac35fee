import { estimateTokens, type Message } from 'epitome';
import { digest } from 'epitome/digest';
import {
  EMPTY_LEDGER,
  type Entry,
  extractFacts,
  type FactKind,
  type Ledger,
  mergeFacts,
  rankFacts,
} from 'epitome/facts';

/** What goes into a hand-over document beside the messages. */
export type HandoverOptions = {
  /** Most tokens of the whole document. */
  readonly maxTokens: number;
  /** Lines about the session, such as its agent and folder. */
  readonly about?: readonly string[];
  readonly title?: string;
  readonly goal?: string;
  /** A summary by a model; the digest takes its place where there is none. */
  readonly summary?: string;
};

/** A document to begin a new session with: goal, state, decisions, facts, next steps. No model is asked. */
export function handoverOf(messages: readonly Message[], options: HandoverOptions): string {
  const { maxTokens, title = 'the session so far', about = [] } = options;
  const ledger = mergeFacts(
    EMPTY_LEDGER,
    messages.flatMap((message, index) => extractFacts(message, index)),
  );
  const prompts = promptsOf(messages);
  const intro = [`# Hand-over: ${oneLine(title, 120)}`, ...about.map((line) => `- ${oneLine(line, 200)}`)].join('\n');
  const ending = lastWords(messages);
  const sections = [
    intro,
    section('Goal', goalLines(prompts, options.goal)),
    section('What the user asked for or ruled out', factLines(ledger, ['demand'], 12)),
    section('Decisions', factLines(ledger, ['decision'], 12)),
    section('Open tasks', openTodos(ledger)),
    section('Files', factLines(ledger, ['file'], 25)),
    section('Commands and how they ended', factLines(ledger, ['command'], 15)),
    section('Errors met', factLines(ledger, ['error'], 8)),
    section('Exact values', factLines(ledger, ['id', 'url', 'constant', 'version', 'flag', 'number', 'date'], 20)),
    section('Where it stands', ending === '' ? [] : [ending]),
  ].filter((text) => text !== '');
  const fitted = fit(sections, maxTokens);
  const room = Math.min(maxTokens - estimateTokens(fitted.join('\n\n')), maxTokens * STATE_SHARE);
  const state = stateOf(messages, options, room);
  // The state stands behind the goal: what follows are its details.
  return `${[...fitted.slice(0, 2), ...(state === '' ? [] : [state]), ...fitted.slice(2)].join('\n\n')}\n`;
}

function stateOf(messages: readonly Message[], { summary }: HandoverOptions, room: number): string {
  if (summary !== undefined && summary !== '') return section('State', [summary]);
  if (room < LEAST_STATE) return '';
  return section('State', [withoutTags(digest(messages, { maxTokens: room - 20 }).text)]);
}

const LEAST_STATE = 150;
// The rest of the document is made of the same messages.
const STATE_SHARE = 0.5;

// The digest is written for a model's prompt; here its sections are headings.
function withoutTags(text: string): string {
  return text
    .replace(/<\/?state_snapshot>\n?/g, '')
    .replace(SECTION, (_, slash: string, name: string) => (slash === '' ? `### ${name.replaceAll('_', ' ')}` : ''))
    .trim();
}

const SECTION = /^<(\/?)(overall_goal|key_knowledge|file_system_state|recent_actions|current_plan)>$/gm;

function promptsOf(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(({ role, parts }) => {
    if (role !== 'user') return [];
    const text = parts
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('\n')
      .trim();
    return text === '' || /^<[a-z_-]+>|^# AGENTS\.md|^Caveat:/.test(text) ? [] : [text];
  });
}

function goalLines(prompts: readonly string[], goal: string | undefined): readonly string[] {
  const [first] = prompts;
  const last = prompts.at(-1);
  return [
    ...(goal === undefined ? [] : [goal]),
    ...(first === undefined ? [] : [`The session began with: ${quote(first, 1200)}`]),
    ...(last === undefined || last === first ? [] : [`The latest request: ${quote(last, 1200)}`]),
  ];
}

/** The facts of some kinds that are most likely to be needed again, in the order they came. */
function factLines(ledger: Ledger, kinds: readonly FactKind[], most: number): readonly string[] {
  const chosen = rankFacts(ledger)
    .filter(({ entry }) => kinds.includes(entry.kind))
    .slice(0, most)
    .map(({ entry }) => entry)
    .sort((one, other) => one.first - other.first);
  return chosen.map(lineOf);
}

function lineOf({ kind, value, context, status }: Entry): string {
  const isBare = BARE.has(kind) && context !== value && context.includes(value);
  const words = isBare
    ? `${code(value)} in: ${oneLine(context, 160)}`
    : kind === 'command'
      ? code(value)
      : oneLine(value, 300);
  return `- ${words}${status === undefined ? '' : ` (${status})`}`;
}

const BARE: ReadonlySet<FactKind> = new Set(['id', 'url', 'constant', 'version', 'flag', 'number', 'date']);

function openTodos(ledger: Ledger): readonly string[] {
  return Object.values(ledger.entries)
    .filter(({ kind, status }) => kind === 'todo' && !/^(?:completed|done|cancelled)$/.test(status ?? ''))
    .slice(-20)
    .map(lineOf);
}

function lastWords(messages: readonly Message[]): string {
  const last = messages.findLast(
    ({ role, parts }) => role === 'assistant' && parts.some(({ kind }) => kind === 'text'),
  );
  const text =
    last?.parts
      .map((part) => (part.kind === 'text' ? part.text : ''))
      .join('\n')
      .trim() ?? '';
  return text === '' ? '' : `The last answer: ${quote(text, 1500)}`;
}

function section(title: string, lines: readonly string[]): string {
  return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}`;
}

/** Sections as they fit: from the last that are only details, lines go first. */
function fit(sections: readonly string[], maxTokens: number): readonly string[] {
  let kept = [...sections];
  while (estimateTokens(kept.join('\n\n')) > maxTokens * 0.7) {
    const longest = kept.reduce((best, text, index) => ((kept[best]?.length ?? 0) < text.length ? index : best), 0);
    const lines = (kept[longest] ?? '').split('\n');
    if (lines.length <= 4) {
      const cut = [...(kept[longest] ?? '')];
      if (cut.length < 200) break;
      kept = kept.with(longest, `${cut.slice(0, Math.floor(cut.length * 0.7)).join('')}…`);
    } else kept = kept.with(longest, lines.slice(0, -Math.ceil(lines.length / 8)).join('\n'));
  }
  return kept;
}

function quote(text: string, most: number): string {
  const chars = [...text];
  const cut = chars.length > most ? `${chars.slice(0, most).join('')}…` : text;
  return `\n\n${cut
    .split('\n')
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')}\n`;
}

function code(text: string): string {
  const line = oneLine(text, 300);
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

function oneLine(text: string, most: number): string {
  const flat = [...text.replace(/\s+/g, ' ').trim()];
  return flat.length > most ? `${flat.slice(0, most).join('')}…` : flat.join('');
}
