import {
  isServerExporter,
  type ExporterFamily,
  type ImportedNode,
  type ImportedTarget,
  type TimeSpan,
} from '../model/imported';
import type { NodeRole } from '../model/node';
import { asNodeName } from './planNames';
import { writeDuration } from './quantity';

/** The data that a Prometheus has of one target. */
export interface FoundTarget {
  readonly target: ImportedTarget;
  /** Approximate Unix ms by its clock: first and last sample. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly role: NodeRole;
  /**
   * Its series and how many of each, e.g. one per core; `{label}` at the end is a placeholder for that label's values.
   */
  readonly series: Readonly<Record<string, number>>;
  /** Its scrape interval; absent if unknown, or no longer scraped. */
  readonly scrapeMs?: number;
}

/** The contents found at an address. */
export interface PrometheusFound {
  readonly address: string;
  readonly version?: string;
  /** Its clock minus ours. */
  readonly aheadMs: number;
  /** Most recent first. */
  readonly targets: readonly FoundTarget[];
  /** Number of further targets, which were not inspected. */
  readonly further: number;
}

/** Targets that become one node. */
export interface FoundNode extends ImportedNode {
  readonly found: readonly FoundTarget[];
}

/** The size of a run, as samples in total and as timestamps of one series. */
export const maxSamples = 20_000_000;
export const maxTimestamps = 1_000_000;

/**
 * Targets as nodes: one each, but a host's node_exporter is merged with the server on that host if there is exactly one
 * of both. Names are those of the instances, converted to valid node names.
 */
export function nodesOf(targets: readonly FoundTarget[]): FoundNode[] {
  const hostOf = ({ target }: FoundTarget): string => (target.labels['instance'] ?? '').replace(/:\d+$/, '');
  const here = (host: string, isOne: (family: ExporterFamily) => boolean): readonly FoundTarget[] =>
    targets.filter((target) => isOne(target.target.family) && hostOf(target) === host);
  const names = new Set<string>();
  return targets.flatMap((each): FoundNode[] => {
    const host = hostOf(each);
    const exporters = here(host, (family) => family === 'node_exporter');
    const onHost = here(host, isServerExporter);
    const isPair = exporters.length === 1 && onHost.length === 1;
    if (isPair && each === exporters[0]) return [];
    const targets = isPair && each === onHost[0] ? [each, ...exporters] : [each];
    const requestedName =
      targets.length > 1 ? host : (each.target.labels['node'] ?? each.target.labels['instance'] ?? '');
    return [
      {
        name: unused(asNodeName(requestedName, 60), names),
        role: each.role,
        targets: targets.map(({ target }) => target),
        found: targets,
      },
    ];
  });
}

function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  taken.add(free);
  return free;
}

/** Timestamps of a range, both ends included. */
export function timestampsOf({ fromMs, toMs }: TimeSpan, stepMs: number): number {
  return Math.floor((toMs - fromMs) / stepMs) + 1;
}

/** Maximum number of samples of a range; a target has samples only while it existed. */
export function expectedSamples(
  nodes: readonly FoundNode[],
  range: TimeSpan & { readonly stepMs: number },
  ownQueries = 0,
): number {
  return nodes
    .flatMap(({ found }) => found)
    .reduce((sum, { series, firstMs, lastMs }) => {
      const fromMs = Math.max(range.fromMs, firstMs);
      const toMs = Math.min(range.toMs, lastMs);
      if (toMs < fromMs) return sum;
      const count = Object.values(series).reduce((all, queries) => all + queries, ownQueries);
      return sum + count * timestampsOf({ fromMs, toMs }, range.stepMs);
    }, 0);
}

/** Common steps. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400];
/** More timestamps are finer than a screen shows of an entire run. */
const sufficientTimestamps = 4000;

/** A step for a range: the scrape interval, or a wider one if that is finer than the display. */
export function suggestedStepMs({ fromMs, toMs }: TimeSpan, scrapeMs: number): number {
  const least = Math.max(scrapeMs, (toMs - fromMs) / sufficientTimestamps);
  return (steps.find((step) => step * 1000 >= least) ?? 86_400) * 1000;
}

/** The smallest common step that brings `amount` to `most` or below. */
export function stepThatFits(amount: number, most: number, stepMs: number): number {
  const least = (stepMs * amount) / most;
  return (steps.find((step) => step * 1000 >= least) ?? Math.ceil(least / 86_400_000) * 86_400) * 1000;
}

/** Why the range is too large, with the step that fits; undefined if it is not. */
export function volumeProblem(samples: number, stepMs: number): string | undefined {
  if (samples <= maxSamples) return undefined;
  const millions = (count: number): string => `${Math.round(count / 1e6)} million`;
  const fits = writeDuration(stepThatFits(samples, maxSamples, stepMs));
  return `This range has ${millions(samples)} samples; the maximum is ${millions(maxSamples)}. Use a step of ${fits} or more, a shorter range, or fewer instances.`;
}
