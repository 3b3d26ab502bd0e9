'use strict';

/** Who may import whom; imports of types and `import()` count too. `npm test -- lint` checks it. */

/** What each side sees besides itself. */
const sides = {
  domain: [],
  contract: ['domain'],
  engine: ['domain', 'contract'],
  main: ['domain', 'contract', 'engine'],
  preload: ['domain', 'contract'],
  renderer: ['domain', 'contract'],
  cli: ['domain', 'contract', 'engine'],
};
/** Sides without Node.js; `domain` and `contract` run in the window too. */
const withoutNode = ['domain', 'contract', 'renderer'];
const withElectron = ['main', 'preload'];

/** Folders of a side in lines: each may import only from lines below its own. */
const lines = {
  'src/domain': [
    ['grafana', 'baseline', 'duration'],
    ['compare', 'estimate', 'search', 'verdict'],
    ['tester', 'otherLoad', 'browserViewers', 'spotCheck'],
    ['run', 'delay'],
    ['consent'],
    ['plan', 'evidence', 'preflight', 'incidents'],
    ['node', 'stages', 'kubernetes', 'family'],
    ['charts'],
    ['secrets'],
    ['redaction'],
    ['model'],
    ['series'],
    ['clock'],
    ['viewer', 'text'],
  ],
  'src/engine': [
    ['api'],
    ['schedule', 'preflight', 'prometheus', 'incidents', 'delay'],
    ['runs'],
    ['consent'],
    ['savedRuns', 'fleet', 'browsers', 'clockPage'],
    ['export', 'library', 'estimate', 'iperf', 'load', 'vmaf', 'fidelity', 'clockCodes'],
    ['report', 'servers', 'secrets'],
    ['telemetry'],
    ['links', 'kubernetes'],
    ['store'],
    ['base'],
  ],
  'src/cli': [['commands'], ['run', 'help']],
  'src/renderer': [['app', 'viewerPage'], ['features'], ['parts', 'player'], ['charts'], ['ui', 'client']],
};

const tests = '\\.test\\.ts$';
const any = (names) => `(${names.join('|')})`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

const bySide = Object.entries(sides).map(([side, seen]) =>
  rule(
    `${side} sees ${seen.join(', ') || 'itself only'}`,
    'Move what is shared down, or pass it in.',
    { path: `^src/${side}/` },
    { path: '^src/', pathNot: `^src/${any([side, ...seen])}/` },
  ),
);

const byLine = Object.entries(lines).flatMap(([root, all]) =>
  all.flatMap((names, index) =>
    names.map((name) =>
      rule(
        `${root}/${name} imports downwards`,
        'See `lines` in .dependency-cruiser.cjs.',
        { path: `^${root}/${name}/`, pathNot: tests },
        { path: `^${root}/${any(all.slice(0, index + 1).flat())}/`, pathNot: `^${root}/${name}/` },
      ),
    ),
  ),
);

module.exports = {
  forbidden: [
    ...bySide,
    ...byLine,
    rule(
      'programs are started in one place',
      'Use src/engine/base/program.ts, which keeps secrets out of environments.',
      { path: '^src/', pathNot: [tests, '^src/engine/base/program\\.ts$'] },
      { path: '^(node:)?child_process$' },
    ),
    rule(
      'the product knows no tests',
      'What only tests use is in tests/support.',
      { path: '^src/', pathNot: tests },
      { path: '^tests/|\\.test\\.ts$' },
    ),
    rule('no circles', 'Move what both need to a file below them.', { path: '^src/' }, { circular: true }),
    rule(
      'an adapter never imports another',
      'Share by way of the folder above.',
      { path: '^src/engine/servers/([^/]+)/' },
      { path: '^src/engine/servers/[^/]+/', pathNot: '^src/engine/servers/$1/' },
    ),
    rule(
      'a run flows down only',
      'Share by way of runData, as an argument or a return value.',
      { path: '^src/engine/runs/(rampUp|sampleRouter|tearDown|runEnd)\\.ts$' },
      { path: '^src/engine/runs/(runManager|activeRun|rampUp|sampleRouter|tearDown|runEnd)\\.ts$' },
    ),
    rule(
      'a feature never imports another',
      'Share by way of parts.',
      { path: '^src/renderer/features/([^/]+)/', pathNot: tests },
      { path: '^src/renderer/features/[^/]+/', pathNot: '^src/renderer/features/$1/' },
    ),
    rule(
      'a command never imports another',
      'Share by way of the folder above.',
      { path: '^src/cli/commands/([^/.]+)', pathNot: [tests, '^src/cli/commands/table\\.ts$'] },
      { path: '^src/cli/commands/', pathNot: '^src/cli/commands/$1[/.]' },
    ),
    rule(
      'only main and preload know Electron',
      'Let main pass in what is needed.',
      { path: '^src/', pathNot: `^src/${any(withElectron)}/` },
      { path: '^(node_modules/)?electron(/|$)' },
    ),
    rule(
      'the window has no Node.js',
      'This side runs in the window.',
      { path: `^src/${any(withoutNode)}/`, pathNot: tests },
      { dependencyTypes: ['core'] },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.svelte.ts', '.svelte', '.mjs', '.js', '.d.mts'] },
  },
};
