import { isLogged } from './logs.ts';

/** What a line is: a heading of code such as a function's, a note about it, a step inside of it, a log's, or plain text. */
export type Shape = 'declaration' | 'comment' | 'statement' | 'log' | 'text';

/** The shape of a line with its indentation. */
export function shapeOf(raw: string): Shape {
  const line = raw.trim();
  if (isLogged(line)) return 'log';
  if (COMMENT.test(line)) return 'comment';
  if (DECLARED.test(line) || (isOuter(raw) && BOUND.test(line)) || isMethod(line)) return 'declaration';
  return STEP.test(line) || ENDING.test(line) || isPassed(line) ? 'statement' : 'text';
}

const COMMENT = /^(?:\/\/|\/\*|\* |\*\/|# |#$|--\s|"""|'''|<!--)/;
const MODIFIERS =
  '(?:export |default |public |private |protected |internal |static |async |abstract |final |override |pub(?:\\(\\w+\\))? |readonly |declare |unsafe )*';
const DECLARED = new RegExp(
  `^${MODIFIERS}(?:function\\b|func |fn |def |class |interface |type \\w+|struct |enum |trait |impl\\b|namespace |module |package |describe\\(|it\\(|test\\()`,
);
// Inside of a function a name is bound for a few lines only.
const BOUND = new RegExp(`^${MODIFIERS}(?:const|let|var|val)\\s`);
const isOuter = (raw: string): boolean => /^\S/.test(raw);

function isMethod(line: string): boolean {
  return METHOD.test(line) && !/^(?:if|for|while|switch|catch|return|else|await|throw|new)\b/.test(line);
}

const METHOD = new RegExp(`^${MODIFIERS}[\\w$]+\\([^()]{0,200}\\)(?:: ?[^{};]{1,80}| ?[\\w.*]{1,40})? ?\\{$`);
const STEP =
  /^(?:[}\])]|(?:\w+ )?"[\w@./-]+",?$|[\w.]+ :?= |(?:if|else|elif|for|while|switch|case|return|try|catch|except|finally|throw|raise|await|break|continue|import|from|use|defer|go|yield|with|assert\w*|expect)\b)/;
const ENDING = /[;{}]$|[)\]],?$/;

/** `timeout=30,`: two looks, for one pattern would look from each sign to the end. */
function isPassed(line: string): boolean {
  return line.endsWith(',') && /[\w"'`)]\s?[=+]/.test(line);
}
