import { spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRESET_RULES } from 'epitome';
import { CHECK_IN_DEFAULTS, checkIn, compressionEvent } from 'epitome/goals';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { blockOf, blockPolicy, type CompactBlock } from './blocks.ts';
import { SETTING_KEYS, settingNamed } from './keys.ts';
import { type SettingsAround, settingsPlaces } from './places.ts';
import { policiesOf, settingNotes } from './policies.ts';
import { settingsSchema } from './schema.ts';
import { openSettings, type Settings } from './settings.ts';
import { readValue } from './value.ts';

const root = mkdtempSync(join(tmpdir(), 'epitome-settings-'));
afterAll(() => rmSync(root, { recursive: true }));

let made = 0;
/** Settings in files of their own. */
function settingsWith(files: { user?: string; project?: string } = {}): Settings {
  made += 1;
  const folder = join(root, String(made));
  mkdirSync(folder);
  const places = { user: join(folder, 'user.yaml'), project: join(folder, 'project.yaml') };
  for (const scope of ['user', 'project'] as const) {
    const text = files[scope];
    if (text !== undefined) writeFileSync(places[scope], text);
  }
  return openSettings(places);
}

describe('where they are', () => {
  const around: SettingsAround = { env: {}, platform: 'linux', home: '/h', folder: '/h/work' };
  test.each<[string, Partial<SettingsAround>, RegExp]>([
    ['Linux', {}, /^\/h\/.config\/epitome\/config\.yaml$/],
    ['Linux with XDG_CONFIG_HOME', { env: { XDG_CONFIG_HOME: '/x' } }, /^\/x\/epitome\/config\.yaml$/],
    ['Linux with a relative one', { env: { XDG_CONFIG_HOME: 'x' } }, /^\/h\/.config\/epitome\/config\.yaml$/],
    ['macOS', { platform: 'darwin' }, /^\/h\/Library\/Application Support\/epitome\/config\.yaml$/],
    ['Windows', { platform: 'win32', env: { APPDATA: '/a' } }, /^.a.epitome.config\.yaml$/],
    ['EPITOME_CONFIG', { env: { EPITOME_CONFIG: 'mine.yaml' } }, /^\/h\/work\/mine\.yaml$/],
  ])('%s', (_name, given, file) => {
    expect(settingsPlaces({ ...around, ...given }).user).toMatch(file);
  });

  test("the project's are those of the nearest folder that has them, and never those of the home folder", () => {
    const home = join(root, 'home');
    const deep = join(home, 'project', 'deep');
    mkdirSync(join(home, '.epitome'), { recursive: true });
    mkdirSync(deep, { recursive: true });
    writeFileSync(join(home, '.epitome', 'config.yaml'), '');
    const projectOf = (folder: string): string => settingsPlaces({ ...around, home, folder }).project;
    expect(projectOf(deep)).toBe(join(deep, '.epitome', 'config.yaml'));
    mkdirSync(join(home, 'project', '.epitome'));
    writeFileSync(join(home, 'project', '.epitome', 'config.yaml'), '');
    expect(projectOf(deep)).toBe(join(home, 'project', '.epitome', 'config.yaml'));
  });
});

describe('what they are', () => {
  test('the published schema is the one in use', () => {
    const published = readFileSync(fileURLToPath(new URL('../../schema/config.schema.json', import.meta.url)), 'utf8');
    expect(JSON.parse(published)).toEqual(settingsSchema());
  });

  test("defaults and ranges are those of the preset's own options", async () => {
    const loaded = await settingsWith().read();
    for (const [key, rule] of Object.entries(PRESET_RULES.deliberate)) {
      if (key.startsWith('compression')) expect([key, loaded.get(key).value]).toEqual([key, rule.default]);
    }
  });

  test('every setting says what it means and what it takes, and takes its default', () => {
    for (const { key, about, takes, default: standard, check } of SETTING_KEYS) {
      expect([key, about !== '', takes !== '']).toEqual([key, true, true]);
      if (standard !== undefined) expect([key, check(standard)]).toEqual([key, true]);
    }
  });

  test('the project wins, key by key', async () => {
    const { get } = await settingsWith({
      user: 'compressionTriggerTokens: 50000\ncompressionPromptTimeout: 60\nmodel: {name: openai/a, window: 5000}\n',
      project: 'compressionTriggerTokens: 70000\nmodel: {name: openai/b}\n',
    }).read();
    expect(get('compressionTriggerTokens')).toMatchObject({ value: 70_000, from: 'project' });
    expect(get('compressionPromptTimeout')).toMatchObject({ value: 60, from: 'user' });
    expect(get('compressionStrategy')).toMatchObject({ value: 'since-last-prompt', from: 'default' });
    expect(get('model.name').value).toBe('openai/b');
    expect(get('model.window').value).toBe(5000);
  });

  test.each([
    [
      'compressionTriggerTokens: 9999',
      'compressionTriggerTokens is 9999; it takes a whole number from 10000 to 200000.',
    ],
    [
      'compressionTriggerTokens: 40000.5',
      'compressionTriggerTokens is 40000.5; it takes a whole number from 10000 to 200000.',
    ],
    [
      'compressionTriggerTokens: many',
      'compressionTriggerTokens is "many"; it takes a whole number from 10000 to 200000.',
    ],
    [
      'compressionTriggerUtilization: 0.96',
      'compressionTriggerUtilization is 0.96; it takes a number from 0.3 to 0.95.',
    ],
    ['compressionStrategy: newest', 'compressionStrategy is "newest"; it takes since-last-prompt or percentage.'],
    ['compressionInteractive: maybe', 'compressionInteractive is "maybe"; it takes true or false.'],
    ['model: {compressionThreshold: 0}', 'model.compressionThreshold is 0; it takes a number above 0 to 1.'],
    ['model: gpt', 'model must be a mapping.'],
    [
      'compresionInteractive: true',
      'There is no setting "compresionInteractive"; did you mean compressionInteractive?',
    ],
    ['model: {nam: x}', 'There is no setting "model.nam"; did you mean model.name?'],
    ['wholly_else: 1', 'There is no setting "wholly_else"; epitome config list shows what there is.'],
    [
      'mcpServers: {a: {cmd: x}}',
      'mcpServers is {"a":{"cmd":"x"}}; it takes names with {command, args, env} or {url, headers}.',
    ],
    ['__proto__: {a: 1}', 'There is no setting "__proto__"'],
    ['- a list', 'must hold settings as "key: value"'],
    ['a: [1', ':1: this is no YAML'],
    ['compressionPromptTimeout: 30\ncompressionPromptTimeout: 40', ':2: this is no YAML'],
  ])('%s is an error that says so', async (user, message) => {
    const settings = settingsWith({ user });
    await expect(settings.read()).rejects.toThrow(message);
    await expect(settings.read()).rejects.toThrow(settings.places.user);
  });

  test.each(['mcpServers: {a: {command: rm}}', 'telemetry: {file: /etc/x}'])(
    'a project may not say %s',
    async (project) => {
      await expect(settingsWith({ project }).read()).rejects.toThrow('may stand in your own settings only');
    },
  );
});

describe('what is written', () => {
  const WRITTEN = `# mine
compressionTriggerTokens: 50000 # enough

# unknown to this version
future:
  deep: [1, 2]
model:
  # the good one
  name: openai/a
`;

  test('keeps comments and unknown keys, and changes nothing else', async () => {
    const settings = settingsWith({ user: WRITTEN });
    await settings.change('user', { compressionTriggerTokens: 60_000, 'model.window': 9000 });
    expect(readFileSync(settings.places.user, 'utf8')).toBe(
      WRITTEN.replace('50000', '60000').replace('name: openai/a\n', 'name: openai/a\n  window: 9000\n'),
    );
    await settings.change('user', { compressionTriggerTokens: 50_000, 'model.window': undefined });
    expect(readFileSync(settings.places.user, 'utf8')).toBe(WRITTEN);
  });

  test('is taken out with what is empty without it', async () => {
    const settings = settingsWith();
    await settings.change('user', { 'model.name': 'openai/a' });
    expect(readFileSync(settings.places.user, 'utf8')).toBe('model:\n  name: openai/a\n');
    await settings.change('user', { 'model.name': undefined });
    expect(readFileSync(settings.places.user, 'utf8')).toBe('');
    await settings.change('user', { compressionPromptTimeout: 40 });
    expect(readFileSync(settings.places.user, 'utf8')).toBe('compressionPromptTimeout: 40\n');
  });

  test('loses no line of comment when a setting is taken out', async () => {
    const settings = settingsWith({ user: WRITTEN });
    await settings.change('user', { compressionTriggerTokens: undefined, 'model.name': undefined });
    const left = readFileSync(settings.places.user, 'utf8');
    for (const comment of ['# mine', '# unknown to this version', '# the good one']) expect(left).toContain(comment);
    expect(left).not.toMatch(/compressionTriggerTokens|openai/);
  });

  test('is for nobody else to read, and leaves nothing beside it', async () => {
    const settings = settingsWith();
    await settings.change('user', { compressionPromptTimeout: 40 });
    expect(statSync(settings.places.user).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(settings.places.user, '..'))).toEqual(['user.yaml']);
  });

  test('goes to where a link leads', async () => {
    const settings = settingsWith();
    const real = join(root, 'dotfiles.yaml');
    writeFileSync(real, '# kept\n');
    symlinkSync(real, settings.places.user);
    await settings.change('user', { compressionPromptTimeout: 40 });
    expect(readFileSync(real, 'utf8')).toBe('# kept\n\ncompressionPromptTimeout: 40\n');
  });

  test('is checked before', async () => {
    const settings = settingsWith({ user: WRITTEN });
    const change = settings.change('user', { compressionPromptTimeout: 20, compressionTriggerTokens: 1 });
    await expect(change).rejects.toThrow('compressionTriggerTokens is 1; it takes');
    expect(readFileSync(settings.places.user, 'utf8')).toBe(WRITTEN);
  });

  test('does not wait for a lock that a crash left behind', async () => {
    const settings = settingsWith();
    writeFileSync(`${settings.places.user}.lock`, '999999999 gone');
    await settings.change('user', { compressionPromptTimeout: 40 });
    const old = `${process.pid} slept`;
    writeFileSync(`${settings.places.user}.lock`, old);
    utimesSync(`${settings.places.user}.lock`, new Date(0), new Date(0));
    await settings.change('user', { compressionPromptTimeout: 50 });
    expect((await settings.read()).get('compressionPromptTimeout').value).toBe(50);
    expect(readdirSync(join(settings.places.user, '..'))).toEqual(['user.yaml']);
  });

  test('by several at once loses nobody’s change', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.constantFrom(...NUMBERS), { minLength: 2, selector: ([key]) => key }),
        async (changes) => {
          const { places } = settingsWith({ user: '# together\n' });
          await Promise.all(changes.map(([key, value]) => openSettings(places).change('user', { [key]: value })));
          const { get } = await openSettings(places).read();
          expect(changes.map(([key]) => get(key).value)).toEqual(changes.map(([, value]) => value));
        },
      ),
      { numRuns: 10 },
    );
  });

  test('by several processes at once loses nobody’s change', async () => {
    const settings = settingsWith({ user: '# together\n' });
    const child = fileURLToPath(new URL('../../test/children/settings.ts', import.meta.url));
    const codes = await Promise.all(
      NUMBERS.slice(0, 3).map(([key, value]) => {
        const args = ['--import', 'tsx', '--conditions=epitome-source', child, settings.places.user, key];
        const run = spawn(process.execPath, [...args, Array(20).fill(value).join(',')], { stdio: 'inherit' });
        return new Promise((resolve) => run.on('close', resolve));
      }),
    );
    expect(codes).toEqual([0, 0, 0]);
    const { get } = await settings.read();
    for (const [key, value] of NUMBERS.slice(0, 3)) expect(get(key).value).toBe(value);
    expect(readFileSync(settings.places.user, 'utf8')).toContain('# together');
  }, 60_000);
});

const NUMBERS: readonly (readonly [string, number])[] = [
  ['compressionPromptTimeout', 45],
  ['compressionTriggerTokens', 55_000],
  ['compressionMinMessagesSinceLastCompress', 35],
  ['compressionMinTimeBetweenPrompts', 400],
  ['compressionTriggerUtilization', 0.6],
  ['compressionFrequencyMultiplier', 2],
  ['model.window', 5000],
];

test.each([
  ['compressionTriggerTokens', '60k', 60_000],
  ['compressionTriggerTokens', '60000', 60_000],
  ['compressionInteractive', 'false', false],
  ['compressionStrategy', 'percentage', 'percentage'],
  ['model.name', 'openai/gpt-5', 'openai/gpt-5'],
  ['tools.disabled', '[shell]', ['shell']],
  ['mcpServers', '{a: {command: x, args: [-y]}}', { a: { command: 'x', args: ['-y'] } }],
])('%s takes %s', (key, text, value) => {
  const setting = settingNamed(key);
  expect(setting && readValue(setting, text)).toEqual(value);
});

describe('policies', () => {
  test('follow the file while they are in use, and save for other sessions', async () => {
    const settings = settingsWith();
    const here = policiesOf(settings);
    const elsewhere = policiesOf(openSettings(settings.places));
    expect((await elsewhere.settings()).compressionInteractive).toBe(true);
    await here.save({ compressionInteractive: false });
    expect((await elsewhere.settings()).compressionInteractive).toBe(false);
    await here.save({ compressionTriggerTokens: 60_000 }, { times: 1, cumulative: 1.5 });
    expect(await elsewhere.reductions()).toEqual({ times: 1, cumulative: 1.5 });
    const { triggers } = await elsewhere.policy(1_000_000);
    expect(triggers.map(({ limit }) => limit)).toEqual([{ tokens: 500_000 }, { tokens: 60_000 }]);
  });

  test('hold on to what was good where somebody breaks a file meanwhile, and show what is wrong', async () => {
    const settings = settingsWith({ user: 'compressionPromptTimeout: 60\n' });
    const policies = policiesOf(settings);
    expect((await policies.settings()).compressionPromptTimeout).toBe(60);
    writeFileSync(settings.places.user, 'compressionPromptTimeout: 6\n');
    expect((await policies.settings()).compressionPromptTimeout).toBe(60);
    await expect(policies.show()).rejects.toThrow('compressionPromptTimeout is 6; it takes a number from 10 to 300.');
    await expect(policiesOf(settings).settings()).rejects.toThrow('compressionPromptTimeout is 6');
  });

  test('save where it takes effect: in the project, where that decides', async () => {
    const settings = settingsWith({ project: 'compressionInteractive: true\n' });
    await policiesOf(settings).save({ compressionInteractive: false, compressionTriggerTokens: 60_000 });
    expect(readFileSync(settings.places.project, 'utf8')).toBe('compressionInteractive: false\n');
    expect(readFileSync(settings.places.user, 'utf8')).toBe('compressionTriggerTokens: 60000\n');
  });

  test('say what was set', async () => {
    const policies = policiesOf(settingsWith());
    expect(await policies.set('compressionPromptTimeout', '60')).toEqual([
      expect.stringMatching(/^compressionPromptTimeout is now 60, saved in /),
    ]);
    expect(await policies.show()).toContain('compressionPromptTimeout: 60');
    await expect(policies.set('compressionPromptTimeout', '5')).rejects.toThrow('it takes a number from 10 to 300');
  });

  test.each([
    ['model: {compressionThreshold: 0.8}', 800_000, 'it still holds'],
    ['model: {compressionThreshold: 0.8}\ncompressionTriggerUtilization: 0.6', 600_000, 'holds instead'],
  ])('honour the deprecated name, and say so once: %s', async (user, limit, words) => {
    const settings = settingsWith({ user });
    const { triggers, findings } = await policiesOf(settings).policy(1_000_000);
    expect(triggers[0]?.limit).toEqual({ tokens: limit });
    expect(findings).toBeUndefined();
    expect(settingNotes(await settings.read())).toEqual([expect.stringContaining(words)]);
  });
});

describe('compact: blocks', () => {
  const file = '/p/config.yaml';
  const policyOf = async (
    compact: CompactBlock,
    agents: Record<string, { compact: CompactBlock }> = {},
    agent?: string,
  ) => {
    const block = blockOf([{ file, compact, agents }], agent);
    return block === undefined ? undefined : blockPolicy(block, 200_000);
  };

  test('are the options of selective, in the names of the published design', async () => {
    const policy = await policyOf({
      max_tokens: 2000,
      token_threshold: 60_000,
      retention_window: 6,
      model: 'google/gemini-2.0-flash-001',
      prompt: 'Sum up {{conversation}}',
      summary_tag: 'digest',
    });
    expect(policy).toMatchObject({
      preset: 'selective',
      summaryMaxTokens: 2000,
      model: 'google/gemini-2.0-flash-001',
      template: { kind: 'tagged', tag: 'digest' },
      split: { kind: 'earliest-run', retain: 6 },
    });
    expect(policy?.prompt?.({ conversation: 'all', recent: '', prior: '', goal: '', focus: '', maxTokens: 1 })).toBe(
      'Sum up all',
    );
  });

  test("an agent's win field by field, and what is not set overwrites nothing", async () => {
    const global = { token_threshold: 60_000, retention_window: 4, model: 'google/a' };
    const agents = { coder: { compact: { retention_window: 9, model: null } } };
    expect(await policyOf(global, agents, 'coder')).toMatchObject({
      model: 'google/a',
      split: { retain: 9 },
      triggers: expect.arrayContaining([expect.objectContaining({ limit: { tokens: 60_000 } })]),
    });
    expect(await policyOf(global, agents)).toMatchObject({ split: { retain: 4 } });
    await expect(policyOf(global, agents, 'tester')).rejects.toThrow('There is no agent "tester"; there are coder.');
  });

  test('may be a list with ids, and name another preset', async () => {
    const agents = [{ id: 'coder', compact: { preset: 'snapshot', threshold: 0.7 } }];
    const block = blockOf([{ file, agents }], 'coder');
    expect(block && (await blockPolicy(block, 1000))).toMatchObject({ preset: 'snapshot' });
  });

  test.each<[string, CompactBlock, string]>([
    [
      'an unknown field',
      { token_treshold: 1 },
      '/p/config.yaml: compact has no field "tokenTreshold" for preset selective',
    ],
    ['a value out of range', { retention_window: -1 }, '/p/config.yaml: Option `retentionWindow`'],
    ['an unknown preset', { preset: 'best' }, 'There is no preset "best"'],
    ['a prompt elsewhere', { prompt: '@/etc/passwd' }, 'must be a file in the same folder'],
  ])('%s is an error', async (_name, compact, message) => {
    await expect(policyOf(compact)).rejects.toThrow(message);
  });

  test('take partials from files beside the settings', async () => {
    const settings = settingsWith({ user: 'compact: {prompt: "{{> system-prompt-context-summarizer.hbs }}"}\n' });
    writeFileSync(join(settings.places.user, '..', 'system-prompt-context-summarizer.hbs'), 'Brief: {{conversation}}');
    const { prompt } = await policiesOf(settings).policy(1000);
    expect(prompt?.({ conversation: 'x', recent: '', prior: '', goal: '', focus: '', maxTokens: 1 })).toBe('Brief: x');
  });
});

describe('the guide', () => {
  const guide = (name: string): string =>
    readFileSync(fileURLToPath(new URL(`../../../../docs/guides/${name}`, import.meta.url)), 'utf8');

  test('lists every setting as it is', () => {
    const rows = SETTING_KEYS.map(({ key, takes, about, default: standard, scope }) => {
      const value = standard === undefined ? '–' : `\`${JSON.stringify(standard).replaceAll('"', '')}\``;
      return `| \`${key}\` | ${value} | ${takes}${scope === 'user' ? '; yours only' : ''} | ${about} |`;
    });
    for (const row of rows) expect(guide('settings.md').split('\n')).toContain(row);
  });

  test('names every field of the event', async () => {
    const decision = {
      compact: true,
      isSafetyValve: false,
      reason: 'forced',
      tokens: 1,
      utilization: 0,
      messagesSince: 1,
    } as const;
    const span = { before: 1, after: 1, fixed: 0, basis: 'estimated' } as const;
    const counts = { before: 1, after: 1, compressed: 0, preserved: 1 };
    const ended = { status: 'noop', reason: 'forced', tokens: span, counts, method: 'none', decision } as const;
    const known = { format: 'openai-chat', messages: [], decision, window: 1, settings: CHECK_IN_DEFAULTS } as const;
    const { event: _, ...fields } = compressionEvent({
      ended,
      checkIn: await checkIn({ ...known, asked: { kind: 'nobody' } }),
      preset: 'deliberate',
    });
    for (const field of Object.keys(fields)) expect(guide('deliberate.md')).toContain(`\`${field}\``);
  });
});
