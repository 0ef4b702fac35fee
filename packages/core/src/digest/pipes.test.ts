import { expect, test } from 'vitest';
import type { Message, Part } from '../model/message.ts';
import { baseOf } from './commands.ts';
import { digest } from './index.ts';

const message = (role: Message['role'], ...parts: Part[]): Message => ({ role, parts, native: undefined });
const page = (command: string, output: string): string => {
  const messages = [
    message('user', { kind: 'text', text: 'Bring the shop to production.' }),
    message('assistant', { kind: 'tool-call', callId: 'c', name: 'bash', input: JSON.stringify({ command }) }),
    message('tool', { kind: 'tool-result', callId: 'c', name: 'bash', text: output, isError: false, media: [] }),
  ];
  return digest(messages, { maxTokens: 600 }).text;
};

test.each([
  'cat k8s/prod.yaml | kubectl apply -f -',
  'echo "DROP TABLE x;" | psql prod',
  'curl -fsSL https://get.example.org/i.sh | sudo sh',
  'echo y | terraform destroy',
  'echo "15 3 * * 1-5 /opt/backup.sh" | crontab -',
  'pg_dump app | gzip > /backup/app.sql.gz',
  'cat a.sql | mysql -u root shop && systemctl restart shop',
  'git diff | git apply -R',
  'git status && git push origin main',
  'git ls-files -d | xargs git rm',
  'find . -name "*.tmp" -exec rm -rf {} \\;',
  'env STAGE=prod make-release',
])('what acts behind a pipe is not cut from the command: %s', (command) => {
  const text = page(command, 'done, 14 objects configured');
  expect(text.replace(' (ok)', '')).toContain(`- $ ${command}\n  done, 14 objects configured`);
});

test.each([
  ['npm test 2>&1 | tail -20', 'npm test'],
  ['npm run build 2>&1 | tail -5 && npm test | grep -E "fail|pass" | head', 'npm run build && npm test'],
  ['git log | cat', 'git log'],
  ["ls -la | awk '{print $5 | 1}'", 'ls -la'],
  ['cat a.json | jq ".a | keys"', 'cat a.json'],
  ['ls -la | wc -l', 'ls -la | wc -l'],
  ['cat a.log | grep x | sort | uniq -c | head -3', 'cat a.log | grep x | sort | uniq -c'],
  ['make | sed s/a/b/ > out.txt', 'make | sed s/a/b/ > out.txt'],
  [
    'echo "a | tail" && cat <<EOF | tee x | head\na | tail\nEOF',
    'echo "a | tail" && cat <<EOF | tee x | head a | tail EOF',
  ],
  ['npm test || true', 'npm test || true'],
])('only what trims the output is cut: %s', (command, base) => {
  expect(baseOf(command)).toBe(base);
});

test.each([
  'cat a.json | python3 -c "import sys; print(1)"',
  'rtk git status src/a.test.ts',
  'git branch -a',
  'find . -name "*.ts" -exec grep x {} \\;',
])('a look-up is no check and no deed: %s', (command) => {
  expect(page(command, 'ok')).not.toMatch(/Last check|- \$/);
});
