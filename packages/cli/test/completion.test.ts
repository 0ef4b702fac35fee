import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { binary, ensureBuilt, root, run, scratch } from './kit.ts';

beforeAll(ensureBuilt, 180_000);
const { path } = scratch();
const hasShell = (name: string): boolean => process.platform !== 'win32' && spawnSync(name, ['--version']).status === 0;

test.each(['bash', 'zsh', 'fish'])('completion for %s names every command, option and value', async (shell) => {
  const { code, stdout } = await run(['completion', shell]);
  expect(code).toBe(0);
  for (const word of ['compact', 'inspect', 'recall', 'summarizer-window', 'context-guard', 'openai-responses']) {
    expect(stdout).toContain(word);
  }
});

test('a shell nobody knows is refused with those there are', async () => {
  expect(await run(['completion', 'tcsh'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('bash, zsh, fish'),
  });
});

test.skipIf(!hasShell('bash'))(
  'bash offers commands, options, their values, and the conversations of the store',
  async () => {
    const store = path('words.db');
    await run(['import', join(root, 'packages/transcripts/test/fixtures/codex.jsonl'), '--store', store]);
    const { stdout: script } = await run(['completion', 'bash']);
    const ask = (...words: readonly string[]): string => `
COMP_WORDS=(epitome ${words.map((word) => JSON.stringify(word)).join(' ')}); COMP_CWORD=${words.length}; _epitome; echo "\${COMPREPLY[*]}"`;
    const asked: readonly (readonly [readonly string[], string])[] = [
      [['insp'], 'inspect'],
      [['compact', '--to', 'm'], 'markdown'],
      [['compact', '--to', '=', 'mar'], 'markdown'],
      [['compact', '--to', '='], 'openai-chat openai-responses'],
      [['plan', '-p', 'sn'], 'snapshot'],
      [['compact', 'file', '--foc'], '--focus'],
      [['sessions', '--agent', 'cl'], 'claude-code'],
      [['diff', 'a', 'b', '--kind', 'dem'], 'demand'],
      [['store', 'exp'], 'export'],
      [['help', 'comp'], 'compact completion'],
      [['show', 'codex'], 'codex/s-1@'],
    ];
    mkdirSync(path('bin'));
    writeFileSync(path('bin/epitome'), `#!/bin/sh\nexec '${process.execPath}' '${binary}' "$@"\n`, { mode: 0o755 });
    const { stdout, stderr } = spawnSync('bash', ['-c', script + asked.map(([words]) => ask(...words)).join('')], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${path('bin')}:${process.env['PATH']}`, EPITOME_STORE: store },
    });
    expect(stderr).toBe('');
    const lines = stdout.trimEnd().split('\n');
    asked.forEach(([, expected], index) => {
      expect(lines[index]).toContain(expected);
    });
  },
);

test.skipIf(!hasShell('fish'))('fish offers the same, and files only where one is wanted', async () => {
  mkdirSync(path('fish'));
  writeFileSync(path('fish/epitome.fish'), (await run(['completion', 'fish'])).stdout);
  writeFileSync(path('fish/here.jsonl'), '');
  const said = (shell: string, script: string) =>
    spawnSync(shell, ['-c', script], { encoding: 'utf8', cwd: path('fish') });
  const offered = (line: string): readonly string[] => {
    const script = `source epitome.fish; complete -C '${line}'`;
    const { stdout } = said('fish', script);
    return stdout.split('\n').flatMap((text) => text.split('\t')[0] || []);
  };
  expect(offered('epitome insp')).toEqual(['inspect']);
  expect(offered('epitome compact --to m')).toEqual(['markdown']);
  expect(offered('epitome completion ')).toEqual(['bash', 'fish', 'zsh']);
  expect(offered('epitome import ')).toContain('here.jsonl');
  expect(offered('epitome sessions --agent ')).not.toContain('here.jsonl');
});
