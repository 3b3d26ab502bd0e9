import { asSentence } from '../text/sentence';
import type { NodeView } from '../model/node';
import { dedicatedExpected, machineName, takenPercent } from '../model/otherLoad';
import type { Audience, SeriesThreshold } from '../model/plan';
import { seriesDefinition, type SeriesId } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { busyForViewers, hostLoads } from './busyHosts';
import { publishersForViewers } from './publishers';
import type { Judged, Influence } from '../evidence/evidence';
import { hostValues } from '../evidence/evidenceValues';
import { isAffectable } from './affectable';
import { between } from '../series/windows';

/** A sample that missed its limit. */
interface Miss {
  readonly timeMs: number;
  readonly value: number;
}

/** A second around a sample. */
const aroundMs = 600;
/** Share of the limit: a lower level before the first viewer explains nothing. */
const minShare = 0.05;

type Explain = (judged: Judged, threshold: SeriesThreshold, node: NodeView, miss: Miss) => Influence | undefined;

/** The host whose other programs, or the publisher whose absence explain that a series missed its limit at a sample. */
export function busyForMiss(
  judged: Judged,
  threshold: SeriesThreshold,
  /** Undefined for an audience. */
  node: NodeView | undefined,
  miss: Miss,
  /** The audience of its series. */
  pull?: Audience,
): Influence | undefined {
  const explain = explainerOf(threshold.series);
  if (!explain || !isAffectable(threshold)) return undefined;
  if (node) return explain(judged, threshold, node, miss);
  const toMs = miss.timeMs + aroundMs;
  const busy = busyForViewers(judged, miss.timeMs, toMs)[0];
  return busy ?? publishersForViewers(judged, miss.timeMs, toMs, { pull })[0];
}

function explainerOf(series: SeriesId): Explain | undefined {
  if (series === 'gcPauseMs') return pause;
  if (series === 'memoryUsedBytes') return memory;
  if (/^(cpuPercent|testerHostCpuPercent|load\d+|cpuCorePercent:\d+)$/.test(series)) return cpu;
  const source = seriesDefinition(series)?.source;
  if (source === 'host') return before;
  // A process's usage is its own; viewer and server metrics without a processor are not.
  if (source !== 'process') return viewers;
  return /^testerReader/.test(series) ? viewers : undefined;
}

const isMet = ({ comparison, value: limit }: SeriesThreshold, value: number): boolean =>
  comparison === '>=' ? value >= limit : value <= limit;

const viewers: Explain = (judged, _threshold, node, { timeMs }) => {
  const isTester = node.role === 'tester';
  const toMs = timeMs + aroundMs;
  const busy = busyForViewers(judged, timeMs, toMs, isTester ? { testers: [node] } : {})[0];
  return busy ?? publishersForViewers(judged, timeMs, toMs, isTester ? { tester: node.id } : {})[0];
};

const pause: Explain = (judged, { value: limit }, node, { timeMs, value }) => {
  const loads = hostLoads(judged);
  const share = loads.waitExplains(node, timeMs, value - limit);
  return share && loads.influence(node, timeMs, share);
};

/** Explains CPU of one core: all use by others may have been on it; the load counts tasks. */
const cpu: Explain = (judged, threshold, node, { timeMs, value }) => {
  const loads = hostLoads(judged);
  const share = loads.busyOver(node, timeMs - aroundMs, timeMs + aroundMs);
  if (!share) return undefined;
  const cores = node.machine?.cores ?? 1;
  const taken = takenPercent(share);
  const { series } = threshold;
  const others = series.startsWith('load')
    ? Math.max((taken / 100) * cores, loads.baselineOf(node)?.values.load1 ?? 0)
    : series.startsWith('cpuCore')
      ? taken * cores
      : taken;
  return isMet(threshold, value - others) ? loads.influence(node, timeMs, share) : undefined;
};

/** A level from before the first viewer that still exists. */
const before: Explain = (judged, threshold, node, { timeMs, value }) => {
  const { series, value: limit, comparison } = threshold;
  const base = hostLoads(judged).baselineOf(node)?.values[series];
  if (base === undefined || comparison === '>=') return undefined;
  const isExplained = base > limit || (base >= minShare * limit && isMet(threshold, value - base));
  return isExplained ? busyWith(node, timeMs, baselineWords(series, base)) : undefined;
};

/** Memory from before the first viewer, or used by others since then. */
const memory: Explain = (judged, threshold, node, miss) => {
  const base = hostLoads(judged).baselineOf(node)?.values;
  const used = base?.memoryUsedBytes;
  const others = base?.otherMemoryBytes;
  const { comparison, value: limit } = threshold;
  if (comparison === '>=') return undefined;
  if (used !== undefined && used > limit) return busyWith(node, miss.timeMs, baselineWords('memoryUsedBytes', used));
  const [now] = between(
    hostValues(judged, node, 'otherMemoryBytes'),
    miss.timeMs - aroundMs,
    miss.timeMs + aroundMs,
  ).value;
  if (others === undefined || now === undefined) return undefined;
  const grown = now - others;
  return grown >= minShare * limit && isMet(threshold, miss.value - grown)
    ? busyWith(node, miss.timeMs, `other programs used ${describeAmount('memoryUsedBytes', grown)} more of its memory`)
    : undefined;
};

function baselineWords(series: SeriesId, base: number): string {
  const amount = describeAmount(series, base);
  if (series === 'memoryUsedBytes') return `${amount} of its memory was in use before the first viewer`;
  if (series === 'diskBusyPercent') return `its disk was busy ${amount} of the time before the first viewer`;
  if (series.startsWith('networkOut')) return `it sent ${amount} before the first viewer`;
  if (series.startsWith('networkIn')) return `it received ${amount} before the first viewer`;
  return `${seriesDefinition(series)?.title ?? series} was ${amount} before the first viewer`;
}

function busyWith(node: NodeView, fromMs: number, words: string): Influence {
  return {
    ...{ cause: 'machine', node: node.id, timeMs: fromMs },
    sentence: `${asSentence(machineName(node.host, node.name), [node.name])} was busy: ${words}.`,
    expected: dedicatedExpected,
  };
}
