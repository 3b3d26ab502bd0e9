import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { generatedModules } from './vite.shared.mjs';

/**
 * Integration tests whose viewers load the machine: one at a time, so that they do not affect each other. The others
 * mostly wait for servers.
 */
const loadTheMachine = ['accuracy', 'cli', 'engine', 'failure', 'link', 'player', 'run', 'stop', 'testerGroup'].map(
  (name) => `tests/integration/${name}.test.ts`,
);

/** Tests that saturate entire processors: one after the other. */
const saturateCpu = ['testerLimited', 'busyMachine'].map((name) => `tests/integration/${name}.test.ts`);

/**
 * Tests that depend on the machine's headroom: on a busy one they would correctly report a limit. A few viewers each,
 * so they can run together.
 */
const needHeadroom = ['findLimit', 'estimate'].map((name) => `tests/integration/${name}.test.ts`);

/** Tests of the app that wait for a verdict: alone, since a busy machine rightly makes a run inconclusive. */
const needVerdict = ['mainJob', 'nodes', 'testerLimited'].map((name) => `tests/e2e/${name}.test.ts`);

/** Of the parts with several workers: started first, so that the last one to end does not run alone. */
const longest = [
  'renderer/accessibility/dialogs',
  'renderer/accessibility/consoles',
  'e2e/closing',
  'renderer/window',
  'renderer/narrow',
  'integration/twoHosts',
  'integration/testerAgent',
  'integration/endings',
  'integration/clock',
  'integration/stages',
  'integration/library',
].map((name) => `tests/${name}.test.ts`);

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(name));
      return at < 0 ? longest.length : at;
    };
    return (await super.sort(files)).sort((a, b) => place(a) - place(b));
  }
}

/** Runs on request only, with a folder for the pictures. */
const takesPictures = process.env['FULLHOUSE_PICTURES'] ? [] : ['tests/renderer/readmePictures.test.ts'];

/**
 * Tests with real servers, sockets and windows: a failed one runs up to twice more, since the machine may have been busy
 * with something else. `npm test` names those that needed it.
 */
const realTime = { retry: 2, testTimeout: 90_000, hookTimeout: 90_000 };
const inTheApp = { ...realTime, testTimeout: 120_000, hookTimeout: 120_000 };

/** One project per kind of test; `npm test` runs them in sequence, since the later ones load the machine. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Stores of the window are `.svelte.ts` files, which the Svelte compiler must process first.
        plugins: [svelte({ configFile: false }), generatedModules()],
        // Vitest runs on Node, where Svelte would otherwise be taken for its server side.
        resolve: { conditions: ['browser'] },
        test: {
          name: 'unit',
          // They have no global state, so they may share a process; one for each file takes four times as long.
          isolate: false,
          // Enough for a machine on which everything takes five times as long.
          testTimeout: 30_000,
          // Some have real timers and processes.
          retry: 1,
          include: [
            'src/**/*.test.ts',
            'scripts/**/*.test.mjs',
            'tests/drawing/**/*.test.ts',
            'tests/drills/*.test.ts',
            'tests/bench/**/*.test.mjs',
          ],
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'integration',
          include: loadTheMachine,
          fileParallelism: false,
          ...realTime,
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'saturating',
          include: saturateCpu,
          fileParallelism: false,
          ...realTime,
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'headroom',
          include: needHeadroom,
          ...realTime,
          // A trial has no result while other programs or virtual machines use the CPU.
          retry: 4,
        },
      },
      {
        test: { name: 'package', include: ['tests/package/**/*.test.ts'], ...realTime, testTimeout: 180_000 },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'servers',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...loadTheMachine, ...saturateCpu, ...needHeadroom],
          ...realTime,
        },
      },
      {
        // Each starts a Kubernetes: on request only, one after the other.
        plugins: [generatedModules()],
        test: {
          name: 'kubernetes',
          include: ['tests/kubernetes/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 240_000,
          hookTimeout: 240_000,
        },
      },
      {
        // Faults of processes and machines: on request only, several at the same time, since most of them wait.
        plugins: [generatedModules()],
        test: {
          name: 'drills',
          include: ['tests/drills/faults/**/*.test.ts'],
          setupFiles: ['tests/e2e/workerDisplay.ts'],
          maxConcurrency: 4,
          testTimeout: 300_000,
          hookTimeout: 90_000,
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'window',
          include: ['tests/renderer/**/*.test.ts', 'tests/e2e/**/*.test.ts'],
          exclude: [...needVerdict, ...takesPictures],
          globalSetup: ['tests/renderer/buildPage.ts'],
          setupFiles: ['tests/e2e/workerDisplay.ts'],
          // The files of a worker share one Electron (`windowTest`).
          isolate: false,
          ...inTheApp,
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'player',
          include: ['tests/player/**/*.test.ts'],
          globalSetup: ['tests/player/buildPage.ts'],
          setupFiles: ['tests/e2e/workerDisplay.ts'],
          fileParallelism: false,
          ...inTheApp,
        },
      },
      {
        plugins: [generatedModules()],
        test: {
          name: 'e2e',
          include: needVerdict,
          setupFiles: ['tests/e2e/workerDisplay.ts'],
          fileParallelism: false,
          ...inTheApp,
        },
      },
    ],
  },
});
