/** Who may import whom. The arrows are those of docs/architecture.md. */
const stage = (name, ...allowed) => ({
  name: `stage-${name}`,
  comment: `The stage ${name} meets the others as data: it imports model/${allowed.map((other) => ` and ${other}/`).join('')} only.`,
  severity: 'error',
  from: { path: `^packages/core/src/${name}/`, pathNot: '[.]test[.]ts$' },
  to: { path: '^packages/core/src/', pathNot: `^packages/core/src/(${['model', name, ...allowed].join('|')})/` },
});

export default {
  forbidden: [
    { name: 'no-cycle', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'core-is-free',
      comment: 'Core runs in browsers and edge workers: no runtime dependency, no node: import.',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '([.]test[.]ts$|^packages/core/src/testing/)' },
      to: { pathNot: '^packages/core/src/' },
    },
    {
      name: 'testing-kit',
      comment: 'The testing kit may use fast-check, and nothing of core uses the kit.',
      severity: 'error',
      from: { path: '^packages/core/src/testing/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '(^packages/core/src/|node_modules/fast-check)' },
    },
    {
      name: 'nothing-uses-testing',
      severity: 'error',
      from: { path: '^packages/core/src/', pathNot: '(^packages/core/src/testing/|[.]test[.]ts$)' },
      to: { path: '^packages/core/src/testing/' },
    },
    stage('model'),
    stage('atoms'),
    stage('count'),
    stage('decide'),
    stage('plan'),
    stage('summarize'),
    stage('verify'),
    stage('apply'),
    stage('record'),
    stage('presets'),
    stage('formats'),
    stage('economics'),
    stage('overflow'),
    stage('secrets'),
    stage('goals', 'facts', 'formats', 'presets', 'record', 'secrets', 'verify'),
    {
      name: 'public-entry-only',
      comment: 'Other packages take core by its public entries.',
      severity: 'error',
      from: { path: '^packages/(?!core/)' },
      to: {
        path: '^packages/core/src/(?!index[.]ts$|(testing|record|economics|overflow|secrets|facts|digest|goals)/index[.]ts$)',
      },
    },
    {
      name: 'transcripts-read',
      comment: 'Readers know core and the bytes they are given, no other package.',
      severity: 'error',
      from: { path: '^packages/transcripts/src/', pathNot: '[.]test[.]ts$' },
      to: { pathNot: '^(packages/transcripts/src/|packages/core/src/|node:|buffer$|epitome(/|$))' },
    },
    {
      name: 'gateway-takes-core-and-store',
      comment: 'The gateway knows the engine and the log, by their public entries, and no other package of ours.',
      severity: 'error',
      from: { path: '^packages/gateway/' },
      to: {
        path: '^packages/(?!gateway/|core/|store/src/(index|sqlite/index|postgres/index)[.]ts$)',
      },
    },
    {
      name: 'one-log-three-stores',
      comment: 'What all stores share knows no database; a database knows no other.',
      severity: 'error',
      from: { path: '^packages/store/src/(model|text|log|memory|jobs)/', pathNot: '[.]test[.]ts$' },
      to: { path: '(^packages/store/src/(sqlite|postgres)/|node_modules/(pg|graphile-worker|@photostructure)/)' },
    },
    {
      name: 'databases-apart',
      severity: 'error',
      from: { path: '^packages/store/src/(sqlite|postgres)/' },
      to: { path: '^packages/store/src/(sqlite|postgres)/', pathNot: '^packages/store/src/$1/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      conditionNames: ['epitome-source', 'import', 'default'],
      extensions: ['.ts', '.js', '.mjs'],
    },
  },
};
