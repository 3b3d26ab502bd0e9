import { z } from 'zod';
import { importedTarget, prometheusUrl, rangeRequest } from './importedSchemas';
import { runId } from '../domain/model/schema';
import { givenNameOrNone } from './names';

/** Importing a range from Prometheus as a run, and exposing live figures for Prometheus to scrape. */

const done = z.object({ done: z.literal(true) });
const count = z.number().int().nonnegative();
const timeMs = z.number().int().nonnegative();
/** Stored in the keychain after the first successful request; if absent, the stored one is used. */
const password = z.string().min(1).max(1000).optional();

const foundTarget = z.object({
  target: importedTarget,
  role: z.enum(['origin', 'tester']),
  firstMs: z.number(),
  lastMs: z.number(),
  series: z.record(z.string(), z.number()),
  scrapeMs: z.number().optional(),
});

/** Where an active endpoint listens, or why it does not. */
const metricsState = z.object({
  /** `http://127.0.0.1:9464/metrics`; absent while off. */
  address: z.string().optional(),
  port: count.optional(),
  /** To be sent as `Authorization: Bearer …`; only if reachable from other machines. */
  token: z.string().optional(),
  /** When it was scraped last. */
  scrapedMs: timeMs.optional(),
});

export const prometheusCalls = {
  /** What a Prometheus has to import. Rejects with a sentence, e.g. if it is not a Prometheus or denies access. */
  'prometheus.inspect': {
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
      /** A password for this Prometheus is stored. */
      hasPassword: z.boolean(),
    }),
  },
  /** Starts to import a range as a new run; `prometheusImport` reports the progress. */
  'prometheus.import': {
    input: z.strictObject({ ...rangeRequest.shape, name: givenNameOrNone('A run name').optional(), password }),
    output: z.object({ id: runId }),
  },
  /**
   * Queries the missing parts of a run again. A new run with all data of the old one replaces it. `prometheus`: the
   * address that the person names, which has to be that of the run.
   */
  'prometheus.resume': {
    input: z.strictObject({ run: runId, prometheus: prometheusUrl.optional(), password }),
    output: z.object({ id: runId }),
  },
  'prometheus.cancel': { input: z.strictObject({ id: runId }), output: done },

  'metrics.state': { input: z.strictObject({}), output: metricsState },
  /** Exposes the latest figures to Prometheus; beyond loopback only with a token, generated if none is given. */
  'metrics.start': {
    input: z.strictObject({
      port: z.number().int().min(0).max(65_535),
      /** An address of this machine; default 127.0.0.1. */
      bind: z.string().trim().min(1).max(200).optional(),
      token: z.string().min(16).max(200).optional(),
    }),
    output: metricsState,
  },
  'metrics.stop': { input: z.strictObject({}), output: done },
} as const;

const importProgress = z.object({
  /** Id of the import, and of the run that it creates. */
  id: runId,
  name: z.string(),
  state: z.enum(['reading', 'done', 'incomplete', 'failed', 'cancelled']),
  /** A range is queried in pieces. */
  pieces: count.optional(),
  done: count.optional(),
  samples: count.optional(),
  /** The saved run. */
  run: runId.optional(),
  sentence: z.string().optional(),
});

export const prometheusEvents = {
  prometheusImport: importProgress,
  metrics: metricsState,
} as const;

export type RangeRequest = z.infer<typeof rangeRequest>;
export type ImportProgress = z.infer<typeof importProgress>;
export type MetricsState = z.infer<typeof metricsState>;
