import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

/**
 * Names in public registries belong to whoever registers them, and ours are registered nowhere: a command or a default
 * that fetches one by its name would run a stranger's program.
 */

const root = resolve(__dirname, '..');
const places = ['README.md', 'docs', 'src', 'scripts', 'bin', 'assets', 'plans', 'build', '.github', '.ci', 'agent'];
const skipped = /(?:^|\/)(?:node_modules|\.cache|agents|out|testdata|registryNames\.test\.ts)(?:\/|$)/;
const text = /\.(?:md|ts|mts|mjs|svelte|ya?ml|json|html|sh|[1-9])$|Containerfile|\/run$/;

function filesOf(path: string): string[] {
  if (skipped.test(relative(root, path))) return [];
  if (!statSync(path).isDirectory()) return text.test(path) ? [path] : [];
  return readdirSync(path).flatMap((name) => filesOf(join(path, name)));
}

const lines = places
  .flatMap((place) => filesOf(join(root, place)))
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, index) => ({ where: `${relative(root, file)}:${index + 1}`, line })),
  );

/** Commands and names that fetch something called fullhouse from a registry. */
const fetching: Readonly<Record<string, RegExp>> = {
  'npx without --no-install':
    /\b(?:npx|bunx|npm exec|npm x|pnpm dlx|yarn dlx)\s+(?!--no-install\b)(?:-\S+\s+)*fullhouse\b/,
  'a package by its name': /\b(?:npm (?:install|i|add)|pnpm add|yarn add)\s+(?:-\S+\s+)*@?fullhouse(?![\w-]*\.tgz)\b/,
  'an image without a registry of the user':
    /(?<![\w./-])(?:(?:docker\.io|ghcr\.io|quay\.io)\/)?fullhouse\/(?:agent|cli)(?=[:@`'"),]|\s*$)/,
  'an action of another repository': /\buses:\s*(?!\.\/)[\w.-]+\/fullhouse\b/,
  'a template of another project': /\bproject:\s*['"]?[\w.-]+\/fullhouse\b/,
};
/** The agent's Go module: its first part has no dot, so no proxy serves it. */
const isModule = (line: string): boolean => /^module fullhouse\/agent(?:\/tools)?$/.test(line);

describe('nothing fetches a name that is not ours', () => {
  it.each(Object.entries(fetching))('%s', (_, pattern) => {
    expect(lines.length).toBeGreaterThan(10_000);
    expect(
      lines.filter(({ line }) => pattern.test(line) && !isModule(line)).map(({ where, line }) => `${where} ${line}`),
    ).toEqual([]);
  });

  it.each([
    ['npx without --no-install', 'run npx fullhouse run'],
    ['npx without --no-install', 'npx -y fullhouse@latest'],
    ['a package by its name', 'npm install -g fullhouse'],
    ['an image without a registry of the user', 'image: fullhouse/agent:0.1.0'],
    ['an image without a registry of the user', 'docker pull docker.io/fullhouse/cli'],
    ['an action of another repository', '- uses: acme/fullhouse/.github/actions/fullhouse@v1'],
    ['a template of another project', 'include: { project: acme/fullhouse, file: x }'],
  ])('and this test finds %s in %j', (name, line) => expect(line).toMatch(fetching[name] ?? /$^/));
});
