import type { ImportedRange, Stretch } from '../../../domain/imported';
import { seriesDefinition, type Sample } from '../../../domain/series';
import { samplesOf } from '../../samples';
import type { HostValues } from '../../telemetry/hostRates';
import { quoted, type PrometheusApi } from '../../telemetry/metrics/prometheusApi';
import { takeFound, withTotals } from '../../telemetry/prometheusRange';
import { queriesOf, type Windows } from './families';

/** Moments that are asked for at once. Prometheus gives 11,000 at most; fewer let progress be seen and cost less when one fails. */
const mostMomentsAtOnce = 1000;
/** All samples of a piece are in memory together. */
const nodeMomentsAtOnce = 16_000;
/** A rate needs two scrapes in its window even where one failed. */
const scrapesPerRate = 4;
/** A scrape may come late, and its value holds until the next. */
const scrapesPerValue = 2.5;
const usualScrapeMs = 15_000;

/** A range in pieces that a Prometheus answers, oldest first; each begins a step after the one before it ended. */
export function piecesOf({ fromMs, toMs }: Stretch, stepMs: number, nodes: number): Stretch[] {
  const momentsAtOnce = Math.max(50, Math.min(mostMomentsAtOnce, Math.floor(nodeMomentsAtOnce / nodes)));
  const pieces: Stretch[] = [];
  for (let startMs = fromMs; startMs <= toMs; startMs += momentsAtOnce * stepMs)
    pieces.push({ fromMs: startMs, toMs: Math.min(toMs, startMs + (momentsAtOnce - 1) * stepMs) });
  return pieces;
}

/**
 * Everything of one piece, at the Prometheus' own times. A question that fails is asked once more; the second failure rejects, and
 * nothing of the piece is told then: a piece is whole or missing.
 */
export async function readPiece(
  api: PrometheusApi,
  { nodes, stepMs, queries = {} }: Pick<ImportedRange, 'nodes' | 'stepMs' | 'queries'>,
  piece: Stretch,
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
        takeFound(byTime, series, await ask(query), same);
      const isHost = target.family === 'node_exporter';
      for (const [timeMs, values] of byTime)
        samples.push(...samplesOf(timeMs, name, isHost ? withTotals(values) : values));
    }
    const own = new Map<number, HostValues>();
    for (const [series, query] of Object.entries(queries))
      if (seriesDefinition(series.replace(/\{\w+\}$/, 'x')))
        takeFound(own, series, await ask(filled(query, targets[0]?.labels['instance'] ?? '')), same);
    for (const [timeMs, values] of own) samples.push(...samplesOf(timeMs, name, values));
  }
  return samples.sort((a, b) => a.timeMs - b.timeMs);
}

/** PromQL of one's own, for one instance. */
export function filled(query: string, instance: string): string {
  return query.replaceAll('$instance', quoted(instance));
}

function windowsOf(stepMs: number, scrapeMs: number): Windows {
  return {
    rateMs: Math.max(stepMs, scrapesPerRate * scrapeMs),
    latestMs: Math.max(stepMs, scrapesPerValue * scrapeMs),
  };
}

const same = (timeMs: number): number => timeMs;
