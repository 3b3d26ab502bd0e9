import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const run = promisify(execFile);
const root = join(import.meta.dirname, '..', '..');
const noticesFile = join(root, 'build', 'THIRD-PARTY-NOTICES.txt');

interface InstalledPackage {
  version?: string;
  dependencies?: Record<string, InstalledPackage>;
}

/** `name version` of all packages below one in npm's list. Optional ones of other systems have no version. */
function labels({ dependencies = {} }: InstalledPackage): string[] {
  return Object.entries(dependencies).flatMap(([name, entry]) =>
    entry.version ? [`${name} ${entry.version}`, ...labels(entry)] : [],
  );
}

describe('the third-party notices of a package', () => {
  let lines: Set<string>;
  beforeAll(async () => {
    await run(process.execPath, [join(root, 'scripts', 'notices.mjs')], { cwd: root });
    lines = new Set((await readFile(noticesFile, 'utf8')).split('\n'));
  });

  it('have the licence of every production dependency listed by npm', async () => {
    const { stdout } = await run('npm', ['ls', '--omit=dev', '--all', '--json'], { cwd: root });
    const expected = labels(JSON.parse(stdout) as InstalledPackage);
    expect(expected.length).toBeGreaterThan(20);
    expect(expected.filter((label) => !lines.has(label))).toEqual([]);
  });

  it('have the licences of packages bundled into the window, and of its fonts', () => {
    const names = [...lines].map((line) => line.replace(/ \d[\w.]*$/, ''));
    expect(names).toEqual(expect.arrayContaining(['svelte', 'chart.js', '@kurkle/color', 'hls.js', 'zod']));
    expect(names).toEqual(expect.arrayContaining(['Inter (font)', 'JetBrainsMono (font)']));
  });

  it('have the licence of every Go module in the agents, and of Go itself', async () => {
    for (const target of ['linux-x64', 'linux-arm64']) {
      const agent = join(root, 'build', 'agents', target, 'fullhouse-agent');
      const { stdout } = await run('go', ['version', '-m', agent]);
      const modules = [...stdout.matchAll(/^\tdep\t(\S+)\t(\S+)/gm)].map(([, path, version]) => `${path} ${version}`);
      expect(modules.length).toBeGreaterThan(10);
      expect(modules.filter((label) => !lines.has(label))).toEqual([]);
      const go = /: (go\S+)/.exec(stdout)?.[1];
      expect(lines).toContain(`Go standard library and runtime ${go}`);
    }
  });

  it('are shipped among the resources', async () => {
    const config = parse(await readFile(join(root, 'electron.builder.yml'), 'utf8')) as {
      extraResources: { from: string; to: string }[];
    };
    expect(config.extraResources).toContainEqual({
      from: 'build/THIRD-PARTY-NOTICES.txt',
      to: 'THIRD-PARTY-NOTICES.txt',
    });
  });
});
