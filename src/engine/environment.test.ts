import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { variables } from './base/variables';
import { environmentPage } from './environmentPage';

const root = join(__dirname, '..', '..');

it('docs/environment.md is the page of the variables; if not: npx vitest run --project unit src/engine/environment -u', async () => {
  await expect(environmentPage()).toMatchFileSnapshot(join(root, 'docs', 'environment.md'));
});

/** Files that pass the environment on, or read variables named after nodes and secrets. */
const whole = [
  'src/cli/commandEngine.ts',
  'src/cli/commands/check.ts',
  'src/cli/probePassword.ts',
  'src/engine/base/program.ts',
  'src/engine/base/variables.ts',
  'src/engine/parts.ts',
  'src/engine/savedRuns/startReader.ts',
  'src/engine/utility.ts',
  'src/main/engineProcess.ts',
  'src/main/log/knownSecrets.ts',
];

const filesOf = (folder: string, name: RegExp): Array<{ readonly file: string; readonly text: string }> =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => name.test(file) && !/[._]test\.\w+$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }));

it('is read by the table of variables only', () => {
  const readers = [...filesOf('src', /\.(ts|svelte)$/), ...filesOf('bin', /\.m?js$/)]
    .filter(({ text }) => /\bprocess\.env\b(?!`)|\benv\b[^;=]*(?:from 'node:process'|= process\b)/.test(text))
    .map(({ file }) => file);
  expect(readers.sort()).toEqual(whole);
});

it('has every variable that the agent reads', () => {
  const read = filesOf('agent', /\.go$/)
    .filter(({ file }) => !file.startsWith('agent/internal/testing/'))
    .flatMap(({ file, text }) =>
      [...text.matchAll(/\bos\.(?:Getenv|LookupEnv)\(([^)]*)\)/g)].map(([, name = '']) => ({ file, name })),
    );
  expect(read.length).toBeGreaterThan(1);
  const known = Object.keys(variables).map((name) => `"${name}"`);
  expect(read.filter(({ name }) => !known.includes(name))).toEqual([]);
});

it('has no variable that nothing reads', () => {
  const texts = [...filesOf('src', /\.(ts|svelte)$/), ...filesOf('agent', /\.go$/)].filter(
    ({ file }) => file !== 'src/engine/base/variables.ts',
  );
  const unread = Object.entries(variables).filter(
    ([name, variable]) =>
      !('isOfPackage' in variable) &&
      !texts.some(({ text }) => text.includes(`'${name}'`) || text.includes(`"${name}"`)),
  );
  // GitHub's are keys of the schema in the command that reads them.
  expect(unread.map(([name]) => name).filter((name) => !name.startsWith('GITHUB_'))).toEqual([]);
});
