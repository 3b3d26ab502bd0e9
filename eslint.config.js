'use strict';

const { defineConfig } = require('eslint/config');
const svelte = require('eslint-plugin-svelte');
const globals = require('globals');
const tseslint = require('typescript-eslint');

/** What oxlint (`.oxlintrc.json`) can't read: components, and a rule of our own about syntax. */
module.exports = defineConfig(
  {
    ignores: [
      'out/',
      'dist/',
      'build/',
      'node_modules/',
      '.runtime/',
      '.svelte-check/',
      'coverage/',
      'agent/',
      'runs/',
    ],
  },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    name: 'components',
    files: ['**/*.svelte', '**/*.svelte.ts'],
    extends: [tseslint.configs.recommended, svelte.configs.recommended],
    languageOptions: { globals: globals.browser, parserOptions: { parser: tseslint.parser } },
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-duplicate-imports': 'error',
    },
  },
  {
    // It would accept a schema without one of the type's optional fields, which zod then drops in silence.
    name: 'schemas have all fields of their type',
    files: ['src/contract/**/*.ts'],
    ignores: ['**/*.test.ts'],
    languageOptions: { parser: tseslint.parser },
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
);
