import { z } from 'zod';
import {
  capacityView,
  hostKeyQuestion,
  linkView,
  groupView,
  machineFingerprint,
  nodeCapabilities,
  type NodeView,
  type StreamView,
} from '../domain/model/node';
import { expectationIds } from '../domain/plan/expectationText';
import { secretKinds } from '../domain/model/nodeSettings';
import { serverFamilies } from '../domain/model/serverFamilies';
import type { SampleBatch, SeriesId } from '../domain/series/series';
import {
  type JobView,
  type RunView,
  type Verdict,
  earlyEndKinds,
  reasonCauses,
  phase,
  runEvent,
  runFigures,
  runIntegrity,
  runSummary,
  still,
  testerLimit,
} from '../domain/model/run';
import { testerMeasured } from '../domain/model/testerMeasured';
import { browserViewersResult } from '../domain/model/browserViewers';
import { limitFound } from '../domain/model/limitFound';
import { outages } from '../domain/model/outages';
import { publisherOutage } from '../domain/model/publisherOutage';
import { preflightReport } from '../domain/model/preflightReport';
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

export { failureGroup, runEvent, runSummary, still, nodeName, plan, runId, runName, seriesId, streamName, viewerRow };

const timeMs = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
/** A time of a window, whose clock has fractions of a ms (`performance.timeOrigin`). */
export const windowTimeMs = z.number().nonnegative().transform(Math.round);
export const streamView = exactly<StreamView>()(
  z.object({
    stream: z.string(),
    source: z.string(),
    viewers: count.optional(),
    degraded: count.optional(),
    ...mediaOfStream,
    ageMs: z.number().optional(),
    bFrames: count.optional(),
    nacksPerSecond: z.number().optional(),
    lostPerSecond: z.number().optional(),
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
    group: groupView.optional(),
    measured: testerMeasured.optional(),
    settings: n.nodeSettings.optional(),
    builtIn: z.boolean().optional(),
    links: z.array(linkView).optional(),
    can: nodeCapabilities.optional(),
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
    gcProblem: z.string().optional(),
    responseMs: z.number().optional(),
    isSlow: z.boolean().optional(),
    fix: n.nodeFix.optional(),
    hostKey: hostKeyQuestion.optional(),
    capacity: capacityView.optional(),
    load: hostState.optional(),
    secrets: z.array(z.enum(secretKinds)).optional(),
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
    audiences: z.array(z.string()).optional(),
    notes: z
      .array(
        z.object({
          sentence: z.string(),
          expectation: z.enum(expectationIds).optional(),
          node: z.string().optional(),
        }),
      )
      .optional(),
    findings: z
      .array(
        z.object({
          result: z.enum(['met', 'failed', 'missing', 'skipped', 'inapplicable']),
          expectation: z.enum(expectationIds).optional(),
          series: seriesId.optional(),
          sentence: z.string(),
          expected: z.string(),
          timeMs,
          node: z.string().optional(),
          audience: z.string().optional(),
          measured: z.number().optional(),
        }),
      )
      .optional(),
    outages: outages.optional(),
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
      publishers: z.object({ requested: z.number(), live: z.number(), failed: z.number() }).optional(),
      isListed: z.boolean().optional(),
      problem: z.string().optional(),
    }),
  ]),
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
    publisherOutages: z.array(publisherOutage).optional(),
    limit: limitFound.optional(),
    browserViewers: browserViewersResult.optional(),
    verdict: verdict.optional(),
    earlyEnd: z.object({ kind: z.enum(earlyEndKinds), timeMs, sentence: z.string().optional() }).optional(),
    imported: importedRange.optional(),
    layout: namedLayout.optional(),
    readOnly: z.boolean(),
    integrity: runIntegrity.optional(),
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

/** Bytes, at most so many. */
export const bytes = (maxBytes = Number.POSITIVE_INFINITY) =>
  z.custom<Uint8Array>((value) => value instanceof Uint8Array && value.length <= maxBytes);
