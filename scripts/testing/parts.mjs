import { run } from '../setup/command.mjs';
import { inRoot } from '../setup/paths.mjs';
import { checkTypes } from '../types.mjs';
import { startDisplay } from './display.mjs';
import { runGoTests } from './goTest.mjs';
import { runVitest } from './vitest.mjs';

/** Programs that pass or fail as a whole; the output of one that fails is shown. */
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

/** The parts of the test run, in their order: what they need to be ready, and how they run. */
export const testParts = {
  lint: {
    needs: ['dependencies'],
    run: async () =>
      checks([
        await check('eslint', process.execPath, [
          inRoot('node_modules', 'eslint', 'bin', 'eslint.js'),
          '.',
          '--max-warnings',
          '0',
        ]),
        await check('prettier', process.execPath, [
          inRoot('node_modules', 'prettier', 'bin', 'prettier.cjs'),
          '--check',
          '--log-level',
          'warn',
          '.',
        ]),
      ]),
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
    run: async () => {
      const vet = await checks([await check('go vet', 'go', ['vet', './...'], { cwd: inRoot('agent') })]);
      const tests = await runGoTests();
      return {
        passed: vet.passed + tests.passed,
        failed: vet.failed + tests.failed,
        notes: tests.notes,
      };
    },
  },
  integration: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('integration'),
  },
  servers: {
    needs: ['packages', 'dependencies', 'agent', 'cli', 'livekit'],
    // These wait for servers and links more than they compute, so they may wait together.
    run: () => runVitest('servers', { workers: 4 }),
  },
  starving: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('starving'),
  },
  quiet: {
    needs: ['packages', 'dependencies', 'agent', 'cli'],
    run: () => runVitest('quiet', { workers: 2 }),
  },
  e2e: {
    needs: ['packages', 'dependencies', 'electron', 'agent', 'bundles', 'cli'],
    run: async () => {
      if (process.platform !== 'linux') return runVitest('e2e');
      const display = await startDisplay();
      try {
        return await runVitest('e2e', { env: { DISPLAY: display.name, WAYLAND_DISPLAY: '' } });
      } finally {
        await display.stop();
      }
    },
  },
};

/**
 * Parts that run at the same time. The agent's tests and those of the third stage wait more than they compute (for viewers, for servers),
 * so the linter, which computes on one core, has room beside the former, and the latter bear each other. The others have the machine for
 * themselves.
 */
export const stages = [
  ['types', 'unit'],
  ['agent', 'lint'],
  ['integration', 'servers'],
  ['starving'],
  ['quiet'],
  ['e2e'],
];
