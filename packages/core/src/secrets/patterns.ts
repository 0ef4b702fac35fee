import type { Hint } from './hints.ts';

/**
 * How one kind of secret is found. `hints`: the pattern is tried only where one of them begins a word, or `anywhere`, then in
 * whatever case unless `as written`.
 */
export type SecretPattern = {
  readonly kind: string;
  readonly hints: readonly string[];
  readonly anywhere?: true | 'as written';
  /** What must stand behind a hint. */
  readonly isFollowed?: NonNullable<Hint['isFollowed']>;
  /** Global; a first group, if any, is kept. Nothing may have to follow an open-ended run, so that time stays linear. */
  readonly pattern: RegExp;
};

// Across two threes of digits, where the letters are rarest in words.
const SNOWFLAKES: readonly string[] = Array.from({ length: 1000 }, (_, digits) =>
  btoa(`0${String(digits).padStart(3, '0')}00`).slice(2, 6),
);

/** Secrets that are known by their looks. A letter or digit in front means the middle of something longer. */
export const PATTERNS: readonly SecretPattern[] = [
  {
    kind: 'aws-key',
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'github-token',
    hints: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
    pattern: /(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g,
  },
  {
    kind: 'gitlab-token',
    hints: ['glpat-', 'gldt-', 'glrt-', 'glcbt-', 'glptt-', 'glft-', 'glsoat-', 'glimt-', 'glagent-'],
    pattern: /(?<![A-Za-z0-9])gl(?:pat|dt|rt|cbt|ptt|ft|soat|imt|agent)-[A-Za-z0-9_-]{16,}/g,
  },
  {
    kind: 'slack-token',
    hints: ['xox', 'xapp-'],
    pattern: /(?<![A-Za-z0-9])(?:xox[abceoprs]|xapp)-[A-Za-z0-9-]{10,}/g,
  },
  {
    kind: 'slack-webhook',
    hints: ['hooks.slack.com/'],
    anywhere: true,
    pattern: /(hooks\.slack\.com\/(?:services|workflows)\/)[A-Za-z0-9/]{20,}/g,
  },
  { kind: 'anthropic-key', hints: ['sk-ant-'], pattern: /(?<![A-Za-z0-9])sk-ant-[A-Za-z0-9_-]{16,}/g },
  {
    kind: 'openai-key',
    hints: ['sk-'],
    pattern:
      /(?<![A-Za-z0-9])sk-(?:(?:proj|svcacct|admin|or-v1|None)-[A-Za-z0-9_-]{16,}|(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{20,}|(?=[a-z]{0,40}[A-Z])(?=[A-Z]{0,40}[a-z])[A-Za-z0-9]{32,})/g,
  },
  {
    kind: 'google-key',
    hints: ['AIza', 'GOCSPX-', 'ya29.'],
    pattern: /(?<![A-Za-z0-9])(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,})/g,
  },
  {
    kind: 'stripe-key',
    hints: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_', 'whsec_'],
    pattern: /(?<![A-Za-z0-9])(?:[sr]k_(?:live|test)_[A-Za-z0-9]{10,}|whsec_[A-Za-z0-9+/=]{20,})/g,
  },
  { kind: 'npm-token', hints: ['npm_'], pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/g },
  {
    kind: 'pypi-token',
    hints: ['pypi-'],
    pattern: /(?<![A-Za-z0-9])pypi-(?:AgE[A-Za-z0-9_-]{16,}|[A-Za-z0-9_-]{50,})/g,
  },
  {
    kind: 'model-key',
    hints: ['gsk_', 'xai-', 'hf_', 'pplx-', 'nvapi-', 'r8_', 'tgp_v1_'],
    pattern:
      /(?<![A-Za-z0-9])(?:(?:gsk_|xai-|hf_|pplx-|nvapi-|r8_|tgp_v1_)(?=[A-Za-z_-]{0,80}\d)[A-Za-z0-9_-]{30,}|hf_[A-Za-z0-9]{30,})/g,
  },
  {
    kind: 'sendgrid-key',
    hints: ['SG.'],
    pattern: /(?<![A-Za-z0-9])SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{32,64}/g,
  },
  {
    kind: 'digitalocean-token',
    hints: ['doo_v1_', 'dop_v1_', 'dor_v1_'],
    pattern: /(?<![A-Za-z0-9])do[opr]_v1_[a-f0-9]{64}/g,
  },
  {
    kind: 'shopify-token',
    hints: ['shpat_', 'shpss_', 'shpca_', 'shppa_'],
    pattern: /(?<![A-Za-z0-9])shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32,}/g,
  },
  {
    kind: 'docker-token',
    hints: ['dckr_pat_', 'dckr_oat_'],
    pattern: /(?<![A-Za-z0-9])dckr_[po]at_[A-Za-z0-9_-]{20,}/g,
  },
  {
    kind: 'docker-auth',
    hints: ['"auth'],
    anywhere: true,
    pattern: /("auth\\{0,3}"\s{0,2}:\s{0,2}\\{0,3}")(?=[A-Za-z+/]{0,80}[\d=])[A-Za-z0-9+/=]{16,}/g,
  },
  {
    kind: 'age-key',
    hints: ['AGE-SECRET-KEY-'],
    pattern: /(?<![A-Za-z0-9])AGE-SECRET-KEY-1[A-Z0-9]{20,}/g,
  },
  { kind: 'square-token', hints: ['sq0'], pattern: /(?<![A-Za-z0-9])sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'telegram-token',
    hints: [':AA'],
    anywhere: true,
    pattern: /((?<![A-Za-z0-9])(?:bot)?)\d{6,12}:AA[A-Za-z0-9_-]{30,}/g,
  },
  { kind: 'vault-token', hints: ['hvs.', 'hvb.', 'hvr.'], pattern: /(?<![A-Za-z0-9])hv[sbr]\.[A-Za-z0-9_-]{20,}/g },
  {
    kind: 'doppler-token',
    hints: ['dp.'],
    pattern: /(?<![A-Za-z0-9])dp\.(?:ct|pt|st|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{30,}/g,
  },
  {
    kind: 'discord-webhook',
    hints: ['discord'],
    anywhere: true,
    pattern: /(discord(?:app)?\.com\/api\/(?:v\d{1,2}\/)?webhooks\/\d{15,21}\/)[\w-]{20,}/gi,
  },
  {
    // The id of the bot, when, and a signature. Its start is like that of many words: what it is for must be said.
    kind: 'discord-token',
    hints: ['discord', 'Bot M', 'Bot N', 'Bot O'],
    anywhere: true,
    pattern: /(?<![A-Za-z0-9_.-])[MNO][A-Za-z0-9]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/g,
  },
  {
    // Alone it is told by its id: digits in base64, three by three in four letters of few kinds.
    kind: 'discord-token',
    hints: SNOWFLAKES,
    anywhere: 'as written',
    pattern:
      /(?<![A-Za-z0-9_.-])(?:[MNO][DTjz][AEIMQUYcgk][wxyz0-5]){5,6}(?:[MNO][DTjz][AEIMQUYcgk]|[MNO][AQgw])?\.[A-Za-z0-9_-]{5,7}\.[A-Za-z0-9_-]{27,40}(?![A-Za-z0-9_-])/g,
  },
  {
    kind: 'twilio-key',
    hints: Array.from('0123456789abcdef', (digit) => `SK${digit}`),
    pattern: /(?<![A-Za-z0-9])SK[0-9a-f]{32}(?![A-Za-z0-9])/g,
  },
  {
    // The token stands behind the account's id, which is none.
    kind: 'twilio-key',
    hints: Array.from('0123456789abcdef', (digit) => `AC${digit}`),
    pattern: /((?<![A-Za-z0-9])AC[0-9a-f]{32}[^A-Za-z0-9]{1,8})[0-9a-f]{32}(?![A-Za-z0-9])/g,
  },
  {
    kind: 'mailgun-key',
    hints: ['mailgun'],
    anywhere: true,
    pattern: /(?<![A-Za-z0-9-])[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?![A-Za-z0-9-])/g,
  },
  { kind: 'mailgun-key', hints: ['key-'], pattern: /(?<![A-Za-z0-9])key-[0-9a-f]{32}(?![A-Za-z0-9])/g },
  {
    kind: 'linear-key',
    hints: ['lin_api_', 'lin_oauth_'],
    pattern: /(?<![A-Za-z0-9])lin_(?:api|oauth)_(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{32,}/g,
  },
  {
    kind: 'notion-token',
    hints: ['secret_', 'ntn_'],
    pattern:
      /(?<![A-Za-z0-9_])(?:secret_(?=[A-Za-z]{0,42}\d)[A-Za-z0-9]{43}(?![A-Za-z0-9_-])|ntn_(?=[A-Za-z]{0,80}\d)[A-Za-z0-9]{40,})/g,
  },
  {
    kind: 'databricks-token',
    hints: ['dapi'],
    pattern: /(?<![A-Za-z0-9])dapi[0-9a-f]{32}(?:-\d{1,2})?(?![A-Za-z0-9])/g,
  },
  {
    // Whose address it is must be said: what stands before `@` may be anybody's name.
    kind: 'sentry-key',
    hints: ['sentry'],
    anywhere: true,
    pattern: /(:\/\/)[0-9a-f]{32}(?=@[\w.-]{1,100}(?::\d{1,5})?\/(?:[\w-]{1,40}\/)?\d)/g,
  },
  {
    kind: 'netrc-password',
    hints: ['machine', 'default'],
    isFollowed: isEntry,
    pattern:
      /(\b(?:machine\s{1,4}\S{1,200}|default)\s{1,8}login\s{1,4}\S{1,200}\s{1,8}password\s{1,4})(?![$%{<*])\S{3,200}/g,
  },
  {
    // A value without a digit or a sign is taken for a word.
    kind: 'named-secret',
    hints: ['password>', 'passwd>', 'passphrase>', 'secret>', 'token>', 'apikey>', 'api_key>', 'api-key>'],
    anywhere: true,
    pattern:
      /(<(?:\w{1,20}[:_.-])?\w{0,20}(?:password|passwd|passphrase|secret|token|api[_-]?key)>\s{0,2})(?![$%{*])(?=[^<>\s]{0,200}[\d!@#%^&*?+=])[^<>\s]{6,400}(?=\s{0,2}<\/)/gi,
  },
  {
    // The name of the first cookie with a value of some length is kept; what a server says of it, too.
    kind: 'cookie',
    hints: ['cookie'],
    anywhere: true,
    pattern:
      /(\b(?:(?:set-)?cookie["'\\]{0,4}\s{0,2}:\s{0,2}|--cookie[ =])["'\\]{0,4}(?:[\w.%-]{1,60}=[^\s;,"'\\]{0,7}; ?){0,10}[\w.%-]{1,60}=)(?![$%{<*[]|\.{3}|…|x{4})[^\s;,"'\\]{8,400}(?:; ?(?!(?:path|domain|expires|max-age|samesite)=)[\w.%-]{1,60}=[^\s;,"'\\]{0,400}){0,40}/gi,
  },
  {
    // A run has one start, and no segment is looked at more than three times.
    kind: 'jwt',
    hints: ['eyJ'],
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}/g,
  },
  {
    kind: 'bearer-token',
    hints: ['bearer '],
    anywhere: true,
    pattern: /(\b(?:[Bb]earer|BEARER) {1,3})(?=[A-Za-z._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,}/g,
  },
  {
    kind: 'basic-credentials',
    hints: ['authorization'],
    anywhere: true,
    pattern: /(authorization["']?\s{0,2}[:=]\s{0,2}["']?(?:basic|token|apikey) {1,2})[A-Za-z0-9+/=._-]{8,}/gi,
  },
  {
    // Neither part may hold a slash, so nothing is looked at twice. What looks like a variable or says `password` is none.
    kind: 'url-password',
    hints: ['://'],
    anywhere: true,
    pattern:
      /(:\/\/[^\s:/@"'`<>[\]{}]{0,100}:)(?![$%{<*]|(?:pass|password|PASS|PASSWORD)@)[^\s/@"'`<>[\]{}]{1,200}(?=@)/g,
  },
  {
    // The password stands directly behind the flag, or behind a space where the tool wants it so. A bound on what stands
    // between command and flag keeps time linear.
    kind: 'command-password',
    hints: ['mysql', 'mariadb'],
    pattern:
      /(\b(?:mysql(?:dump|admin|import|check|show|sh)?|mariadb(?:-[a-z]{1,10})?)\b(?: [^\s|;&]{1,80}){0,12}? -p\\{0,3}["']?)(?![$%{<*"'\s]|ort|rotocol|rint)[^\s"'|;&\\]{3,200}/g,
  },
  {
    kind: 'command-password',
    hints: ['sshpass', 'docker', 'podman', 'helm', 'redis-cli'],
    pattern:
      /(\b(?:sshpass|(?:docker|podman|helm)(?: registry)? login|redis-cli)\b(?: [^\s|;&]{1,80}){0,12}? (?:-p ?|-a )\\{0,3}["']?)(?![$%{<*"'\s-])[^\s"'|;&\\]{3,200}/g,
  },
  {
    kind: 'command-password',
    hints: ['curl', 'wget', 'xh ', 'http '],
    pattern:
      /(\b(?:curl|wget|xh|http)\b(?: [^\s|;&]{1,200}){0,12}? (?:-u ?|-U ?|-a ?|--user[ =]|--proxy-user[ =]|--auth[ =])\\{0,3}["']?[^\s:"'$<{/]{1,80}:)(?![$%{<*"'\s]|\/\/|(?:pass|password|PASS|PASSWORD)\b)[^\s"'|;&\\]{1,200}/g,
  },
];

/** A machine's entry has white space behind its first word, the one for all others `login` behind that. */
function isEntry(bytes: Uint8Array, start: number, end: number): boolean {
  let at = end;
  while (at < end + LONGEST_GAP && isSpace(bytes[at] ?? 0)) at += 1;
  if (at === end) return false;
  // What is none of ASCII may be white space as well.
  const isOther = bytes.subarray(end, at).some((code) => code >= 128);
  return bytes[start] !== SMALL_D || isOther || LOGIN.every((code, index) => bytes[at + index] === code);
}

const LONGEST_GAP = 24;
const SMALL_D = 100;
const LOGIN = Array.from('login', (letter) => letter.charCodeAt(0));

function isSpace(code: number): boolean {
  return code === 32 || (code > 8 && code < 14) || code >= 128;
}
