'use strict';

const { defineConfig } = require('eslint/config');
const svelte = require('eslint-plugin-svelte');
const globals = require('globals');
const tseslint = require('typescript-eslint');

/** What is saved has schemas of its own (`src/engine/store/format`): a change of the wire must not change run files. */
const savedApart = {
  name: 'run files apart from the wire',
  files: ['src/engine/store/**/*.ts'],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: '/contract/(?!calls$|names$)',
            allowTypeImports: true,
            message: 'The store may import errors, rules of names and types of the contract only.',
          },
        ],
      },
    ],
  },
};

/** One program of all files: each of the seven that compile them would be type-checked again for the linter. */
const typed = {
  parserOptions: {
    project: 'tsconfig.lint.json',
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
      'no-duplicate-imports': 'error',
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
    // The linter has no types of imported components; svelte-check checks them.
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
    name: 'code evaluated in the page',
    files: ['tests/**/*.mjs'],
    languageOptions: { globals: globals.browser },
  },
  {
    // It would accept a schema without one of the type's optional fields, which zod then drops in silence.
    name: 'schemas have all fields of their type',
    files: ['src/contract/**/*.ts'],
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "VariableDeclarator > Identifier TSQualifiedName[right.name='ZodType']",
          message: 'Use exactly<T>()(schema) of src/contract/exactly.ts, or infer the type.',
        },
      ],
    },
  },
  {
    // The system's clock may be set at any time: schedule and measure with `now` of a Clock, label with its `wall`.
    name: 'one clock',
    files: ['src/engine/**/*.ts', 'src/cli/**/*.ts'],
    ignores: ['src/engine/base/clock.ts', '**/*.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        {
          object: 'Date',
          property: 'now',
          message: 'Take `now` (steady) or `wall` of the clock in src/engine/base/clock.ts.',
        },
      ],
    },
  },
  { files: ['eslint.config.js'], languageOptions: { sourceType: 'commonjs' } },
  savedApart,
);
