import { run } from '../setup/command.mjs';
import { inRoot } from '../setup/paths.mjs';
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

/** The parts of the test run, in order: what each needs prepared, and how it runs. */
export const testParts = {
  lint: {
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
        await node('prettier', ['prettier', 'bin', 'prettier.cjs'], '--check', '--log-level', 'warn', '.'),
        // Loaded when needed: its packages are installed by setup.
        await (await import('./audit.mjs')).auditPackages(),
        await check('go vet', 'go', ['vet', './...'], ofAgent),
        await check('staticcheck', 'go', ['tool', '-modfile=tools/go.mod', 'staticcheck', './...'], ofAgent),
      ]);
    },
  },
  types: {
    needs: ['dependencies'],
    run: async () => checks(await checkTypes()),
  },
  unit: {
    needs: ['dependencies'],
    run: () => runVitest('unit'),
  },
  agent: {
    needs: ['packages', 'agent'],
    run: runGoTests,
  },
  integration: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('integration'),
  },
  servers: {
    needs: ['packages', 'dependencies', 'agent', 'cli', 'livekit', 'vmaf'],
    // These mostly wait for servers and links, so they run concurrently.
    run: () => runVitest('servers', { workers: 5 }),
  },
  package: {
    needs: ['packages', 'dependencies', 'electron', 'agent', 'bundles', 'cli'],
    run: () => runVitest('package'),
  },
  saturating: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('saturating'),
  },
  headroom: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('headroom', { workers: 2 }),
  },
  window: appPart('window', 3),
  player: appPart('player', 1, ['vmaf', 'livekit']),
  e2e: appPart('e2e', 1),
  // On request only: it takes up to ten minutes, and it needs root.
  drills: { ...appPart('drills', 1), isOnRequest: true },
  // On request only: its programs are built for 10 to 20 minutes, once, and it needs root.
  kubernetes: {
    needs: ['packages', 'clusterPackages', 'dependencies', 'agent', 'cli', 'kubernetes'],
    isOnRequest: true,
    run: () => runVitest('kubernetes'),
  },
};

/**
 * Parts that run concurrently. The agent's tests and those of the fourth stage mostly wait (for viewers, for servers):
 * the linters run beside the former in the background, and the latter run together. The others run exclusively.
 */
export const stages = [
  ['types', 'unit'],
  ['agent', 'lint'],
  ['window'],
  ['integration', 'servers'],
  ['package'],
  ['saturating'],
  ['headroom'],
  ['player'],
  ['e2e'],
  ['drills'],
  ['kubernetes'],
];
