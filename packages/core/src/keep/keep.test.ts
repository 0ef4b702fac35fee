import { expect, test } from 'vitest';
import { estimateTokens } from '../count/heuristic.ts';
import type { Message } from '../model/message.ts';
import { keepDigest, keepFacts, wrongLanguage } from './keep.ts';
import { languageOf } from './language.ts';
import type { KeptSource } from './source.ts';

const said = (role: 'user' | 'assistant', text: string): Message => ({
  role,
  parts: [{ kind: 'text', text }],
  native: undefined,
});
const sourceOf = (...messages: readonly Message[]): KeptSource => ({
  head: messages.map((message, index) => ({ message, index })),
  prior: '',
});
const budget = { factTokens: 200, count: estimateTokens };

const session = sourceOf(
  said('user', 'Move the limiter from src/http/limits.ts to src/net/limiter.ts. Never touch config/prod.yaml.'),
  said('assistant', 'The window constant RATE_WINDOW_MS is 45000 in src/http/limits.ts; ticket OPS-4471 explains why.'),
);

test('an invented path or id is flagged and its line tagged, a true one is not', () => {
  const summary = 'The limiter moves out of src/http/limits.ts.\nIt also lives in src/http/throttle.ts (OPS-9999).';
  const { text, findings } = keepFacts(summary, session, budget);
  expect(findings.map(({ code, detail }) => [code, detail])).toEqual([
    ['claim-unsupported', 'path src/http/throttle.ts'],
    ['claim-unsupported', 'id OPS-9999'],
  ]);
  expect(text).toContain('The limiter moves out of src/http/limits.ts.\n');
  expect(text).toContain('(OPS-9999). [not in the source]');
});

test('a confirmation the user never gave is flagged', () => {
  const claim = 'The user approved the new limit.';
  const flagged = keepFacts(claim, session, budget);
  expect(flagged.findings).toEqual([
    { code: 'claim-unconfirmed', detail: claim, evidence: { line: claim, value: claim } },
  ]);
  expect(flagged.text).toContain(`${claim} [not in the source]`);
  const confirmed = sourceOf(said('assistant', 'Shall I raise the limit?'), said('user', 'Yes, go ahead.'));
  expect(keepFacts(claim, confirmed, budget).findings).toEqual([]);
});

test('facts a summary leaves out stand behind it, within their budget', () => {
  const { text, ledger } = keepFacts('The limiter is to move.', session, budget);
  for (const fact of ['RATE_WINDOW_MS', '45000', 'OPS-4471', 'config/prod.yaml']) expect(text).toContain(fact);
  expect(Object.keys(ledger.entries).length).toBeGreaterThan(4);
  const tight = keepFacts('The limiter is to move.', session, { ...budget, factTokens: 20 });
  expect(estimateTokens(tight.text)).toBeLessThanOrEqual(estimateTokens('The limiter is to move.') + 22);
  expect(keepFacts('The limiter is to move.', session, { ...budget, factTokens: 0 }).text).toBe(
    'The limiter is to move.',
  );
});

test('facts of earlier rounds are merged, not read out of the prose again', () => {
  const first = keepFacts('The limiter is to move.', session, budget);
  const later: KeptSource = {
    head: [{ message: said('assistant', 'Moved to src/net/limiter.ts.'), index: 2 }],
    prior: 'The limiter is to move.',
    ledger: first.ledger,
  };
  expect(keepFacts('The limiter was moved.', later, budget).text).toContain('RATE_WINDOW_MS');
});

test('a digest holds its budget', () => {
  for (const maxTokens of [60, 120, 300]) {
    const { text } = keepDigest(session, { maxTokens, count: estimateTokens });
    expect(estimateTokens(text)).toBeLessThanOrEqual(maxTokens);
  }
  expect(keepDigest(session, { maxTokens: 300, count: estimateTokens }).text).toContain('src/net/limiter.ts');
});

const PROSE = {
  English:
    'The parser reads the file and returns a list of nodes; this is what you asked for, and it was tested with care.',
  German:
    'Der Parser liest die Datei und gibt eine Liste von Knoten zurück; das ist nicht neu, aber es wird auch mit Tests geprüft.',
  French:
    'Le parseur lit le fichier et renvoie une liste de nœuds ; ce qui est dans le dossier ne sert pas pour les tests.',
  Spanish:
    'El analizador lee el archivo y devuelve una lista de nodos; lo que se pide es que no se toque el resto del código.',
  Chinese:
    '解析器读取文件并返回节点列表，这正是用户想要的，而且所有测试都已经通过了，接下来需要更新文档和示例，然后发布新版本，请不要修改配置文件。',
  Japanese:
    'パーサーはファイルを読み込んでノードの一覧を返します。これはユーザーが求めたものであり、テストもすべて通りました。次は文書です。',
  Korean:
    '파서는 파일을 읽고 노드 목록을 돌려줍니다. 이것이 사용자가 요청한 것이며 모든 테스트를 통과했습니다. 다음은 문서와 예제입니다.',
};

test.each(Object.entries(PROSE))('%s is known by its words', (language, text) => {
  expect(languageOf(text)).toBe(language);
});

test('code and a few words are no language', () => {
  expect(languageOf('src/a.ts src/b.ts npm run build')).toBeUndefined();
  expect(languageOf('ok')).toBeUndefined();
});

test('a summary in another language than the user writes is told, one in the same is not', () => {
  const german = sourceOf(said('user', PROSE.German));
  expect(wrongLanguage(PROSE.English, german)).toBe('German');
  expect(wrongLanguage(PROSE.German, german)).toBeUndefined();
  expect(wrongLanguage('ok', german)).toBeUndefined();
});

test('each fact says by id in which messages it stands, whoever wrote the summary', () => {
  const source = { ...session, ids: ['m-1', 'm-2'] };
  const kept = [
    keepFacts('The limiter is to move.', source, budget),
    keepDigest(source, { maxTokens: 300, count: estimateTokens }),
  ];
  for (const { ledger } of kept) {
    const ids = Object.values(ledger.entries).map(({ value, firstId, lastId }) => [value, firstId, lastId]);
    expect(ids).toContainEqual(['OPS-4471', 'm-2', 'm-2']);
    expect(ids).toContainEqual(['src/http/limits.ts', 'm-1', 'm-2']);
    expect(ids.filter(([, first, last]) => first === undefined || last === undefined)).toEqual([]);
  }
});

test('Chinese between tags and around paths is Chinese', () => {
  const said =
    '用户希望了解调度程序如何决定哪个作业先运行，以及为什么在写入src/job_queue.ts之前等待锁，助手已经解释了排序方式和原因';
  expect(languageOf(`<state_snapshot><overall_goal>${said}</overall_goal></state_snapshot>`)).toBe('Chinese');
});
