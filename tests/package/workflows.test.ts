import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { npmComponents } from '../../scripts/notices/npm.mjs';
import { ensureReady } from '../../scripts/setup.mjs';
import { runStep } from './runStep';
import { readWorkflow, stepOf } from './workflow';

const root = join(import.meta.dirname, '..', '..');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const release = readWorkflow(root, 'release');

/** What the scripts, which are JavaScript, know of a component. */
interface Named {
  readonly isWithin?: boolean;
  readonly name: string;
  readonly version: string;
}

describe.each(['ci', 'nightly', 'release'])('the workflow %s', (name) => {
  const { permissions, jobs } = readWorkflow(root, name);
  const steps = Object.values(jobs).flatMap((job) => job.steps);

  it('uses actions of others by commit only', () => {
    const used = [...steps, ...Object.values(jobs)].flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    for (const uses of used)
      expect(uses).toMatch(/^(\.\/\.github\/workflows\/[a-z]+\.yml|[\w-]+\/[\w-]+@[0-9a-f]{40})$/);
  });

  it('reads values as variables only, and has no rights that it does not need', () => {
    for (const { run, shell, uses } of steps) {
      if (run === undefined) expect(uses).toBeDefined();
      else expect(shell).toBe('bash');
      expect(run ?? '').not.toContain('${{');
    }
    expect(permissions).toEqual({ contents: 'read' });
    for (const [job, { permissions: own }] of Object.entries(jobs))
      expect(own, job).toEqual(
        job === 'publish' ? { contents: 'write', 'id-token': 'write', attestations: 'write' } : undefined,
      );
  });
});

it('runs what changed after each push, and all tests each night', () => {
  const test = stepOf(readWorkflow(root, 'ci'), 'test', 'Test');
  expect(test).toMatchObject({ env: { TESTS: "${{ inputs.tests || 'changed' }}" }, run: '.ci/run "$TESTS"' });
  expect(readWorkflow(root, 'nightly').jobs).toMatchObject({
    test: { uses: './.github/workflows/ci.yml', with: { tests: 'all' } },
  });
});

describe('the steps of a release', () => {
  let workspace: string;
  const files = () => join(workspace, 'artifacts');
  beforeAll(async () => {
    await ensureReady(['dependencies', 'agent', 'bundles', 'cli']);
    workspace = mkdtempSync(join(tmpdir(), 'fullhouse-release-'));
    // The clone as it is: scripts find it by their own path.
    for (const each of ['scripts', 'package.json', 'package-lock.json'])
      symlinkSync(join(root, each), join(workspace, each));
    for (const folder of ['artifacts', join('dist', 'npm')]) mkdirSync(join(workspace, folder), { recursive: true });
  }, 300_000);
  afterAll(() => rmSync(workspace, { recursive: true, force: true }));

  /** Those that need other systems or GitHub; `Package` is run by desktop.test.ts. */
  const elsewhere = [
    ...['Install the packaging tools', 'Install libsql for the other architecture', 'Package', 'Pack the command line'],
  ];
  const here = [
    ...['Check the tag', 'Collect the files', 'Write the software bill of materials', 'Write the checksums'],
    ...['Sign the checksums', 'Create the draft release'],
  ];

  it('are all known', () => {
    const scripts = Object.values(release.jobs).flatMap(({ steps }) => steps.filter(({ run }) => run !== undefined));
    expect(scripts.map(({ name }) => name).sort()).toEqual([...elsewhere, ...here].sort());
  });

  it('accept only the tag of the version', async () => {
    const step = stepOf(release, 'package', 'Check the tag');
    expect(await runStep(step, workspace, { TAG: `v${version}` })).toEqual({ code: 0, output: '' });
    expect(await runStep(step, workspace, { TAG: 'v9.9.9' })).toEqual({
      code: 1,
      output: `The tag v9.9.9 is not v${version}, the version in package.json.\n`,
    });
  });

  it('collect packages, update information and the command line, and nothing else', async () => {
    const collect = stepOf(release, 'package', 'Collect the files');
    rmSync(files(), { recursive: true });
    expect((await runStep(collect, workspace, {})).code).toBe(1);
    const made = [`Fullhouse-${version}-linux-amd64.deb`, 'latest-linux.yml', `npm/fullhouse-${version}.tgz`];
    for (const file of [...made, 'builder-debug.yml', 'Fullhouse-1.exe.blockmap'])
      writeFileSync(join(workspace, 'dist', file), file);
    const { code, output } = await runStep(collect, workspace, {});
    expect(code, output).toBe(0);
    expect(readdirSync(files()).sort()).toEqual(made.map((file) => file.replace('npm/', '')).sort());
  });

  it('list what ships as CycloneDX: npm packages, Go modules, fonts and Electron', async () => {
    const step = stepOf(release, 'publish', 'Write the software bill of materials');
    const { code, output } = await runStep(step, workspace, { TAG: `v${version}` });
    expect(code, output).toBe(0);
    const bom = z
      .object({
        bomFormat: z.literal('CycloneDX'),
        specVersion: z.string().regex(/^1\.[5-9]$/),
        metadata: z.object({ component: z.object({ name: z.literal('fullhouse'), version: z.literal(version) }) }),
        components: z.array(z.object({ 'bom-ref': z.string(), name: z.string(), purl: z.string().optional() })),
        dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
      })
      .parse(JSON.parse(readFileSync(join(files(), `Fullhouse-${version}.cdx.json`), 'utf8')));
    const purls = bom.components.flatMap(({ purl }) => purl ?? []);
    for (const start of [
      'pkg:npm/libsql@',
      'pkg:npm/electron@',
      'pkg:npm/svelte@',
      'pkg:golang/std@',
      'pkg:golang/github.com/pion/webrtc/v4@v',
    ])
      expect(
        purls.some((purl) => purl.startsWith(start)),
        start,
      ).toBe(true);
    // Tools of the build do not ship.
    expect(purls.filter((purl) => /^pkg:npm\/(vitest|electron-builder|typescript)@/.test(purl))).toEqual([]);
    expect(purls.filter((purl) => purl.startsWith('pkg:npm/'))).toHaveLength(
      new Set(
        (npmComponents(root) as readonly Named[])
          .filter(({ isWithin }) => !isWithin)
          .map((component) => `${component.name}@${component.version}`),
      ).size + 1,
    );
    // Compiled into a package, without one of its own.
    expect(bom.components.map(({ name }) => name)).toContain('ZXing-C++ (in zxing-wasm)');
    expect(bom.components.filter(({ name }) => name.endsWith('(font)')).length).toBeGreaterThan(0);
    const refs = new Set(bom.components.map((component) => component['bom-ref']));
    expect(refs.size).toBe(bom.components.length);
    expect(bom.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((ref) => !refs.has(ref))).toEqual([]);
  });

  it('write checksums, sign them if there is a key, and create a draft', async () => {
    const step = (name: string, env: Record<string, string> = {}) =>
      runStep(stepOf(release, 'publish', name), workspace, env);
    expect(await step('Write the checksums')).toEqual({ code: 0, output: '' });
    const sums = readFileSync(join(files(), 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums).toHaveLength(readdirSync(files()).length - 1);
    for (const line of sums) {
      const [sum, file = ''] = line.split(/ [ *]/);
      expect(
        createHash('sha256')
          .update(readFileSync(join(files(), file)))
          .digest('hex'),
      ).toBe(sum);
    }
    expect((await step('Sign the checksums', { KEY: '', PASSPHRASE: '' })).output).toContain(
      'SHA256SUMS is not signed',
    );

    const standin = join(workspace, 'gh');
    const { code, output } = await step('Create the draft release', {
      ...{ TAG: `v${version}`, GH_TOKEN: 'token', GH_REPO: 'acme/fullhouse', GH_STANDIN: standin },
      PATH: `${join(root, 'tests', 'standins', 'gh')}:${process.env['PATH'] ?? ''}`,
    });
    expect(code, output).toBe(0);
    expect(readdirSync(join(standin, 'releases', `v${version}`))).toEqual(readdirSync(files()));
    expect(readFileSync(join(standin, 'releases', `v${version}.title`), 'utf8')).toBe(`Fullhouse ${version}\n`);
  });
});
