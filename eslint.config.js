'use strict';

const { defineConfig } = require('eslint/config');
const svelte = require('eslint-plugin-svelte');
const globals = require('globals');
const tseslint = require('typescript-eslint');

/**
 * Who may import whom. A side sees itself and what is named here; anything else under src is refused, and so is
 * electron outside `main` and `preload`.
 */
const sides = ['domain', 'contract', 'engine', 'main', 'preload', 'renderer', 'cli'];
const maySee = {
  domain: [],
  contract: ['domain'],
  engine: ['domain', 'contract'],
  main: ['domain', 'contract', 'engine'],
  preload: ['domain', 'contract'],
  renderer: ['domain', 'contract'],
  cli: ['domain', 'contract', 'engine'],
};
const knowsElectron = new Set(['main', 'preload']);
/** Sides without Node.js; `domain` and `contract` run in the window too. */
const hasNoNode = new Set(['domain', 'contract', 'renderer']);

const nodeModules = require('node:module').builtinModules.flatMap((name) => [name, `node:${name}`]);

const layering = sides.flatMap((side) => {
  const refused = sides.filter((other) => other !== side && !maySee[side].includes(other));
  const patterns = [
    {
      regex: `^(\\.\\./)+(${refused.join('|')})(/|$)`,
      message: `${side} may import ${maySee[side].join(', ') || 'nothing'} only.`,
    },
  ];
  const electron = knowsElectron.has(side)
    ? []
    : [{ name: 'electron', message: 'Only main and preload know Electron.' }];
  const node = hasNoNode.has(side)
    ? nodeModules.map((name) => ({ name, message: `${side} runs in the window, where Node.js is not.` }))
    : [];
  return [
    {
      name: `layering of ${side}`,
      files: [`src/${side}/**/*.{ts,svelte}`],
      rules: { 'no-restricted-imports': ['error', { paths: [...electron, ...node], patterns }] },
    },
    {
      // Tests run in Node.js and read fixtures.
      name: `layering of ${side}'s tests`,
      files: [`src/${side}/**/*.test.ts`],
      rules: { 'no-restricted-imports': ['error', { paths: electron, patterns }] },
    },
  ];
});

/** Adapters of server families: one folder each, none knows another. */
const adapters = require('node:fs')
  .readdirSync('src/engine/servers', { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({
    name: `adapter ${name}`,
    files: [`src/engine/servers/${name}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: [{ name: 'electron', message: 'Only main and preload know Electron.' }],
          patterns: [
            {
              regex: '^(\\.\\./)+(main|preload|renderer|cli)(/|$)',
              message: 'engine may import domain and contract only.',
            },
            {
              regex: `^\\.\\./(?!${name}/)[^./]+/`,
              message: 'An adapter never imports another adapter; share by way of the folder above.',
            },
          ],
        },
      ],
    },
  }));

const typed = {
  parserOptions: {
    project: [
      'tsconfig.domain.json',
      'tsconfig.engine.json',
      'tsconfig.main.json',
      'tsconfig.preload.json',
      'tsconfig.renderer.json',
      'tsconfig.tests.json',
    ],
    tsconfigRootDir: __dirname,
    extraFileExtensions: ['.svelte'],
  },
};

module.exports = defineConfig(
  { ignores: ['out/', 'dist/', 'build/', 'node_modules/', '.runtime/', 'coverage/', 'agent/', 'runs/'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'TypeScript, with types',
    files: ['**/*.{ts,mts,svelte}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: typed,
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/ban-ts-comment': 'error',
      eqeqeq: 'error',
    },
  },
  svelte.configs.recommended,
  {
    name: 'Svelte',
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: {
      globals: globals.browser,
      parserOptions: { ...typed.parserOptions, parser: tseslint.parser },
    },
  },
  {
    // The linter sees no types through an imported component; svelte-check does and checks them.
    name: 'types in components are checked by svelte-check',
    files: ['**/*.svelte'],
    rules: Object.fromEntries(
      ['argument', 'assignment', 'call', 'member-access', 'return'].map((use) => [
        `@typescript-eslint/no-unsafe-${use}`,
        'off',
      ]),
    ),
  },
  {
    name: 'tests hand methods to expect',
    files: ['**/*.test.ts'],
    rules: { '@typescript-eslint/unbound-method': 'off' },
  },
  {
    name: 'plain JavaScript of the tools',
    files: ['**/*.{js,mjs}'],
    languageOptions: { globals: globals.node, sourceType: 'module', ecmaVersion: 2023 },
    rules: {
      'no-undef': 'error',
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  {
    name: 'what is evaluated in the page or runs in the report',
    files: ['tests/**/*.mjs', 'src/engine/report/page/*.mjs'],
    languageOptions: { globals: globals.browser },
  },
  {
    // The system's clock may be set at any time: what drives and what is measured goes by `now` of a Clock, labels by its `wall`.
    name: 'one clock',
    files: ['src/engine/**/*.ts', 'src/cli/**/*.ts'],
    ignores: ['src/engine/clock.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message: 'Take `now` (steady) or `wall` of the clock in src/engine/clock.ts.',
        },
      ],
    },
  },
  { files: ['eslint.config.js'], languageOptions: { sourceType: 'commonjs' } },
  layering,
  adapters,
);
