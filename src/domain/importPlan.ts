import type { ExporterFamily, ImportedNode, ImportedTarget, Stretch } from './imported';
import type { NodeRole } from './node';
import { writeDuration } from './plan/quantity';

/** What a Prometheus has of one target. */
export interface FoundTarget {
  readonly target: ImportedTarget;
  /** Unix ms by its clock, about: when it was first and last seen. */
  readonly firstMs: number;
  readonly lastMs: number;
  readonly role: NodeRole;
  /** Series that will be made of it and how many of each, e.g. one per core; `{label}` at the end stands for that label's values. */
  readonly series: Readonly<Record<string, number>>;
  /** How often the Prometheus asks it; absent where it does not say, or asks no more. */
  readonly scrapeMs?: number;
}

/** What was found at an address. */
export interface PrometheusFound {
  readonly address: string;
  readonly version?: string;
  /** Its clock less ours. */
  readonly aheadMs: number;
  /** The ones that were seen last first. */
  readonly targets: readonly FoundTarget[];
  /** Targets beyond those, which nobody looked at. */
  readonly further: number;
}

/** Found targets that become one node. */
export interface FoundNode extends ImportedNode {
  readonly found: readonly FoundTarget[];
}

/** What a run takes, as samples in all and as moments of one series. */
export const mostSamples = 20_000_000;
export const mostMoments = 1_000_000;

const servers: ReadonlySet<ExporterFamily> = new Set(['wcs', 'srs', 'livekit']);

/**
 * Targets as nodes: one each, but a host's node_exporter belongs to the server on that host where there is exactly one of
 * both. Names are those of the instances, made such that a node can have them.
 */
export function nodesOf(targets: readonly FoundTarget[]): FoundNode[] {
  const hostOf = ({ target }: FoundTarget): string => (target.labels['instance'] ?? '').replace(/:\d+$/, '');
  const here = (host: string, isOne: (family: ExporterFamily) => boolean): readonly FoundTarget[] =>
    targets.filter((each) => isOne(each.target.family) && hostOf(each) === host);
  const names = new Set<string>();
  return targets.flatMap((each): FoundNode[] => {
    const host = hostOf(each);
    const exporters = here(host, (family) => family === 'node_exporter');
    const onHost = here(host, (family) => servers.has(family));
    const isPair = exporters.length === 1 && onHost.length === 1;
    if (isPair && each === exporters[0]) return [];
    const found = isPair && each === onHost[0] ? [each, ...exporters] : [each];
    const wanted =
      found.length > 1 ? host : (each.target.labels['node'] ?? each.target.labels['instance'] ?? '');
    return [
      {
        name: unused(nodeName(wanted), names),
        role: each.role,
        targets: found.map(({ target }) => target),
        found,
      },
    ];
  });
}

/** A node's name has letters, digits, `.`, `_` and `-`. */
function nodeName(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^[^A-Za-z0-9]+/, '');
  return plain.slice(0, 60) || 'node';
}

function unused(name: string, taken: Set<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  taken.add(free);
  return free;
}

/** Moments of a range, both ends included. */
export function momentsOf({ fromMs, toMs }: Stretch, stepMs: number): number {
  return Math.floor((toMs - fromMs) / stepMs) + 1;
}

/** Samples that a range will be at most; a target gives some only while it was there. */
export function expectedSamples(
  nodes: readonly FoundNode[],
  range: Stretch & { readonly stepMs: number },
  ownQueries = 0,
): number {
  return nodes
    .flatMap(({ found }) => found)
    .reduce((sum, { series, firstMs, lastMs }) => {
      const fromMs = Math.max(range.fromMs, firstMs);
      const toMs = Math.min(range.toMs, lastMs);
      if (toMs < fromMs) return sum;
      const count = Object.values(series).reduce((all, each) => all + each, ownQueries);
      return sum + count * momentsOf({ fromMs, toMs }, range.stepMs);
    }, 0);
}

/** Steps that people think in. */
const steps = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 21_600, 86_400];
/** More moments than these are finer than a screen shows of a whole run. */
const enoughMoments = 4000;

/** A step for a range: what the targets were asked at, or wider where that would be more than anybody sees. */
export function suggestedStepMs({ fromMs, toMs }: Stretch, scrapeMs: number): number {
  const least = Math.max(scrapeMs, (toMs - fromMs) / enoughMoments);
  return (steps.find((each) => each * 1000 >= least) ?? 86_400) * 1000;
}

/** The least usual step by which `amount` becomes no more than `most`. */
export function stepThatFits(amount: number, most: number, stepMs: number): number {
  const least = (stepMs * amount) / most;
  return (steps.find((each) => each * 1000 >= least) ?? Math.ceil(least / 86_400_000) * 86_400) * 1000;
}

/** Why so many samples are too many, with the step that mends it; undefined when they are not. */
export function tooMuch(samples: number, stepMs: number): string | undefined {
  if (samples <= mostSamples) return undefined;
  const millions = (count: number): string => `${Math.round(count / 1e6)} million`;
  const fits = writeDuration(stepThatFits(samples, mostSamples, stepMs));
  return `That would be ${millions(samples)} samples, and a run takes ${millions(mostSamples)}: make the step ${fits} or longer, the range shorter, or choose fewer instances.`;
}
