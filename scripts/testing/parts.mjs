import { join } from 'node:path';
import { run } from '../setup/command.mjs';
import { kubernetes } from '../setup/kubernetes.mjs';
import { cacheFolder, inRoot } from '../setup/paths.mjs';
import { checkTypes } from '../types.mjs';
import { startDisplay } from './display.mjs';
import { runGoTests } from './goTest.mjs';
import { runVitest } from './vitest.mjs';

/** Programs with a single result; prints the output of a failed one. */
async function checks(list) {
  const count = { passed: 0, failed: 0, notes: [] };
  for (const { name, passed, output } of list) {
    count[passed ? 'passed' : 'failed'] += 1;
    if (!passed) process.stderr.write(`\n${name} failed:\n${output}\n`);
  }
  return count;
}

async function check(name, program, args, options) {
  const { code, stdout, stderr } = await run(program, args, options);
  return { name, passed: code === 0, output: `${stdout}${stderr}` };
}

/** Tests of the app: `workers` of them at the same time, each with its own display. */
function appPart(project, workers, more = []) {
  return {
    needs: ['packages', 'dependencies', 'electron', 'agent', 'bundles', 'cli', ...more],
    run: async () => {
      if (process.platform !== 'linux') return runVitest(project, { workers: 1 });
      const displays = await Promise.all(Array.from({ length: workers }, () => startDisplay()));
      try {
        const names = displays.map(({ name }) => name).join(' ');
        return await runVitest(project, { workers, env: { FULLHOUSE_TEST_DISPLAYS: names, WAYLAND_DISPLAY: '' } });
      } finally {
        await Promise.all(displays.map((display) => display.stop()));
      }
    },
  };
}

const lab = ['packages', 'dependencies', 'agent', 'cli'];

/** Tests with real agents and servers. */
const withAgents = (project, { workers, needs = [] } = {}) => ({
  needs: [...lab, ...needs],
  run: () => runVitest(project, { workers }),
});

/** A part that `npm test -- changed` adds for its paths. */
const byPath = (part) => ({ ring: 'changed', ...part });

/**
 * The parts of the test run: what each needs prepared, how it runs, and its ring. `gate`: in every run; `changed`: where
 * a change touches its paths (partsOfChange.mjs); `all`: before a release.
 */
export const testParts = {
  lint: {
    ring: 'gate',
    needs: ['dependencies', 'packages'],
    run: async () => {
      const background = { isBackground: true };
      const ofAgent = { ...background, cwd: inRoot('agent') };
      const node = (name, program, ...args) =>
        check(name, process.execPath, [inRoot('node_modules', ...program), ...args], background);
      return checks([
        await node('oxlint', ['oxlint', 'bin', 'oxlint'], '--deny-warnings'),
        await node('eslint', ['eslint', 'bin', 'eslint.js'], '.', '--max-warnings', '0'),
        await node(
          'imports',
          ['dependency-cruiser', 'bin', 'dependency-cruise.mjs'],
          '--config',
          inRoot('.dependency-cruiser.cjs'),
          'src',
        ),
        await node(
          'prettier',
          ['prettier', 'bin', 'prettier.cjs'],
          ...['--check', '--log-level', 'warn', '.'],
          // By content, options and version: a file that has not changed is not read again.
          ...['--cache', '--cache-strategy', 'content', '--cache-location', join(cacheFolder, 'prettier')],
        ),
        // Loaded when needed: its packages are installed by setup.
        await (await import('./audit.mjs')).auditPackages(),
        await check('go vet', 'go', ['vet', './...'], ofAgent),
        await check('staticcheck', 'go', ['tool', '-modfile=tools/go.mod', 'staticcheck', './...'], ofAgent),
      ]);
    },
  },
  types: {
    ring: 'gate',
    needs: ['dependencies'],
    run: async () => checks(await checkTypes()),
  },
  unit: {
    ring: 'gate',
    needs: ['dependencies'],
    run: () => runVitest('unit'),
  },
  agent: {
    ring: 'gate',
    needs: ['packages', 'agent'],
    run: runGoTests,
  },
  window: { ring: 'gate', ...appPart('window', 3) },
  integration: { ring: 'gate', ...withAgents('integration', { workers: 2 }) },
  // These mostly wait for servers and links.
  servers: { ring: 'gate', ...withAgents('servers', { workers: 3, needs: ['livekit'] }) },
  e2e: { ring: 'gate', ...appPart('e2e', 1) },

  livekit: byPath(withAgents('livekit', { needs: ['livekit'] })),
  wcs: byPath(withAgents('wcs')),
  srs: byPath(withAgents('srs')),
  rtmp: byPath(withAgents('rtmp')),
  openvidu: byPath(withAgents('openvidu')),
  prometheus: byPath(withAgents('prometheus')),
  ssh: byPath(withAgents('ssh', { workers: 2 })),
  browsers: byPath(withAgents('browsers')),
  vmaf: byPath(withAgents('vmaf', { needs: ['vmaf'] })),
  iperf3: byPath(withAgents('iperf3')),
  gc: byPath(withAgents('gc')),
  accuracy: byPath(withAgents('accuracy')),
  saturating: byPath(withAgents('saturating')),
  headroom: byPath(withAgents('headroom', { workers: 2 })),
  accessibility: byPath(appPart('accessibility', 3)),
  app: byPath(appPart('app', 1)),
  player: byPath(appPart('player', 1, ['vmaf', 'livekit'])),
  package: byPath({
    needs: ['packages', 'dependencies', 'electron', 'agent', 'bundles', 'cli'],
    run: () => runVitest('package'),
  }),
  // Its programs are built for 10 to 20 minutes, once: a change adds it only for what is its own, and where they are built.
  kubernetes: byPath({
    ...withAgents('kubernetes', { needs: ['clusterPackages', 'kubernetes'] }),
    needsRoot: true,
    isOnlyByPath: true,
    isBuilt: kubernetes.isReady,
  }),

  // Up to ten minutes.
  drills: { ring: 'all', ...appPart('drills', 1) },
};

/**
 * Parts that run concurrently, max `atOnce`. Runs with real agents and servers mostly wait, so these run together, and the
 * linters beside them in the background. The agent's tests measure times, and run alone.
 */
export const stages = [
  { parts: ['types', 'unit'], atOnce: 2 },
  { parts: ['agent'], atOnce: 1 },
  { parts: ['integration', 'servers', 'lint'], atOnce: 3 },
  { parts: ['window'], atOnce: 1 },
  { parts: ['e2e'], atOnce: 1 },
  {
    parts: ['ssh', 'livekit', 'rtmp', 'prometheus', 'wcs', 'srs', 'gc', 'iperf3', 'openvidu', 'vmaf', 'browsers'],
    atOnce: 4,
  },
  {
    parts: ['accessibility', 'accuracy', 'saturating', 'headroom', 'app', 'player', 'package', 'kubernetes', 'drills'],
    atOnce: 1,
  },
];
