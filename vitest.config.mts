import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** Integration tests whose viewers load the machine: alone, or they would disturb each other. The others mostly wait for servers. */
const loadTheMachine = [
  'accuracy',
  'cli',
  'engine',
  'failure',
  'killed',
  'link',
  'player',
  'run',
  'stop',
].map((name) => `tests/integration/${name}.test.ts`);

/** Tests that keep whole processors from all others: one after the other. */
const starveOthers = ['testerLimited', 'busyMachine'].map((name) => `tests/integration/${name}.test.ts`);

/** Tests that judge by what the machine has to spare: they would rightly call a busy one limited. A few viewers each, so they bear each other. */
const needQuiet = ['findLimit', 'estimate'].map((name) => `tests/integration/${name}.test.ts`);

/** One project per kind of test; `npm test` runs them one after the other, since the later ones load the machine. */
export default defineConfig({
  test: {
    projects: [
      {
        // Stores of the window are `.svelte.ts` files, which the Svelte compiler has to see first.
        plugins: [svelte({ configFile: false })],
        // Vitest runs on Node, where Svelte would otherwise be taken for its server side.
        resolve: { conditions: ['browser'] },
        test: {
          name: 'unit',
          // They keep nothing outside themselves, so they may share a process; one for each file takes four times as long.
          isolate: false,
          include: ['src/**/*.test.ts', 'scripts/**/*.test.mjs', 'tests/bench/**/*.test.mjs'],
        },
      },
      {
        test: {
          name: 'integration',
          include: loadTheMachine,
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'starving',
          include: starveOthers,
          fileParallelism: false,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'quiet',
          include: needQuiet,
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'servers',
          include: ['tests/integration/**/*.test.ts'],
          exclude: [...loadTheMachine, ...starveOthers, ...needQuiet],
          testTimeout: 90_000,
          hookTimeout: 90_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts', 'tests/player/**/*.test.ts', 'tests/renderer/**/*.test.ts'],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
