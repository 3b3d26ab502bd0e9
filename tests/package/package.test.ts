import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { maxPackedBytes, pack } from '../../scripts/pack.mjs';
import { startGitHubComments } from '../standins/gitHubComments';
import { environmentOf, readAction, readTemplate } from './action';
import { execute, type Ended } from './runStep';

const root = join(import.meta.dirname, '..', '..');

/** Everything that the package may contain. */
const allowed = [
  /^package\.json$/,
  /^README\.md$/,
  /^man\/fullhouse\.1$/,
  /^THIRD-PARTY-NOTICES\.txt$/,
  /^bin\/fullhouse\.js$/,
  /^out\/cli\/(index|runReader)\.js$/,
  /^out\/cli\/assets\/[\w.-]+\.js$/,
  /^out\/viewer-page\/(index\.html|assets\/[\w.-]+\.(js|css))$/,
  /^build\/agents\/agents\.json$/,
  /^build\/agents\/linux-(x64|arm64)\/fullhouse-agent$/,
  /^assets\/lab\/sample-240p\.(h264|ogg)$/,
  /^assets\/presets\/[\w.-]+\.yaml$/,
  /^assets\/fidelity\/chromium\.json$/,
];

// The load of the test machine is not under test.
const plan = `name: Pull 10 on the lab
nodes:
  origin: { server: lab }
  audience: { tester: local }
publish: [{ stream: cam, node: origin, source: sample-240p }]
pull: { stream: cam, from: origin, by: [audience], viewers: 10, rate: 10/s, hold: 3s }
expect: { connected: ">= 100%", cpu: "<= 100%", gcPause: off }
`;

let folder: string;
let tarball: string;
/** Where the tarball is installed. */
let installed: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-packed-'));
  ({ tarball } = await pack('linux'));
  installed = join(folder, 'installed');
  mkdirSync(installed);
  writeFileSync(join(installed, 'plan.yaml'), plan);
  // Without it npm installs into the next folder above that has one, or packages.
  writeFileSync(join(installed, 'package.json'), '{ "private": true }');
  cpSync(tarball, join(installed, basename(tarball)));
  const args = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund', `./${basename(tarball)}`];
  const { code, output } = await execute('npm', args, installed, {});
  expect(code, output).toBe(0);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the npm package', () => {
  it('is small and contains only what the command line needs', () => {
    expect(statSync(tarball).size).toBeLessThan(maxPackedBytes);
    const own = join(installed, 'node_modules', 'fullhouse');
    const files = readdirSync(own, { recursive: true, encoding: 'utf8' }).filter((file) =>
      statSync(join(own, file)).isFile(),
    );
    expect(files.filter((file) => !allowed.some((pattern) => pattern.test(file)))).toEqual([]);
    expect(allowed.filter((pattern) => !files.some((file) => pattern.test(file)))).toEqual([]);
    expect(files.filter((file) => file.endsWith('/fullhouse-agent'))).toHaveLength(2);
    expect(existsSync(join(installed, 'node_modules', 'electron'))).toBe(false);
  });

  it('has the licences of what is bundled', () => {
    const notices = readFileSync(join(installed, 'node_modules', 'fullhouse', 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    for (const name of ['zod', 'yaml', 'hls.js', 'github.com/pion/webrtc/v4', 'Go standard library and runtime'])
      expect(notices).toMatch(new RegExp(`^  ${name} `, 'm'));
    expect(notices).not.toContain('Electron');
  });

  it('runs a plan to its verdict by npx', async () => {
    // Of a failed first try.
    rmSync(join(installed, 'runs'), { recursive: true, force: true });
    const { code, output } = await execute('npx', ['--no-install', 'fullhouse', 'run', 'plan.yaml'], installed, {});
    expect(code, output).toBe(0);
    const left = readdirSync(join(installed, 'runs')).filter((file) => /\.(fullhouse|html)$/.test(file));
    expect(left.map((file) => file.replace(/^.*\./, '')).sort()).toEqual(['fullhouse', 'html']);
  });
});

/** The action's steps, run one after the other as a runner does. Needs the run of the test before as the baseline. */
describe('the GitHub action', () => {
  const { inputs, runs } = readAction(root);
  const repository = 'acme/streaming';

  it('uses actions of others by commit only, and reads inputs only as variables', () => {
    for (const { uses, run, shell } of runs.steps) {
      if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
      else expect(shell).toBe('bash');
      expect(run ?? '').not.toContain('${{');
    }
  });

  it('runs the plan, compares it with the baseline of the artifact, writes the summary and comments', async () => {
    // A new one for each try.
    const job = mkdtempSync(join(folder, 'job-'));
    const temp = join(job, 'temp');
    const workspace = join(job, 'workspace');
    for (const each of [temp, workspace]) mkdirSync(each, { recursive: true });
    writeFileSync(join(workspace, 'plan.yaml'), plan);
    const artifacts = join(job, 'artifacts');
    cpSync(join(installed, 'runs'), join(artifacts, '101', 'fullhouse-run'), { recursive: true });
    mkdirSync(join(artifacts, '102'));
    const others = Array.from({ length: 130 }, (_, i) => ({ id: i + 1, body: `Comment ${i}` }));
    const gitHub = await startGitHubComments(repository, 'job-token', { comments: others });
    const given: Record<string, string> = {
      plan: 'plan.yaml',
      package: tarball,
      set: 'pull.rate=20/s\npull.rate=10/s',
      'baseline-artifact': 'fullhouse-run',
      token: 'job-token',
    };
    const values: Record<string, string> = {
      ...Object.fromEntries(
        Object.entries(inputs).map(([name, input]) => [`inputs.${name}`, given[name] ?? input.default ?? '']),
      ),
      "inputs.baseline-artifact != '' && 'fullhouse-baselines' || ''": 'fullhouse-baselines',
      "inputs.summary == 'true' && 'yes' || ''": 'yes',
      "inputs.allow-hooks == 'true' && 'yes' || ''": '',
      'github.event.repository.default_branch': 'main',
      'github.event.pull_request.number': '7',
      'github.repository': repository,
      'github.server_url': 'https://github.example',
      'github.run_id': '200',
    };
    const files = { GITHUB_STEP_SUMMARY: join(job, 'summary.md'), GITHUB_OUTPUT: join(job, 'output') };
    const common = {
      PATH: `${join(root, 'tests', 'standins', 'gh')}:${process.env['PATH'] ?? ''}`,
      GH_STANDIN: artifacts,
      RUNNER_TEMP: temp,
      GITHUB_WORKFLOW: 'Load',
      GITHUB_REPOSITORY: repository,
      GITHUB_API_URL: gitHub.url,
      ...files,
    };
    const steps = async (names: readonly string[]): Promise<Record<string, Ended>> => {
      const ended: Record<string, Ended> = {};
      for (const step of runs.steps.filter(({ name }) => names.includes(name))) {
        const env = { ...common, ...environmentOf(step, values) };
        const script = join(job, 'step.sh');
        writeFileSync(script, step.run ?? '');
        ended[step.name] = await execute(
          'bash',
          ['--noprofile', '--norc', '-e', '-o', 'pipefail', script],
          workspace,
          env,
        );
      }
      return ended;
    };
    try {
      const all = runs.steps.filter(({ run }) => run !== undefined).map(({ name }) => name);
      expect(all).toEqual(['Install Fullhouse', 'Get the baselines', 'Run the plan', 'Comment on the pull request']);
      const ended = await steps(all);
      for (const name of all.filter((each) => each !== 'Run the plan'))
        expect(ended[name]?.code, `${name}: ${ended[name]?.output}`).toBe(0);
      expect(ended['Get the baselines']?.output).toContain('Run 102 has no artifact fullhouse-run.');

      const outputs = Object.fromEntries(
        readFileSync(files.GITHUB_OUTPUT, 'utf8')
          .trim()
          .split('\n')
          .map((line) => line.split('=', 2) as [string, string]),
      );
      // A busy machine may make it worse than its baseline; the exit code has to agree either way.
      expect(['pass', 'fail', 'inconclusive'], ended['Run the plan']?.output).toContain(outputs['verdict']);
      expect(ended['Run the plan']?.code).toBe({ pass: 0, fail: 1, inconclusive: 3 }[outputs['verdict'] ?? '']);
      for (const file of [outputs['run_file'], outputs['report'], 'fullhouse-runs/junit.xml'])
        expect(statSync(join(workspace, file ?? 'none')).size).toBeGreaterThan(1000);

      const summary = readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8');
      expect(summary).toContain(`## Pull 10 on the lab: ${(outputs['verdict'] ?? '').toUpperCase()}`);
      if (outputs['verdict'] === 'inconclusive') expect(summary).toContain('**Not compared**');
      else
        expect(summary).toMatch(
          /^\| The peak viewer count \| 10 \| 10 \| 0 viewers \| 1 viewer \(bound\) \| within \|$/m,
        );
      expect(summary).toContain('(https://github.example/acme/streaming/actions/runs/200)');

      expect(gitHub.comments).toHaveLength(131);
      expect(gitHub.comments[130]?.body).toContain('## Pull 10 on the lab: ');
      // The same comment is found on the second page of the list.
      expect(await steps(['Comment on the pull request'])).toMatchObject({
        'Comment on the pull request': { code: 0, output: 'Updated the comment on pull request 7.\n' },
      });
      expect(gitHub.comments).toHaveLength(131);
    } finally {
      gitHub.close();
    }
  });

  it('succeeds without a comment where the token may only read', async () => {
    const gitHub = await startGitHubComments(repository, 'fork-token', { mayWrite: false });
    try {
      const file = join(folder, 'comment.md');
      writeFileSync(file, '<!-- fullhouse 0123456789abcdef -->\n## Pull 10 on the lab: PASS\n');
      const program = join(installed, 'node_modules', '.bin', 'fullhouse');
      const { code, output } = await execute(program, ['comment', file, '--pull-request', '7'], folder, {
        ...{ GITHUB_TOKEN: 'fork-token', GITHUB_REPOSITORY: repository, GITHUB_API_URL: gitHub.url },
      });
      expect(output).toContain('No comment on pull request 7: GitHub refused it (403).');
      expect(output).not.toContain('fork-token');
      expect(code).toBe(0);
    } finally {
      gitHub.close();
    }
  });
});

describe('the GitLab template', () => {
  it('installs the package and leaves summary and outputs, also of a run that could not start', async () => {
    const { script, variables } = readTemplate(root);
    const workspace = mkdtempSync(join(folder, 'gitlab-'));
    const env = {
      ...variables,
      ...{ FULLHOUSE_PACKAGE: tarball, FULLHOUSE_PLAN: 'missing.yaml', CI_JOB_URL: 'https://gitlab.example/1' },
    };
    // As GitLab's runner: all lines in one shell, which ends at the first failure.
    const { code, output } = await execute('bash', ['-e', '-o', 'pipefail', '-c', script.join('\n')], workspace, env);
    expect(code, output).toBe(2);
    const out = (name: string): string => readFileSync(join(workspace, 'fullhouse-runs', name), 'utf8');
    expect(out('summary.md')).toContain('## missing.yaml: NOT STARTED\n\n- Plan missing.yaml does not exist;');
    expect(out('outputs.env')).toBe('verdict=none\n');
  });
});
