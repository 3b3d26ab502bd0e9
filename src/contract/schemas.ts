import { z } from 'zod';
import type { NodeView, StreamView, MachineFingerprint } from '../domain/model/node';
import { expectationIds } from '../domain/plan/expectationText';
import { secretKinds, serverFamilies } from '../domain/model/nodeSettings';
import type { SampleBatch, SeriesId } from '../domain/series/series';
import {
  type JobView,
  type Phase,
  type RunEvent,
  type RunFigures,
  type RunIntegrity,
  type RunSummary,
  type RunView,
  type Still,
  type TesterLimit,
  type Verdict,
  earlyEndKinds,
  reasonCauses,
  testerLimitKinds,
} from '../domain/model/run';
import { testerMeasured } from '../domain/model/testerMeasured';
import { preflightReport, limitFound } from './findingSchemas';
import { importedRange } from './importedSchemas';
import { hostBaseline, hostState, otherLoad } from '../domain/model/otherLoad';
import { namedLayout } from './layoutSchemas';
import { runId, seriesId } from '../domain/model/schema';
import { nodeName, runName, streamName } from './names';
import * as n from './nodeSchemas';
import { plan } from './planSchemas';
import { mediaOfStream } from './streamSchemas';
import { failureGroup, viewerRow } from './viewerSchemas';
import { exactly } from './exactly';

/** Schemas of the domain's values at process borders. The compiler checks that they match the types. */

export { failureGroup, nodeName, plan, runId, runName, seriesId, streamName, viewerRow };

const timeMs = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
export const machineFingerprint = exactly<MachineFingerprint>()(
  z.object({
    system: z.string(),
    kernel: z.string(),
    cpuModel: z.string(),
    cores: count,
    memoryBytes: count,
    openFilesLimit: count.optional(),
    versions: z.record(z.string(), z.string()),
  }),
);

export const streamView = exactly<StreamView>()(
  z.object({
    stream: z.string(),
    source: z.string(),
    viewers: count.optional(),
    degraded: count.optional(),
    ...mediaOfStream,
    ageMs: z.number().optional(),
  }),
);

export const nodeView = exactly<NodeView>()(
  z.object({
    id: nodeName,
    name: z.string(),
    role: z.enum(['origin', 'tester']),
    server: z.enum(serverFamilies).optional(),
    colourSlot: count,
    state: z.enum(['idle', 'starting', 'live', 'stale', 'failed']),
    problem: z.string().optional(),
    note: z.string().optional(),
    software: z.string().optional(),
    reach: z.string(),
    host: z.string(),
    lastSampleMs: timeMs.optional(),
    streams: z.array(streamView),
    streamCount: count.optional(),
    machine: machineFingerprint.optional(),
    viewerLimit: count.optional(),
    measured: testerMeasured.optional(),
    settings: n.nodeSettings.optional(),
    builtIn: z.boolean().optional(),
    links: z.array(n.linkView).optional(),
    can: n.nodeCapabilities.optional(),
    clock: n.clockView.optional(),
    figureSources: z
      .array(
        z.object({
          of: z.enum(['host', 'process']),
          figures: z.string(),
          source: z.string(),
          others: z.array(z.string()),
        }),
      )
      .optional(),
    gcSource: z.string().optional(),
    responseMs: z.number().optional(),
    isSlow: z.boolean().optional(),
    fix: n.nodeFix.optional(),
    hostKey: n.hostKeyQuestion.optional(),
    capacity: n.capacityView.optional(),
    load: hostState.optional(),
    secrets: z.array(z.enum(secretKinds)).optional(),
  }),
);

export const phase = exactly<Phase>()(
  z.object({
    name: z.enum(['prepare', 'baseline', 'ramp', 'hold', 'drain']),
    startMs: timeMs,
    endMs: timeMs.optional(),
  }),
);

export const testerLimit = exactly<TesterLimit>()(
  z.object({
    node: z.string(),
    kind: z.enum(testerLimitKinds),
    fromMs: timeMs,
    toMs: timeMs.optional(),
    viewers: count,
    sentence: z.string(),
    expected: z.string(),
  }),
);

export const verdict = exactly<Verdict>()(
  z.object({
    verdict: z.enum(['pass', 'fail', 'inconclusive', 'stopped', 'interrupted']),
    sentence: z.string(),
    reasons: z.array(
      z.object({
        number: count,
        sentence: z.string(),
        expected: z.string(),
        expectation: z.enum(expectationIds).optional(),
        series: seriesId.optional(),
        timeMs,
        node: z.string().optional(),
        causedBy: z.enum(reasonCauses).optional(),
      }),
    ),
    headroom: z.array(z.string()),
    notes: z
      .array(
        z.object({
          sentence: z.string(),
          expectation: z.enum(expectationIds).optional(),
          node: z.string().optional(),
        }),
      )
      .optional(),
  }),
);

const jobState = z.enum(['starting', 'ramping-up', 'holding', 'tearing-down', 'ended', 'failed']);
export const jobView = exactly<JobView>()(
  z.discriminatedUnion('kind', [
    z.object({
      id: z.string(),
      kind: z.literal('pull'),
      node: z.string(),
      stream: z.string(),
      state: jobState,
      requested: count,
      connected: count,
      present: count,
      problem: z.string().optional(),
    }),
    z.object({
      id: z.string(),
      kind: z.literal('publish'),
      node: z.string(),
      stream: z.string(),
      source: z.string(),
      state: jobState,
      fps: z.number().optional(),
      problem: z.string().optional(),
    }),
  ]),
);

export const runFigures = exactly<RunFigures>()(
  z.object({
    timeMs,
    requested: count,
    connecting: count,
    connected: count,
    connectedPeak: count,
    failed: count,
    degraded: count,
    degradedPeak: count,
    degradedPercentPeak: z.number(),
    present: count,
    rateTarget: z.number(),
    rateAchieved: z.number(),
    fullInMs: z.number().optional(),
    timeToAllMs: z.number().optional(),
    originViewers: count.optional(),
    originDegraded: count.optional(),
    originOutMbps: z.number().optional(),
    mediaInMbps: z.number(),
    packetsPerSecond: z.number(),
  }),
);

const runIntegrity = exactly<RunIntegrity>()(
  z.object({
    state: z.enum(['verified', 'unverified', 'damaged']),
    sentences: z.array(z.string()),
  }),
);

export const runView = exactly<RunView>()(
  z.object({
    id: runId,
    name: z.string(),
    state: z.enum(['preparing', 'running', 'stopping', 'ended']),
    plan,
    nodes: z.array(nodeView),
    startedMs: timeMs,
    endedMs: timeMs.optional(),
    endsMs: timeMs.optional(),
    phases: z.array(phase),
    figures: runFigures,
    failures: z.array(failureGroup),
    testerLimits: z.array(testerLimit).optional(),
    preflight: preflightReport.optional(),
    baseline: z.array(hostBaseline).optional(),
    otherLoad: z.array(otherLoad).optional(),
    limit: limitFound.optional(),
    verdict: verdict.optional(),
    earlyEnd: z.object({ kind: z.enum(earlyEndKinds), timeMs, sentence: z.string().optional() }).optional(),
    imported: importedRange.optional(),
    layout: namedLayout.optional(),
    readOnly: z.boolean(),
    integrity: runIntegrity.optional(),
  }),
);

export const runSummary = exactly<RunSummary>()(
  z.object({
    id: runId,
    name: z.string(),
    startedMs: timeMs,
    endedMs: timeMs.optional(),
    verdict: z.enum(['pass', 'fail', 'inconclusive', 'stopped', 'interrupted', 'running', 'damaged']),
    origin: z.string(),
    requested: count,
    connectedPeak: count,
    cpuMaxPercent: z.number().optional(),
    degradedPercentPeak: z.number(),
    gcMaxMs: z.number().optional(),
    viewersTrace: z.array(z.number()),
    bytes: count,
    problem: z.string().optional(),
    testers: z.array(z.string()).optional(),
    reason: z.string().optional(),
    tags: z.array(z.string()).optional(),
    note: z.string().optional(),
    isBaseline: z.boolean().optional(),
    limit: limitFound.optional(),
    originSlot: count.optional(),
    planName: z.string().optional(),
    planShape: z.string().optional(),
    setup: z.string().optional(),
  }),
);

export const runEvent = exactly<RunEvent>()(
  z.object({
    id: count,
    timeMs,
    kind: z.enum(['run', 'phase', 'threshold', 'node', 'stream', 'player', 'failure', 'disagreement', 'note']),
    mark: z.enum(['limit', 'degraded', 'lost', 'recovered', 'note', 'freeze', 'phase', 'none']),
    node: z.string().optional(),
    who: z.string(),
    sentence: z.string(),
    outcome: z.string().optional(),
    annotation: z
      .object({
        uid: z.string(),
        writtenMs: timeMs,
        writtenBy: z.string(),
        editedMs: timeMs.optional(),
        isOwn: z.boolean().optional(),
      })
      .optional(),
  }),
);

export const still = exactly<Still>()(
  z.object({
    id: count,
    timeMs,
    cause: z.string(),
    mime: z.enum(['image/png', 'image/jpeg']),
    bytes: count,
  }),
);

export const sampleBatch = exactly<SampleBatch>()(
  z.object({
    keys: z.array(z.object({ node: z.string(), series: seriesId })),
    key: z.array(count),
    timeMs: z.array(z.number()),
    value: z.array(z.number()),
  }),
);

/**
 * Points of many series in few objects: those of key `i` end at `ends[i]` and start where those of the key before end.
 */
export interface OverviewBatch {
  /** Each step holds its lowest and highest sample; 0: every sample. */
  readonly stepMs: number;
  /** Node `*` is the sum over all testers. */
  readonly keys: ReadonlyArray<{ readonly node: string; readonly series: SeriesId }>;
  readonly ends: readonly number[];
  readonly timeMs: Float64Array;
  readonly value: Float32Array;
  /** Indexes of points that follow a gap in their series. */
  readonly breaks: readonly number[];
  /** By key, of all samples that the points represent. */
  readonly firstMs: readonly number[];
  readonly lastMs: readonly number[];
  readonly nextMs: number | null;
}

export const overviewBatch = exactly<OverviewBatch>()(
  z.object({
    stepMs: z.number().nonnegative(),
    keys: z.array(z.object({ node: z.string(), series: seriesId })),
    ends: z.array(count),
    timeMs: z.custom<Float64Array>((value) => value instanceof Float64Array),
    value: z.custom<Float32Array>((value) => value instanceof Float32Array),
    breaks: z.array(count),
    firstMs: z.array(z.number()),
    lastMs: z.array(z.number()),
    nextMs: z.number().nullable(),
  }),
);
