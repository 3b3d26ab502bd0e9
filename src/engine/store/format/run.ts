import { z } from 'zod';
import { nodeName } from '../../../contract/names';
import { runId, seriesId } from '../../../domain/model/schema';
import { builtInChartIds, type ChartId, type CustomChartId } from '../../../domain/model/chartIds';
import { exporterFamilies } from '../../../domain/model/imported';
import { layoutBounds } from '../../../domain/model/chartLayout';
import { browserViewersResult } from '../../../domain/model/browserViewers';
import { limitFound } from '../../../domain/model/limitFound';
import { hostBaseline, otherLoad } from '../../../domain/model/otherLoad';
import { preflightReport } from '../../../domain/model/preflightReport';
import { publishedGroup } from '../../../domain/model/publisherGroup';
import { publisherOutage } from '../../../domain/model/publisherOutage';
import { watchedRange } from '../../../domain/model/watched';
import { earlyEnd, failureGroup, phase, runFigures, runSummary, testerLimit, verdict } from '../../../domain/model/run';
import { savedNode } from './node';
import { savedPlan } from './plan';
import { period, text, timeMs } from './values';

/** A run as saved: `view` and `summary` of `meta`. */

const imported = z.object({
  prometheus: z
    .string()
    .trim()
    .min(1)
    .max(1000)
    .refine((url) => !/\/\/[^/]*@/.test(url)),
  user: z.string().min(1).max(200).optional(),
  selfSigned: z.boolean().optional(),
  ...period,
  stepMs: z.number().int().min(100).max(86_400_000),
  nodes: z
    .array(
      z.object({
        name: nodeName,
        role: z.enum(['origin', 'tester']),
        targets: z
          .array(
            z.object({
              family: z.enum(exporterFamilies),
              labels: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(500)),
            }),
          )
          .max(20),
      }),
    )
    .min(1)
    .max(200),
  queries: z.record(z.string().max(120), z.string().trim().min(1).max(2000)).optional(),
  missing: z.array(z.object(period)),
});

const builtIn: ReadonlySet<string> = new Set(builtInChartIds);
const chartIds = z
  .array(
    z.custom<ChartId>(
      (id) => typeof id === 'string' && (builtIn.has(id) || (/^(custom|auto):/.test(id) && id.length <= 150)),
    ),
  )
  .max(2 * layoutBounds.charts);

const layout = z.object({
  name: z.string().trim().min(1).max(layoutBounds.nameLength).optional(),
  layout: z.object({
    order: chartIds,
    custom: z
      .array(
        z.object({
          id: z.custom<CustomChartId>((id) => typeof id === 'string' && /^custom:[A-Za-z0-9-]{1,40}$/.test(id)),
          title: z.string().trim().min(1).max(layoutBounds.titleLength),
          series: z.array(seriesId).min(1).max(layoutBounds.seriesOfChart),
          nodes: z.array(nodeName).max(layoutBounds.nodesOfChart).optional(),
        }),
      )
      .max(layoutBounds.charts),
    hidden: chartIds,
    folded: chartIds,
    banded: chartIds.optional(),
  }),
});

export const savedView = z.object({
  id: runId,
  name: text,
  state: z.enum(['preparing', 'running', 'stopping', 'ended']),
  plan: savedPlan,
  nodes: z.array(savedNode),
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
  imported: imported.optional(),
  watched: watchedRange.optional(),
  // An invalid layout falls back to the default one, so that the run still opens.
  layout: layout.optional().catch(undefined),
  readOnly: z.boolean(),
});

export const savedSummary = runSummary;
