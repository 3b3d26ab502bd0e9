import { failureStages, type FailureGroup, type RunFigures } from '../../src/domain/model/run';
import { fail256 } from './fail256';
import { pull742 } from './pull742';
import type { Scenario } from './scenario';

/** The widest texts of a headline: six-digit figures, failures at every stage, a long sentence. */
const failures = (startedMs: number): FailureGroup[] =>
  failureStages.map((stage, index) => ({
    tester: 'tester-1',
    stage,
    cause: 'timeout',
    count: 1234 + index,
    example: { viewer: 100_001, timeMs: startedMs + 61_000, detail: 'No answer within 5 s.' },
  }));

const figures: RunFigures = {
  timeMs: 0,
  present: 88_888,
  mediaInMbps: 28_700,
  packetsPerSecond: 3_100_000,
  requested: 100_000,
  connecting: 12_345,
  connected: 76_543,
  connectedPeak: 87_654,
  failed: 11_142,
  degraded: 10_234,
  degradedPeak: 10_234,
  degradedPercentPeak: 13.4,
  rateTarget: 1000,
  rateAchieved: 876.5,
  fullInMs: 123_000,
  originViewers: 76_540,
  originDegraded: 10_230,
};

export function wideLive(): Scenario {
  const run = pull742();
  return {
    ...run,
    requested: figures.requested,
    run: {
      failures: failures(run.startedMs),
      figures,
      endsMs: run.startedMs + 36_000_000,
    },
  };
}

export function wideDone(): Scenario {
  const run = fail256();
  return {
    ...run,
    requested: figures.requested,
    run: {
      name: 'Pull 100,000 over the new cache, after tuning, second try',
      failures: failures(run.startedMs),
      figures: { ...figures, timeToAllMs: 812_345 },
      integrity: { state: 'damaged', sentences: ['12 of 612 minutes are missing: the file was cut.'] },
      verdict: {
        verdict: 'inconclusive',
        sentence:
          'This machine was busy: other programs used 84 % of its CPU (top: chrome 61 %), so 87,654 of 100,000 viewers prove nothing about the origin.',
        reasons: [],
        headroom: [],
      },
    },
  };
}

/** Names of nodes, streams and the run that are longer than any column. */
export function longNames(): Scenario {
  const run = pull742();
  const long = (name: string): string =>
    `${name}-of-the-second-data-centre-in-frankfurt-rack-17-behind-the-load-balancer`;
  const nodes = run.nodes.map((node) => ({
    ...node,
    name: long(node.name),
    host: `${long(node.id)}.example.net`,
    streams: node.streams.map((stream) => ({
      ...stream,
      stream: long(stream.stream),
      source: `WHIP · ${long('studio')}`,
    })),
  }));
  return { ...run, nodes, fleet: nodes, run: { ...run.run, name: long('Pull 1000') } };
}

/** A run imported from Prometheus. */
export function imported(): Scenario {
  const run = fail256();
  const fromMs = run.startedMs;
  const toMs = run.startedMs + run.lengthMs;
  return {
    ...run,
    reasons: [],
    run: {
      name: 'wcs-1 by Prometheus',
      imported: {
        prometheus: 'http://prometheus.example.net:9090',
        fromMs,
        toMs,
        stepMs: 15_000,
        nodes: [
          {
            name: 'atom-c2550',
            role: 'origin',
            targets: [{ family: 'node_exporter', labels: { instance: 'atom-c2550:9100' } }],
          },
        ],
        missing: [{ fromMs: fromMs + 60_000, toMs: fromMs + 3_660_000 }],
      },
      verdict: {
        verdict: 'inconclusive',
        sentence: 'Imported from a Prometheus: no load was requested, so there is no verdict.',
        reasons: [],
        headroom: [],
      },
    },
  };
}
