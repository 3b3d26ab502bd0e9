import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { patternsOf } from './scripts/testing/testPlaces.mjs';
import { deferredSchemas, generatedModules } from './vite.shared.mjs';

/** Of the parts with several workers: started first, so that the last one to end does not run alone. */
const longest = [
  'renderer/accessibility/dialogs',
  'renderer/accessibility/consoles',
  'e2e/closing',
  'renderer/boxes/dialogs',
  'renderer/boxes/consoles',
  'renderer/window',
  'renderer/narrow',
  'integration/endings',
  'integration/suspendedConsole',
  'integration/stages',
  'integration/tester',
  'integration/fleetFaults',
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

/**
 * Tests with real servers, sockets and windows. No test has a second try here; `npm test` repeats the files of those in
 * tests/flaky.json.
 */
const realTime = { testTimeout: 90_000, hookTimeout: 90_000 };
/** One second, Vitest's limit of `expect.poll`, is too short for a window on a busy machine. */
const inTheApp = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 20_000 } } };

interface Limits {
  readonly testTimeout: number;
  readonly hookTimeout: number;
  readonly expect?: { readonly poll: { readonly timeout: number } };
  readonly maxConcurrency?: number;
  /** Whether its files run at the same time, in several workers; else one after the other. */
  readonly fileParallelism?: boolean;
  readonly setupFiles?: string[];
  readonly globalSetup?: string[];
  readonly css?: { readonly include: RegExp[] };
  /** Whether each file has modules of its own. */
  readonly isolate?: boolean;
}

/** A part of the test run with real agents, servers or windows. */
const part = (name: string, limits: Limits = realTime) => ({
  plugins: [generatedModules()],
  test: { name, ...patternsOf(name), ...limits },
});

const oneByOne = { fileParallelism: false };
/** Of one file: each starts an engine with agents and a writing process, which must not take longer than they may. */
const fewAtOnce = { ...realTime, maxConcurrency: 2 };
const withDisplay = { setupFiles: ['tests/e2e/workerDisplay.ts'] };
/** The style sheet of a report is imported as text. */
const inWindowPage = {
  ...inTheApp,
  ...withDisplay,
  globalSetup: ['tests/renderer/buildPage.ts'],
  css: { include: [/\?raw$/] },
};

/** One project per part of the test run (scripts/testing/parts.mjs), which has the tests of its places. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        // Stores of the window are `.svelte.ts` files, which the Svelte compiler must process first.
        plugins: [svelte({ configFile: false }), generatedModules()],
        // Vitest runs on Node, where Svelte would otherwise be taken for its server side.
        resolve: { conditions: ['browser'], alias: deferredSchemas },
        test: {
          name: 'unit',
          ...patternsOf('unit'),
          // They have no global state, so they may share a process; one for each file takes four times as long.
          isolate: false,
          setupFiles: ['tests/support/sharedState.ts'],
          // Enough for a machine on which everything takes five times as long.
          testTimeout: 30_000,
          // Style sheets that are imported as text; Vitest empties all others.
          css: { include: [/\?raw$/] },
        },
      },
      part('servers', fewAtOnce),
      part('integration', fewAtOnce),

      part('livekit'),
      part('wcs'),
      part('srs'),
      part('rtmp'),
      part('openvidu'),
      part('prometheus'),
      part('ssh'),
      part('browsers'),
      part('vmaf'),
      part('iperf3'),
      part('gc'),
      part('accuracy', { ...realTime, ...oneByOne }),
      part('saturating', { ...realTime, ...oneByOne }),
      // A few viewers each, so they can run together.
      part('headroom'),
      part('package', { ...realTime, testTimeout: 180_000 }),
      // Each starts a Kubernetes.
      part('kubernetes', { testTimeout: 240_000, hookTimeout: 240_000, ...oneByOne }),

      // The files of a worker share one Electron (`windowTest`).
      part('window', { ...inWindowPage, isolate: false }),
      part('accessibility', { ...inWindowPage, isolate: false }),
      part('pictures', inWindowPage),
      part('e2e', { ...inTheApp, ...withDisplay, ...oneByOne }),
      part('app', { ...inTheApp, ...withDisplay, ...oneByOne }),
      part('player', { ...inTheApp, ...withDisplay, ...oneByOne, globalSetup: ['tests/player/buildPage.ts'] }),
      // Faults of processes and machines: several at the same time, since most of them wait.
      part('drills', { testTimeout: 300_000, hookTimeout: 90_000, maxConcurrency: 4, ...withDisplay }),
    ],
  },
});
