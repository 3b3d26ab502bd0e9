import type { ImportedRange, TimeSpan } from '../../../domain/model/imported';
import { gapSteps } from '../../../domain/series/gap';
import { seriesDefinition, type Sample } from '../../../domain/series/series';
import { samplesOf } from '../../base/samples';
import type { HostValues } from '../../telemetry/hostRates';
import { matchOf, networkOf, valuesWithin } from '../../telemetry/metrics/hostInstance';
import { quoted, type PrometheusApi } from '../../telemetry/metrics/prometheusApi';
import { assignResults, withTotals } from '../../telemetry/prometheusRange';
import { queriesOf, type Windows } from './families';

/**
 * Timestamps per query. Prometheus returns 11,000 at most; fewer give more frequent progress and cost less when one
 * fails.
 */
const maxTimestampsAtOnce = 1000;
/** All samples of a piece are in memory together. */
const nodeMomentsAtOnce = 16_000;
/** A rate needs two scrapes in its window even where one failed. */
const scrapesPerRate = 4;
const usualScrapeMs = 15_000;

/**
 * A range in pieces that a Prometheus can return, oldest first; each starts one step after the end of the previous one.
 */
export function parseOutput({ fromMs, toMs }: TimeSpan, stepMs: number, nodes: number): TimeSpan[] {
  const pointsAtOnce = Math.max(50, Math.min(maxTimestampsAtOnce, Math.floor(nodeMomentsAtOnce / nodes)));
  const pieces: TimeSpan[] = [];
  for (let startMs = fromMs; startMs <= toMs; startMs += pointsAtOnce * stepMs)
    pieces.push({ fromMs: startMs, toMs: Math.min(toMs, startMs + (pointsAtOnce - 1) * stepMs) });
  return pieces;
}

/**
 * All data of one piece, at the Prometheus' own timestamps. A failed query is retried once; the second failure rejects,
 * and nothing of the piece is reported then: a piece is complete or missing.
 */
export async function readPiece(
  api: PrometheusApi,
  { nodes, stepMs, queries = {} }: Pick<ImportedRange, 'nodes' | 'stepMs' | 'queries'>,
  piece: TimeSpan,
  scrapes: ReadonlyMap<string, number>,
  signal: AbortSignal,
): Promise<Sample[]> {
  const samples: Sample[] = [];
  const ask = async (query: string): ReturnType<PrometheusApi['queryRange']> => {
    try {
      return await api.queryRange(query, piece.fromMs, piece.toMs, stepMs);
    } catch (error) {
      if (signal.aborted) throw error;
      return api.queryRange(query, piece.fromMs, piece.toMs, stepMs);
    }
  };
  for (const { name, targets } of nodes) {
    for (const target of targets) {
      const byTime = new Map<number, HostValues>();
      const scrapeMs = scrapes.get(target.labels['instance'] ?? '') ?? usualScrapeMs;
      for (const [series, query] of queriesOf(target, windowsOf(stepMs, scrapeMs)))
        assignResults(byTime, series, await ask(query), same);
      const isHost = target.family === 'node_exporter';
      // Without it only the names of the interfaces are known.
      const network = isHost
        ? await valuesWithin(api, matchOf(target.labels), piece.fromMs, piece.toMs).then(networkOf, () => undefined)
        : undefined;
      for (const [timeMs, values] of byTime)
        samples.push(...samplesOf(timeMs, name, isHost ? withTotals(values, network) : values));
    }
    const own = new Map<number, HostValues>();
    for (const [series, query] of Object.entries(queries))
      if (seriesDefinition(series.replace(/\{\w+\}$/, 'x')))
        assignResults(own, series, await ask(filled(query, targets[0]?.labels['instance'] ?? '')), same);
    for (const [timeMs, values] of own) samples.push(...samplesOf(timeMs, name, values));
  }
  return samples.sort((a, b) => a.timeMs - b.timeMs);
}

/** The user's PromQL, for one instance. */
export function filled(query: string, instance: string): string {
  return query.replaceAll('$instance', quoted(instance));
}

function windowsOf(stepMs: number, scrapeMs: number): Windows {
  return {
    rateMs: Math.max(stepMs, scrapesPerRate * scrapeMs),
    // A scrape may be late, and its value holds until the next.
    latestMs: Math.max(stepMs, gapSteps * scrapeMs),
  };
}

const same = (timeMs: number): number => timeMs;
