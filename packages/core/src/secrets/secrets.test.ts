import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Redaction, redactSecrets, safely } from './index.ts';

// Made up, and put together here so that no scanner takes this file for a leak.
const of = (length: number, alphabet = 'aB3dE9fGh2Jk'): string =>
  alphabet.repeat(Math.ceil(length / alphabet.length)).slice(0, length);
const snowflake = (id: string): string => btoa(id).replace(/=+$/, '');
const HEX = '3fa9c01be7d2';
const UPPER = 'QX7ZP2LMK9TB';
const LINE = `${of(64)}\n`;
const pem = (name: string, body: string): string => `-----BEGIN ${name}-----\n${body}-----END ${name}-----`;
const jwt = `eyJ${of(30)}.eyJ${of(60)}.${of(43)}`;

const secrets: readonly [kind: string, secret: string][] = [
  ['private-key', pem('RSA PRIVATE KEY', LINE.repeat(12))],
  ['private-key', pem('PRIVATE KEY', `${LINE.repeat(3)}${of(20)}=\n`)],
  ['private-key', pem('OPENSSH PRIVATE KEY', LINE.repeat(5))],
  ['private-key', pem('EC PRIVATE KEY', `Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,${of(32, UPPER)}\n\n${LINE}`)],
  ['private-key', pem('PGP PRIVATE KEY BLOCK', `Version: 1\n\n${LINE.repeat(4)}=ab12\n`)],
  ['aws-key', `AKIA${of(16, UPPER)}`],
  ['aws-key', `ASIA${of(16, UPPER)}`],
  ['github-token', `ghp_${of(36)}`],
  ['github-token', `ghs_${of(36)}`],
  ['github-token', `github_pat_${of(22)}_${of(59)}`],
  ['gitlab-token', `glpat-${of(20)}`],
  ['slack-token', `xoxb-${of(12, '0123456789')}-${of(24)}`],
  ['slack-token', `xapp-1-${of(11, UPPER)}-${of(13, '0123456789')}-${of(64, HEX)}`],
  ['anthropic-key', `sk-ant-api03-${of(93)}-AA`],
  ['openai-key', `sk-proj-${of(48)}_${of(30)}`],
  ['openai-key', `sk-${of(48)}`],
  ['openai-key', `sk-or-v1-${of(64, HEX)}`],
  ['openai-key', `sk-${of(32, HEX)}`],
  ['google-key', `AIza${of(35)}`],
  ['google-key', `GOCSPX-${of(28)}`],
  ['google-key', `ya29.${of(60)}`],
  ['stripe-key', `sk_live_${of(24)}`],
  ['stripe-key', `rk_test_${of(24)}`],
  ['npm-token', `npm_${of(36)}`],
  ['pypi-token', `pypi-${of(90)}`],
  ['pypi-token', `pypi-AgE${of(29)}`],
  ['shopify-token', `shpat_${of(32, HEX)}`],
  ['docker-token', `dckr_pat_${of(27)}`],
  ['age-key', `AGE-SECRET-KEY-1${of(58, UPPER)}`],
  ['square-token', `sq0csp-${of(43)}`],
  ['telegram-token', `123456789:AA${of(33)}`],
  ['model-key', `hf_${of(34, 'qWzRtYuIoPaS')}`],
  ['openai-key', `sk-${of(40, 'qWzRtYuIoPaS')}`],
  ['model-key', `gsk_${of(52)}`],
  ['model-key', `hf_${of(34)}`],
  ['sendgrid-key', `SG.${of(22)}.${of(43)}`],
  ['digitalocean-token', `dop_v1_${of(64, HEX)}`],
  ['vault-token', `hvs.${of(40)}`],
  ['doppler-token', `dp.st.prd.${of(40)}`],
  ['twilio-key', `SK${of(32, HEX)}`],
  ['mailgun-key', `key-${of(32, HEX)}`],
  ['discord-token', `${snowflake('198622483471925248')}.Cl2FMQ.${of(27)}`],
  ['discord-token', `${snowflake('1301590567989547028')}.G5Nast.${of(38)}`],
  ['discord-token', `${snowflake('80351110224678912')}.YPqU6Q.${of(27)}`],
  ['jwt', jwt],
  ['linear-key', `lin_api_${of(40)}`],
  ['notion-token', `secret_${of(43)}`],
  ['notion-token', `ntn_${of(46)}`],
  ['databricks-token', `dapi${of(32, HEX)}`],
  ['databricks-token', `dapi${of(32, HEX)}-2`],
];

test.each(secrets)('a %s is taken out, whatever stands around it', (kind, secret) => {
  for (const [before, after] of [
    ['', ''],
    ['the key is ', '.'],
    ['{"a":"', '","b":1}'],
    ['export X=', '\necho done'],
    ['(', ')'],
    ['héllo 😀 ', ' 😀'],
  ] as const) {
    const { text, found } = redactSecrets(before + secret + after);
    expect(text).not.toContain(secret.slice(8, 40));
    expect(text.startsWith(before) && text.endsWith(after)).toBe(true);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(text).toBe(`${before}[redacted:${kind}]${after}`);
  }
});

const DOLLAR = '$';
const password = `hunt${'er2'}!x`;
const random = of(32);

const bot = `MT${of(24)}.Cl2FMQ.${of(27)}`;

test.each<[text: string, expected: string]>([
  ['<password>hunt1er!</password>', '<password>[redacted:named-secret]</password>'],
  ['<db:client_secret>a1b2c3d4</db:client_secret>', '<db:client_secret>[redacted:named-secret]</db:client_secret>'],
  ['<password>required</password>', '<password>required</password>'],
  ['<password>$DB_PASS1</password>', '<password>$DB_PASS1</password>'],
  ['machine api.x.test login bob password s3cr3t', 'machine api.x.test login bob password [redacted:netrc-password]'],
  ['machine x\n  login bob\n  password s3cr3t', 'machine x\n  login bob\n  password [redacted:netrc-password]'],
  [
    `https://discord.com/api/webhooks/${'1'.repeat(18)}/${of(60)}`,
    `https://discord.com/api/webhooks/${'1'.repeat(18)}/[redacted:discord-webhook]`,
  ],
  [`discord: ${bot}`, 'discord: [redacted:discord-token]'],
  [`Authorization: Bot ${bot}`, 'Authorization: Bot [redacted:discord-token]'],
  [`call(sid, "AC${of(32, HEX)}", "${of(32, HEX)}")`, `call(sid, "AC${of(32, HEX)}", "[redacted:twilio-key]")`],
  [`AC${of(32, HEX)}:${of(32, HEX)}`, `AC${of(32, HEX)}:[redacted:twilio-key]`],
  [`/Accounts/AC${of(32, HEX)}/Messages`, `/Accounts/AC${of(32, HEX)}/Messages`],
  [`AC${of(32, HEX)} of md5 ${of(32, HEX)}`, `AC${of(32, HEX)} of md5 ${of(32, HEX)}`],
  [`mailgun: ${of(32, HEX)}-${of(8, HEX)}-${of(8, HEX)}`, 'mailgun: [redacted:mailgun-key]'],
  [`part ${of(32, HEX)}-${of(8, HEX)}-${of(8, HEX)}`, `part ${of(32, HEX)}-${of(8, HEX)}-${of(8, HEX)}`],
  [
    `SENTRY_DSN=https://${of(32, HEX)}@o4501.ingest.us.sentry.io/4507`,
    'SENTRY_DSN=https://[redacted:sentry-key]@o4501.ingest.us.sentry.io/4507',
  ],
  [`Sentry at http://${of(32, HEX)}@10.0.0.3:9000/2`, 'Sentry at http://[redacted:sentry-key]@10.0.0.3:9000/2'],
  // What is built like a bot's token and names no id of one.
  [`${of(24)}.Cl2FMQ.${of(27)}`, `${of(24)}.Cl2FMQ.${of(27)}`],
  [`${btoa('a bot of some sort')}.Cl2FMQ.${of(27)}`, `${btoa('a bot of some sort')}.Cl2FMQ.${of(27)}`],
  [`${snowflake('198622483471925248')}.png`, `${snowflake('198622483471925248')}.png`],
  [`${snowflake('198622483471')}.Cl2FMQ.${of(27)}`, `${snowflake('198622483471')}.Cl2FMQ.${of(27)}`],
  ['SKU SK1234 and the sort key-value', 'SKU SK1234 and the sort key-value'],
  [`Authorization: Bearer ${of(40)}`, 'Authorization: Bearer [redacted:bearer-token]'],
  [`curl -H "authorization: bearer ${of(40)}" x`, 'curl -H "authorization: bearer [redacted:bearer-token]" x'],
  [`Authorization: Basic ${of(24)}==`, 'Authorization: Basic [redacted:basic-credentials]'],
  [`postgres://app:${password}@db.internal:5432/app`, 'postgres://app:[redacted:url-password]@db.internal:5432/app'],
  [`https://user:${random}@github.com/a/b.git`, 'https://user:[redacted:url-password]@github.com/a/b.git'],
  [`redis://:${random}@cache:6379`, 'redis://:[redacted:url-password]@cache:6379'],
  [
    `https://hooks.slack.com/services/T${of(8, UPPER)}/B${of(8, UPPER)}/${of(24)}`,
    'https://hooks.slack.com/services/[redacted:slack-webhook]',
  ],
  [`DB_PASSWORD=${password}`, 'DB_PASSWORD=[redacted:named-secret]'],
  ['DB_PASSWORD=correcthorse,battery;staple\nA=1', 'DB_PASSWORD=[redacted:named-secret]\nA=1'],
  [`export AWS_SECRET_ACCESS_KEY="${of(40)}"`, 'export AWS_SECRET_ACCESS_KEY="[redacted:named-secret]"'],
  [`SESSION_SECRET='${random}'`, "SESSION_SECRET='[redacted:named-secret]'"],
  [`  - API_KEY=${random}`, '  - API_KEY=[redacted:named-secret]'],
  [`aws_secret_access_key = ${of(40)}`, 'aws_secret_access_key = [redacted:named-secret]'],
  [`AccountKey=${of(86)}==;EndpointSuffix=core`, 'AccountKey=[redacted:named-secret];EndpointSuffix=core'],
  [`{"apiKey": "${random}"}`, '{"apiKey": "[redacted:named-secret]"}'],
  [`{\\"client_secret\\":\\"${random}\\"}`, '{\\"client_secret\\":\\"[redacted:named-secret]\\"}'],
  [`{"password":"${password}","user":"ann"}`, '{"password":"[redacted:named-secret]","user":"ann"}'],
  [`db:\n  user: ann\n  password: ${password}\n`, 'db:\n  user: ann\n  password: [redacted:named-secret]\n'],
  [`const token = '${random}';`, "const token = '[redacted:named-secret]';"],
  [`x-api-key: ${random}`, 'x-api-key: [redacted:named-secret]'],
  [`//registry.npmjs.org/:_authToken=${random}`, '//registry.npmjs.org/:_authToken=[redacted:named-secret]'],
  [
    `https://api.example.org/v1?access_token=${random}&page=2`,
    'https://api.example.org/v1?access_token=[redacted:named-secret]&page=2',
  ],
  [`mysql --password=${password} -u root`, 'mysql --password=[redacted:named-secret] -u root'],
  [`tool --password ${password} run`, 'tool --password [redacted:named-secret] run'],
  [`tool --api-key ${random} run`, 'tool --api-key [redacted:named-secret] run'],
  [`password=${password} next`, 'password=[redacted:named-secret] next'],
  ['jdbc:x?user=ann&password=S3cure!pass99', 'jdbc:x?user=ann&password=[redacted:named-secret]'],
  ['the password is correcthorse9battery.', 'the password is [redacted:named-secret]'],
  [`My API key is ${random}, keep it`, 'My API key is [redacted:named-secret], keep it'],
  [
    `aws_secret_access_key = ${of(20, 'AbCdEfGhIj/')}7${of(19, 'kLmNo+')}`,
    'aws_secret_access_key = [redacted:named-secret]',
  ],
  ['Use the password: Tr0ub4dor3x for staging.', 'Use the password: [redacted:named-secret] for staging.'],
  ['user: admin, password: Tr0ub4dor3y', 'user: admin, password: [redacted:named-secret]'],
  ['{ user: admin, password: Tr0ub4dor3y }', '{ user: admin, password: [redacted:named-secret] }'],
  ['my password: hunter22x9', 'my password: [redacted:named-secret]'],
  ['das Passwort lautet Tr0ub4dor3x', 'das Passwort lautet [redacted:named-secret]'],
  ['Passwort: Tr0ub4dor3x', 'Passwort: [redacted:named-secret]'],
  ['db:\n  password: Tr0ub4dor&3z\n', 'db:\n  password: [redacted:named-secret]\n'],
  ['"password": "T&r0ub4dor"', '"password": "[redacted:named-secret]"'],
  ['DB_PASSWORD=T&r0ub4dor next', 'DB_PASSWORD=[redacted:named-secret] next'],
  ['PASSWORD=Tr0ub4dor&& make', 'PASSWORD=[redacted:named-secret]&& make'],
  ['user=ann&password=Tr0ub4dor3x&b=1', 'user=ann&password=[redacted:named-secret]&b=1'],
  ['jwt_secret: supersecretvalue99', 'jwt_secret: [redacted:named-secret]'],
  [`RAILS_MASTER_KEY=${of(32, HEX)}`, 'RAILS_MASTER_KEY=[redacted:named-secret]'],
  [`SECRET_KEY_BASE=${of(40, HEX)}`, 'SECRET_KEY_BASE=[redacted:named-secret]'],
  [`secret_key_base: ${of(64, HEX)}`, 'secret_key_base: [redacted:named-secret]'],
  [`APP_KEY=base64:${of(43)}=`, 'APP_KEY=[redacted:named-secret]'],
  [
    `aws_secret_access_key = ${of(14, 'wJaLrXUtnFEM')}7${of(18, 'MDENGbPxRfiC')}12`,
    'aws_secret_access_key = [redacted:named-secret]',
  ],
  [`x?access_token=${of(16, 'CANARY')}0123456`, 'x?access_token=[redacted:named-secret]'],
  ['X-Api-Key: canarybird012345', 'X-Api-Key: [redacted:named-secret]'],
  [
    `https://api.telegram.org/bot123456789:AA${of(33)}/getMe`,
    'https://api.telegram.org/bot[redacted:telegram-token]/getMe',
  ],
  [`{"auths":{"r.io":{"auth":"${of(22)}=="}}}`, '{"auths":{"r.io":{"auth":"[redacted:docker-auth]"}}}'],
  [`Cookie: session=${of(24, HEX)}`, 'Cookie: session=[redacted:cookie]'],
  [`curl -H 'cookie: lang=en; sid=${of(20)}; b=${of(9)}' x`, "curl -H 'cookie: lang=en; sid=[redacted:cookie]' x"],
  [`Set-Cookie: sid=s%3A${of(16)}.sig; Path=/; HttpOnly`, 'Set-Cookie: sid=[redacted:cookie]; Path=/; HttpOnly'],
  [`mysql -u root -p${password} app`, 'mysql -u root -p[redacted:command-password] app'],
  [`mysqldump -h db -p'${password}' app > a.sql`, "mysqldump -h db -p'[redacted:command-password]' app > a.sql"],
  [`sshpass -p ${password} ssh ann@host`, 'sshpass -p [redacted:command-password] ssh ann@host'],
  [
    `docker login -u ann -p ${password} r.example.org`,
    'docker login -u ann -p [redacted:command-password] r.example.org',
  ],
  [`redis-cli -h cache -a ${password} ping`, 'redis-cli -h cache -a [redacted:command-password] ping'],
  ['curl -u a:b https://example.org', 'curl -u a:[redacted:command-password] https://example.org'],
  [`curl -s --user "ann:${password}" https://x`, 'curl -s --user "ann:[redacted:command-password]" https://x'],
  [`{"command":"curl -X POST -uann:${password} x"}`, '{"command":"curl -X POST -uann:[redacted:command-password] x"}'],
  ['{"c":"mysql -p\\"S3cr3tPa\\" app"}', '{"c":"mysql -p\\"[redacted:command-password]\\" app"}'],
  [`a\n${pem('RSA PRIVATE KEY', `${of(16)}\nabc\n`)}\nb`, 'a\n[redacted:private-key]\nb'],
  [
    `"${pem('PRIVATE KEY', '')
      .replaceAll('\n', '\\n')
      .replace('\\n', `\\n${of(20)}\\n`)}"`,
    '"[redacted:private-key]"',
  ],
])('%s', (text, expected) => {
  expect(redactSecrets(text).text).toBe(expected);
});

test.each([
  'commit e53647ba1f0c9d8e7b6a5f4e3d2c1b0a99887766 on 2024-05-20T10:00:00.000Z',
  'sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  'integrity sha512-oRkL8Q2cUOq8m7R5cG5xP0n8yZrY2h1bJfYyq9vGm8bQ4XxN3o6s1k0Jc2b3v4n5m6l7k8j9h0g==',
  '123e4567-e89b-12d3-a456-426614174000',
  'node 20.19.1, typescript@6.0.3, v2.1.0-beta.4',
  '/usr/local/lib/node_modules/npm/bin/npm-cli.js',
  'packages/core/src/count/tokens.ts:120',
  'max_tokens: 4096, max_completion_tokens=128000, TOKEN_LIMIT=40000, tokens=123456',
  'the token limit exceeded what the password policy allows: secret santa, api key rotation',
  'const password = req.body.password;',
  'const token = await getToken(user.id, options);',
  'password: z.string().min(8).max(100),',
  'export type Login = { password: string; apiKey: string; token?: AccessToken };',
  'token: process.env.GITHUB_TOKEN',
  `token: ${DOLLAR}{{ secrets.GITHUB_TOKEN }}`,
  `API_KEY=$OTHER_KEY PASSWORD=${DOLLAR}{DB_PASSWORD} SECRET=$(cat /run/secret) TOKEN=<your-token> KEY_TOKEN=%TOKEN%`,
  'OPENAI_API_KEY=sk-... ANTHROPIC_API_KEY=sk-ant-... GH_TOKEN=ghp_xxxxxxxx',
  'OPENAI_API_KEY=your-key-here PASSWORD=changeme',
  'GOOGLE_APPLICATION_CREDENTIALS=service-account.json SSH_PRIVATE_KEY=/home/ann/.ssh/id_ed25519',
  '{"nextPageToken": "CAESAB1234567890abcdef", "eos_token": "<|endoftext|>"}',
  '{"type": "password", "name": "password", "label": "Password must have 8 characters"}',
  '{"password": "required", "token": "string"}',
  "if (pem.startsWith('-----BEGIN PRIVATE KEY-----')) throw new Error('-----END PRIVATE KEY-----');",
  '-----BEGIN CERTIFICATE-----\nMIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ\n-----END CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEabcdefghijklmnopqrstuvwxyz0123\n-----END PUBLIC KEY-----',
  'Bearer authentication is required; send a bearer token-based-authentication-header',
  'https://example.org:8443/a@b and http://localhost:3000/@scope/name and git@github.com:a/b.git',
  `postgres://user:password@localhost/db and postgres://${DOLLAR}{user}:${DOLLAR}{password}@${DOLLAR}{host}/db`,
  'task-1234567890abcdef1234567890, risk-assessment, disk-image-2024, .sk-folding-cube { }',
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAKIAxoxbAIzaAAAADUlEQVR42mNk',
  'secret = "correct horse battery staple"',
  'n_token_embeddings = 151936; special_tokens_map.json',
  'Cookie policy; authToken: string | undefined; tokenCount = 3',
  'connect(password=config.dbPassword2, user=name)',
  'the password is required, the token is expired and the secret was rotated',
  'mysql -u root -p app; mysql -P 3306 -h db; mysqladmin -protocol=tcp; mysql -p"$PASS"',
  `curl -u "$USER:$PASS" x; curl -u ${DOLLAR}{A}:${DOLLAR}{B} x; curl -u user:password x; curl -u ann https://a:8080/b`,
  'docker run -p 8080:80 image; docker compose -p name up; mkdir -p a/b/c; wget -U "Mozilla" x',
  '-----BEGIN PRIVATE KEY-----\nyour key here\n-----END PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----',
  "password: string\npassword: ''\ntoken count: 512\nkeyword: foo\nprimary_key: id",
  'the password: must have 8 characters; the password: string2 or a type',
  'connect({ user, password: dbPassword2, token: nextToken2 });',
  'const session = request.session; session=request.id; let cookie = jar.get("session");',
  'Cookie: name=value; set-cookie: a=<value>; cookies: SessionCookie; Cookie: session=…',
  'client_secret: my-app-secret-2\n  access_token: Uint8ClampedArray\n  secret: Float32Array',
  'password: sha256, password: argon2id; passwords: hashed2024',
  '"auth": "oauth2", "auth": "authenticationRequired", "auth": {"type": "basic"}',
  'std::AA 12:AAPL 123456789:AAPL; task sk-learn, disk-CamelCaseComponentNameWithoutDigits',
  'app_key: appKey; master key rotation; SECRET_KEY_BASE=$KEY; whatsapp_key: id',
  `https://${of(32, HEX)}@example.org/4507`,
  'Sentry: https://o1.ingest.sentry.io/api/4507/envelope/, https://key@o1.ingest.sentry.io/4507',
  `lin_api_version lin_api_${'keyName'.repeat(8)} secret_key_base secret_${of(20)} secret_${'x'.repeat(43)} ntn_config`,
  `dapi_client dapi${of(30, HEX)} dapi${of(40, HEX)} ${of(32, HEX)}`,
  'the snapshot [redacted:github-token] was redacted before: API_KEY=[redacted:named-secret]',
])('left as it is: %s', (text) => {
  expect(redactSecrets(text)).toEqual({ text, found: [] });
});

test('the sources of this package are left as they are', () => {
  const root = new URL('..', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const sources = files.filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('secrets'),
  );
  expect(sources.length).toBeGreaterThan(50);
  for (const name of sources) {
    const text = readFileSync(new URL(name.replaceAll('\\', '/'), root), 'utf8');
    expect(redactSecrets(text).found, name).toEqual([]);
  }
});

test.each([
  [
    'at the end of the text',
    `before -----BEGIN RSA PRIVATE KEY-----\n${LINE.repeat(3)}${of(20)}`,
    'before [redacted:private-key]',
  ],
  [
    'in a cut tool result',
    `-----BEGIN PRIVATE KEY-----\n${LINE.repeat(3)}${of(9)}\n[truncated]`,
    '[redacted:private-key]\n[truncated]',
  ],
  [
    'with the line ends of a JSON string',
    `"-----BEGIN PRIVATE KEY-----\\n${of(64)}\\n${of(64)}\\n" next`,
    '"[redacted:private-key]\\n" next',
  ],
])('a private key whose end is missing is taken out, %s', (_name, text, expected) => {
  expect(redactSecrets(text).text).toBe(expected);
});

test('each kind is counted, and what was found is not in the report', () => {
  const text = `${`ghp_${of(36)}`} ${`ghp_${of(36)}`} AKIA${of(16, UPPER)}`;
  const { found } = redactSecrets(text);
  expect(found).toEqual([
    { kind: 'aws-key', count: 1 },
    { kind: 'github-token', count: 2 },
  ]);
});

const piece = fc.oneof(
  fc.constantFrom(...secrets.map(([, secret]) => secret)),
  fc.constantFrom(
    'token=',
    'PASSWORD=',
    '"apiKey": "',
    'Bearer ',
    '://a:',
    '@',
    '-----BEGIN PRIVATE KEY-----',
    '[redacted:jwt]',
    '\\"',
    '\n',
    ' ',
    '_',
    '-',
    '.',
    '=',
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.stringMatching(/^[A-Za-z0-9_=-]{1,40}$/),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''));

test('a redacted text is left as it is, and no half of a surrogate pair is made', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const once = redactSecrets(text);
      expect(redactSecrets(once.text)).toEqual({ text: once.text, found: [] });
      if (text.isWellFormed()) expect(once.text.isWellFormed()).toBe(true);
      expect(once.text === text).toBe(once.found.length === 0);
    }),
    { numRuns: 2000 },
  );
});

test('a planted secret never survives between other texts', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...secrets),
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'binary' }),
      ([, secret], before, after) => {
        // Letters or digits directly around it make another word of it.
        const { text } = redactSecrets(`${before} ${secret} ${after}`);
        expect(text).not.toContain(secret);
      },
    ),
  );
});

test.each([
  ...[
    'a',
    'A',
    '1',
    '-',
    ' ',
    '\n',
    'é😀',
    '\\"',
    'sk-',
    'eyJ',
    'eyJaaaaaaaaaaaa.',
    'AKIA',
    'xox',
    'SG.aaaaaaaaaaaaaaaaaaaa.',
  ],
  ...[
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----\n',
    '-----END PRIVATE KEY-----',
    '://',
    '://a:',
    '://a:b@',
    'Bearer ',
  ],
  ...[
    'token',
    'token=',
    'TOKEN=a',
    'password: "a',
    'PASSWORD=abcdefg\n',
    'authorization: basic ',
    'mysql ',
    'mysql -p ',
    'curl -u a:',
    'curl -u a ',
    'docker login ',
    'the password is ',
    '-----BEGIN PRIVATE KEY-----\nab\n-----END PRIVATE KEY-----',
    `-----BEGIN PRIVATE KEY-----${'\n  ab'.repeat(40)}!\n-----END PRIVATE KEY-----`,
    '[redacted:jwt]',
    '_auth=',
    'password: a1&',
    'cookie: a=b; ',
    'cookie: a=bbbbbbbbb; ',
    '1234567:AA',
    '"auth": "a',
    'the password: a1b2c3 ',
  ],
])('time is linear on a megabyte of %j', (part) => {
  const timed = (length: number): number => {
    const text = part.repeat(Math.ceil(length / part.length));
    const runs = [0, 1].map(() => {
      // Time of this process: what others do on the machine does not count.
      const from = process.cpuUsage();
      redactSecrets(text);
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1000;
    });
    return Math.min(...runs);
  };
  const small = timed(125_000);
  const large = timed(1_000_000);
  // Eight times the text; a quadratic search would take 64 times as long. Noise of a busy machine is let pass.
  expect(large).toBeLessThan(Math.max(24 * small, 400));
});

test('no text and no other value makes it throw', () => {
  fc.assert(
    fc.property(fc.anything(), (value) => {
      expect(() => redactSecrets(value as string)).not.toThrow();
    }),
  );
});

const leak = `key ghp_${of(36)}`;
const builtIn = redactSecrets(leak);

test('a redactor that works is taken at its word', async () => {
  const mine = (text: string): Redaction => ({ text: text.toUpperCase(), found: [{ kind: 'mine', count: 1 }] });
  expect(await safely(mine)('abc')).toEqual({ text: 'ABC', found: [{ kind: 'mine', count: 1 }] });
  expect(await safely(async (text) => mine(text))('abc')).toEqual({ text: 'ABC', found: [{ kind: 'mine', count: 1 }] });
  expect(await safely(redactSecrets)(leak)).toEqual(builtIn);
});

const never = (): Promise<Redaction> => new Promise(() => undefined);

test.each<[string, 'threw' | 'timed-out' | 'bad-result', () => unknown]>([
  [
    'throws',
    'threw',
    () => {
      throw new Error(leak);
    },
  ],
  ['rejects', 'threw', () => Promise.reject(new Error('no'))],
  ['never answers', 'timed-out', never],
  ['gives nothing', 'bad-result', () => undefined],
  ['gives a text', 'bad-result', () => 'abc'],
  ['gives no list', 'bad-result', () => ({ text: 'abc', found: 'all' })],
  ['gives a list of other things', 'bad-result', () => ({ text: 'abc', found: [leak] })],
  [
    'gives a thenable that throws',
    'threw',
    () =>
      Object.fromEntries([
        [
          'then',
          () => {
            throw new Error('no');
          },
        ],
      ]),
  ],
])('where a redactor %s the built-in one answers', async (_name, failed, redactor) => {
  const redact = safely(redactor as () => Redaction, { milliseconds: 20 });
  expect(await redact(leak)).toEqual({ ...builtIn, failed });
});

test('a redactor that is too late is told to stop', async () => {
  let stopped = false;
  await safely(
    (_text, signal) => {
      signal.addEventListener('abort', () => {
        stopped = true;
      });
      return never();
    },
    { milliseconds: 5 },
  )('abc');
  expect(stopped).toBe(true);
});

test('a secret is found wherever it stands in its four bytes, and across the seams of a long text', () => {
  const named = `the token is ${of(24)}`;
  for (const secret of [...secrets.map(([, each]) => each), named, `--api-key ${of(24)}`, `secret  = "${of(24)}"`]) {
    for (let before = 0; before < 4; before += 1) {
      expect(redactSecrets(`${' '.repeat(before)}${secret} `).found, secret).toHaveLength(1);
    }
  }
  for (let before = (1 << 14) - 140; before < (1 << 14) + 20; before += 1) {
    expect(redactSecrets(`${'.'.repeat(before)} npm_${of(36)} ${'.'.repeat(100)}`).found).toHaveLength(1);
  }
});

test.each(['the token stream', 'a secret that was kept well', 'access key rotation', 'the password field'])(
  '%s: a name in a sentence is no setting',
  (text) => {
    expect(redactSecrets(`${text} ${of(24)}`).text).toBe(`${text} ${of(24)}`);
  },
);
