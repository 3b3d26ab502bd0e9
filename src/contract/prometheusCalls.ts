import { z } from 'zod';
import { importedTarget, prometheusUrl, rangeWish } from './importedSchemas';
import { runId } from './names';

/** A range of a Prometheus as a run, and a live run for a Prometheus to scrape. */

const done = z.object({ done: z.literal(true) });
const count = z.number().int().nonnegative();
const timeMs = z.number().int().nonnegative();
/** Kept in the keychain once it has let us in; without one the kept one is used. */
const password = z.string().min(1).max(1000).optional();

const foundTarget = z.object({
  target: importedTarget,
  role: z.enum(['origin', 'tester']),
  firstMs: z.number(),
  lastMs: z.number(),
  series: z.record(z.string(), z.number()),
  scrapeMs: z.number().optional(),
});

/** Where a running endpoint is, or why there is none. */
const metricsState = z.object({
  /** `http://127.0.0.1:9464/metrics`; absent while it is off. */
  address: z.string().optional(),
  port: count.optional(),
  /** To be sent as `Authorization: Bearer …`; only where others than this machine can come. */
  token: z.string().optional(),
  /** When it was asked last. */
  scrapedMs: timeMs.optional(),
});

export const prometheusCalls = {
  /** What a Prometheus has that a run can be made of. Rejects with a sentence, e.g. when it is none or lets nobody in. */
  'prometheus.look': {
    input: z.strictObject({
      prometheus: prometheusUrl,
      user: z.string().min(1).max(200).optional(),
      password,
      selfSigned: z.boolean().optional(),
    }),
    output: z.object({
      address: z.string(),
      version: z.string().optional(),
      aheadMs: z.number(),
      targets: z.array(foundTarget),
      further: count,
      /** A password of this Prometheus is kept. */
      hasPassword: z.boolean(),
    }),
  },
  /** Begins to read a range into a new run; `prometheusImport` tells what comes of it. */
  'prometheus.import': {
    input: z.strictObject({ ...rangeWish.shape, name: z.string().trim().max(120).optional(), password }),
    output: z.object({ id: runId }),
  },
  /** Asks again for what is missing of a run. A run of its own, with all that the old one has, takes its place. */
  'prometheus.resume': {
    input: z.strictObject({ run: runId, password }),
    output: z.object({ id: runId }),
  },
  'prometheus.cancel': { input: z.strictObject({ id: runId }), output: done },

  'metrics.state': { input: z.strictObject({}), output: metricsState },
  /** Offers the latest figures to a Prometheus; elsewhere than on loopback only with a token, which is made when none is given. */
  'metrics.start': {
    input: z.strictObject({
      port: z.number().int().min(0).max(65_535),
      /** An address of this machine; by default 127.0.0.1. */
      bind: z.string().trim().min(1).max(200).optional(),
      token: z.string().min(16).max(200).optional(),
    }),
    output: metricsState,
  },
  'metrics.stop': { input: z.strictObject({}), output: done },
} as const;

const importProgress = z.object({
  /** Of the import; also the id of the run that it becomes. */
  id: runId,
  name: z.string(),
  state: z.enum(['reading', 'done', 'incomplete', 'failed', 'cancelled']),
  /** Questions come in pieces of a range. */
  pieces: count.optional(),
  done: count.optional(),
  samples: count.optional(),
  /** The run that was kept. */
  run: runId.optional(),
  sentence: z.string().optional(),
});

export const prometheusEvents = {
  prometheusImport: importProgress,
  metrics: metricsState,
} as const;

export type RangeWish = z.infer<typeof rangeWish>;
export type ImportProgress = z.infer<typeof importProgress>;
export type MetricsState = z.infer<typeof metricsState>;
