import { z } from 'zod';
import { nodeFields, streamView, type NodeView } from '../domain/model/node';
import type { SampleBatch, SeriesId } from '../domain/series/series';
import {
  type JobView,
  type RunView,
  earlyEnd,
  failureGroup,
  phase,
  runEvent,
  runFigures,
  runIntegrity,
  runSummary,
  still,
  testerLimit,
  verdict,
} from '../domain/model/run';
import { browserViewersResult } from '../domain/model/browserViewers';
import { limitFound } from '../domain/model/limitFound';
import { publishedGroup } from '../domain/model/publisherGroup';
import { publisherOutage } from '../domain/model/publisherOutage';
import { watchedRange } from '../domain/model/watched';
import { preflightReport } from '../domain/model/preflightReport';
import { importedRange } from './importedSchemas';
import { hostBaseline, otherLoad } from '../domain/model/otherLoad';
import { namedLayout } from './layoutSchemas';
import { runId, seriesId } from '../domain/model/schema';
import { nodeName, runName, streamName } from './names';
import * as n from './nodeSchemas';
import { plan } from './planSchemas';
import { viewerRow } from './viewerSchemas';
import { exactly } from './exactly';

/** Schemas of the domain's values at process borders. The compiler checks that they match the types. */

export {
  failureGroup,
  runEvent,
  runSummary,
  still,
  streamView,
  nodeName,
  plan,
  runId,
  runName,
  seriesId,
  streamName,
  viewerRow,
};

const timeMs = z.number().int().nonnegative();
const count = z.number().int().nonnegative();
/** A time of a window, whose clock has fractions of a ms (`performance.timeOrigin`). */
export const windowTimeMs = z.number().nonnegative().transform(Math.round);
export const nodeView = exactly<NodeView>()(
  z.object({ ...nodeFields, id: nodeName, settings: n.nodeSettings.optional() }),
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
    published: z.array(publishedGroup).optional(),
    limit: limitFound.optional(),
    browserViewers: browserViewersResult.optional(),
    verdict: verdict.optional(),
    earlyEnd: earlyEnd.optional(),
    imported: importedRange.optional(),
    watched: watchedRange.optional(),
    layout: namedLayout.optional(),
    readOnly: z.boolean(),
    integrity: runIntegrity.optional(),
  }),
);

export const sampleBatch = exactly<SampleBatch>()(
  z.object({
    keys: z.array(z.object({ node: z.string(), series: seriesId, fleetNode: z.string().optional() })),
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
