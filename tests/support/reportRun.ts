import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NamedLayout } from '../../src/domain/model/chartLayout';
import type { MachineFingerprint, NodeView } from '../../src/domain/model/node';
import type { RunEvent, RunView } from '../../src/domain/model/run';
import type { Sample, SeriesId } from '../../src/domain/series/series';
import { judgeRun } from '../../src/domain/verdict/verdict';
import { openRunLibrary, type RunLibrary, type RunReader } from '../../src/engine/store';
import { testPlan, testSample, testStartMs, testView } from './savedRun';
import { audienceIn } from './pullPlan';

/**
 * Runs for tests of the report: invented, but computed from one set of equations, so that all charts are consistent.
 */

const machine: MachineFingerprint = {
  system: 'Debian GNU/Linux 12',
  kernel: '6.1.0-31-amd64',
  cpuModel: 'Intel(R) Xeon(R) CPU @ 2.20GHz',
  cores: 2,
  memoryBytes: 8 * 2 ** 30,
  openFilesLimit: 20_000,
  versions: { fullhouse: '0.1.0', agent: '0.1.0', node: '20.20.0', go: '1.26.0' },
};

export const testNodes: readonly NodeView[] = testView('nodes').nodes.map((node) => ({
  ...node,
  machine,
  streams:
    node.role === 'origin'
      ? [
          {
            stream: 'cam',
            source: 'sample-240p',
            viewers: 1000,
            videoCodec: 'H264',
            audioCodec: 'opus',
            width: 426,
            height: 240,
            fps: 25,
            bitrateKbps: 170,
            packetsPerSecond: 42,
          },
        ]
      : [],
}));

const rampSeconds = 12;
const holdSeconds = 60;
const drainSeconds = 4;
export const testRunSeconds = rampSeconds + holdSeconds + drainSeconds;

/** The same sequence every time; values from 0 to 1. */
function noise(): () => number {
  let seed = 20_261_122;
  return () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
}

const round = (value: number, decimals: number): number => Number(value.toFixed(decimals));

/** Samples of a pull of 1,000 with a slow quarter of a minute in its hold; the tester has a gap of 6 s in it. */
export function thousandViewers(): Sample[] {
  const random = noise();
  const samples: Sample[] = [];
  for (let second = 0; second <= testRunSeconds; second += 1) {
    const isDraining = second > rampSeconds + holdSeconds;
    const drained = Math.max(0, 1 - (second - rampSeconds - holdSeconds) / drainSeconds);
    const connected = Math.round(isDraining ? 996 * drained : Math.min(996, second * 84));
    const slow = second > 34 && second < 49 ? Math.sin(((second - 34) / 15) * Math.PI) : 0;
    const add = (node: string, values: Partial<Record<SeriesId, number>>): void => {
      for (const [series, value] of Object.entries(values))
        samples.push(testSample(second + (node === 'origin' ? 0.012 : 0.151), node, series as SeriesId, Number(value)));
    };
    const mbps = round((connected * 170 * (1 - slow * 0.08)) / 1000, 3);
    add('origin', {
      cpuPercent: round(14 + connected * 0.052 + slow * 31 + random() * 5, 1),
      'cpuCorePercent:0': round(15 + connected * 0.05 + slow * 33 + random() * 9, 1),
      'cpuCorePercent:1': round(13 + connected * 0.05 + slow * 30 + random() * 9, 1),
      load1: round(0.4 + connected * 0.0016 + slow, 2),
      load5: 0.6,
      memoryUsedBytes: Math.round(3.1e9 + connected * 180_000 + random() * 2e7),
      networkInMbps: round(mbps * 1.05, 3),
      networkOutMbps: round(mbps * 1.05, 3),
      processCpuPercent: round(6 + connected * 0.045 + random() * 4, 1),
      processMemoryBytes: Math.round(4.1e7 + connected * 41_000),
      originViewers: connected,
      originDegraded: Math.round(slow * 19),
      originOutMbps: mbps,
      originPacketsPerSecond: connected * 42,
      ...(random() > 0.35 && { gcPauseMs: round(0.08 + random() * 0.4 + (second === 41 ? 13.7 : 0), 3) }),
    });
    if (second >= 52 && second < 58) continue;
    add('audience', {
      viewersRequested: Math.min(1000, second * 84),
      viewersConnecting: connected < 996 && !isDraining ? 16 : 0,
      viewersConnected: connected,
      viewersFailed: Math.min(4, Math.floor(second / 3)),
      viewersDegraded: Math.round(slow * 38),
      arrivalRateTarget: 84,
      arrivalRateAchieved: round(82 + random() * 3, 1),
      mediaInMbps: mbps,
      packetsPerSecond: Math.round(connected * 42 * (1 - slow * 0.03)),
      lossPercent: round(slow * 1.9 + random() * 0.02, 3),
      frameRate: round(25 - slow * 6.5 - random() * 0.3, 1),
      jitterP95Ms: round(0.8 + connected * 0.001 + slow * 28 + random(), 2),
      rttP50Ms: round(0.3 + slow * 4, 2),
      processCpuPercent: round(8 + connected * 0.048 + random() * 3, 1),
      processMemoryBytes: Math.round(6e7 + connected * 90_000),
      ...(connected < 996 &&
        !isDraining && {
          connectP50Ms: round(31 + second * 3 + random() * 9, 1),
          connectP95Ms: round(80 + second * 9 + random() * 30, 1),
        }),
    });
    add('player', {
      playerFrameRate: round(25 - slow * 4, 1),
      playerBitrateKbps: Math.round(168 + random() * 9),
    });
  }
  return samples;
}

const at = (seconds: number): number => testStartMs + seconds * 1000;

const events: readonly Omit<RunEvent, 'id'>[] = [
  {
    timeMs: at(0),
    kind: 'run',
    mark: 'none',
    who: 'run',
    sentence: '1,000 viewers of cam from origin on audience, 84 /s, hold 60 s',
  },
  { timeMs: at(0), kind: 'phase', mark: 'phase', who: 'run', sentence: 'Ramp: 1,000 viewers at 84 /s' },
  { timeMs: at(12), kind: 'phase', mark: 'phase', who: 'run', sentence: 'Hold for 60 s with 996 viewers' },
  {
    timeMs: at(37),
    kind: 'threshold',
    mark: 'degraded',
    who: 'audience',
    sentence: 'Degraded viewers over 1 %: 21 of 996',
  },
  {
    timeMs: at(39),
    kind: 'threshold',
    mark: 'limit',
    node: 'origin',
    who: 'origin',
    sentence: 'CPU over 80 % with 996 viewers',
  },
  {
    timeMs: at(41),
    kind: 'player',
    mark: 'freeze',
    who: 'player',
    sentence: 'Picture stalled for 0.8 s',
    outcome: 'still saved',
  },
  {
    timeMs: at(44),
    kind: 'note',
    mark: 'note',
    who: 'you',
    sentence: '“Backup job started <on purpose> & stopped”',
  },
  {
    timeMs: at(53),
    kind: 'node',
    mark: 'lost',
    node: 'audience',
    who: 'audience',
    sentence: 'No response for 2 s',
  },
  {
    timeMs: at(58),
    kind: 'node',
    mark: 'recovered',
    node: 'audience',
    who: 'audience',
    sentence: 'Responds again after 6 s',
  },
  {
    timeMs: at(76),
    kind: 'run',
    mark: 'none',
    who: 'run',
    sentence: 'Ended; all viewers disconnected, confirmed by origin',
  },
];

/** One pixel, so that a still has an image. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** Saves the run of `thousandViewers`, with verdict, and returns its view. */
export function saveThousandViewers(
  library: RunLibrary,
  id = 'thousand',
  more: { readonly samples?: readonly Sample[]; readonly layout?: NamedLayout } = {},
): RunView {
  const view = testView(id, {
    state: 'ended',
    ...(more.layout && { layout: more.layout }),
    nodes: testNodes,
    endedMs: at(testRunSeconds),
    plan: { ...testPlan, pull: { ...audienceIn(testPlan), ratePerSecond: 84 } },
    phases: [
      { name: 'prepare', startMs: at(-1), endMs: at(0) },
      { name: 'ramp', startMs: at(0), endMs: at(rampSeconds) },
      { name: 'hold', startMs: at(rampSeconds), endMs: at(rampSeconds + holdSeconds) },
      { name: 'drain', startMs: at(rampSeconds + holdSeconds), endMs: at(testRunSeconds) },
    ],
    figures: {
      ...testView(id).figures,
      connectedPeak: 996,
      failed: 4,
      degradedPeak: 38,
      degradedPercentPeak: 3.8,
      rateTarget: 84,
      rateAchieved: 83.2,
    },
    failures: [
      {
        tester: 'audience',
        stage: 'ice',
        cause: 'timeout',
        count: 3,
        example: {
          viewer: 688,
          timeMs: at(8.2),
          detail: '4 checks sent to 127.0.0.1:31422, no answer within 5 s.',
        },
      },
      {
        tester: 'audience',
        stage: 'signalling',
        cause: 'http-503',
        count: 1,
        example: { viewer: 261, timeMs: at(3.1), detail: 'POST answered 503 <busy>.' },
      },
    ],
  });
  const writer = library.create({ ...view, state: 'running' }, { version: '0.1.0' });
  writer.append([...thousandViewers(), ...(more.samples ?? [])]);
  for (const event of events) writer.event(event);
  writer.still({ timeMs: at(41), cause: 'stall 0.8 s', mime: 'image/png', data: pixel });
  writer.flush();
  const reader = library.open(id);
  const { verdict } = judgeRun({ view, values: (node, series) => reader.values(node, series) });
  reader.close();
  const judged = { ...view, verdict };
  writer.finish(judged);
  return judged;
}

/** Saves a run that was stopped before anything was measured. */
export function saveEmptyRun(library: RunLibrary, id = 'nothing'): void {
  const view = testView(id, {
    state: 'ended',
    endedMs: at(2),
    phases: [],
    verdict: { verdict: 'stopped', sentence: 'Stopped before any viewer was requested.', reasons: [], headroom: [] },
  });
  library.create({ ...view, state: 'running' }, { version: '0.1.0' }).finish(view);
}

/** The run of a thousand viewers, in a temporary folder that `close` removes. */
export function openThousandViewers(): { readonly reader: RunReader; readonly close: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'fullhouse-thousand-'));
  const library = openRunLibrary(folder);
  saveThousandViewers(library);
  const reader = library.open('thousand');
  return {
    reader,
    close: () => {
      reader.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
