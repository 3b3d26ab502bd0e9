import { samplePlan } from './samplePlan';
import { ownExpectations } from './verdictRun';
import type { RunFigures, RunView } from '../../src/domain/model/run';
import type { Sample, SeriesId } from '../../src/domain/series/series';

/** Values for tests of code that uses runs. */

export const testStartMs = Date.UTC(2026, 10, 22, 15, 20, 31);

export const testPlan = samplePlan({}, { name: 'Pull 1000 on the local lab', expect: ownExpectations });

export const testFigures: RunFigures = {
  timeMs: testStartMs,
  requested: 1000,
  connecting: 0,
  connected: 0,
  connectedPeak: 0,
  failed: 0,
  degraded: 0,
  degradedPeak: 0,
  degradedPercentPeak: 0,
  present: 0,
  rateTarget: 200,
  rateAchieved: 0,
  mediaInMbps: 0,
  packetsPerSecond: 0,
};

/** A run that has just started. */
export function testView(id: string, changes: Partial<RunView> = {}): RunView {
  return {
    id,
    name: testPlan.name,
    state: 'running',
    plan: testPlan,
    nodes: [
      {
        id: 'origin',
        name: 'origin',
        role: 'origin',
        server: 'lab',
        colourSlot: 1,
        state: 'live',
        software: 'lab 0.1.0',
        reach: 'this machine',
        host: 'this machine',
        streams: [],
      },
      {
        id: 'audience',
        name: 'audience',
        role: 'tester',
        colourSlot: 2,
        state: 'live',
        software: 'agent 0.1.0',
        reach: 'this machine',
        host: 'this machine',
        streams: [],
        viewerLimit: 5000,
      },
    ],
    startedMs: testStartMs,
    phases: [{ name: 'ramp', startMs: testStartMs }],
    figures: testFigures,
    failures: [],
    readOnly: false,
    ...changes,
  };
}

export function testSample(seconds: number, node: string, series: SeriesId, value: number): Sample {
  return { timeMs: testStartMs + Math.round(seconds * 1000), node, series, value };
}
