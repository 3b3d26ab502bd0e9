import type { FailureGroup, RunView } from '../model/run';
import { severalAudiences, type NamedAudience } from '../plan/audiences';
import type { SeriesId } from '../series/series';
import { describeAmount } from '../series/seriesAmount';
import { formatCount } from '../text/numberFormat';

/** The figures of one of several audiences over a run: the highest samples. */
export interface AudienceFigures extends NamedAudience {
  /** What the plan wants; with stages or a search the largest size that was asked for. */
  readonly requested: number;
  readonly connectedPeak: number;
  /** Failures of the whole run, also those as it ended. */
  readonly failed: number;
  readonly degradedPeak: number;
  readonly mediaInMbps: number;
  /** The percentiles of the second with the highest one. */
  readonly connectP95Ms: number | undefined;
  readonly firstFrameP95Ms: number | undefined;
}

/**
 * `highest` finds the highest sample of a series; undefined if it was not measured. An audience without samples never
 * started, and counts with what the plan wants of it.
 */
export function audienceFigures(
  { plan, failures }: Pick<RunView, 'plan' | 'failures'>,
  highest: (node: string, series: SeriesId) => number | undefined,
): readonly AudienceFigures[] {
  return severalAudiences(plan).map((audience) => {
    const of = (series: SeriesId): number | undefined => highest(audience.id, series);
    const { viewers, stages, search } = audience.pull;
    const varies = stages !== undefined || search !== undefined;
    return {
      ...audience,
      // The samples of an audience that ends during its ramp-up never reach its target.
      requested: varies ? (of('viewersRequested') ?? viewers) : viewers,
      connectedPeak: of('viewersConnected') ?? 0,
      failed: failedOf(failures, audience.name) ?? of('viewersFailed') ?? 0,
      degradedPeak: of('viewersDegraded') ?? 0,
      mediaInMbps: of('mediaInMbps') ?? 0,
      connectP95Ms: of('connectP95Ms'),
      firstFrameP95Ms: of('firstFrameP95Ms'),
    };
  });
}

/** Undefined where the failures don't name their audiences: of older runs. */
function failedOf(failures: readonly FailureGroup[], name: string): number | undefined {
  if (failures.every(({ audience }) => audience === undefined)) return undefined;
  return failures.reduce((sum, { audience, count: more }) => sum + (audience === name ? more : 0), 0);
}

/** `HLS cam: 300 of 300 viewers connected, none failed, max 7 degraded; first frame p95 max 812 ms.` */
export function audienceSentence(figures: AudienceFigures): string {
  const { name, requested, connectedPeak, failed, degradedPeak, firstFrameP95Ms } = figures;
  const first =
    firstFrameP95Ms === undefined ? '' : `; first frame p95 max ${describeAmount('firstFrameP95Ms', firstFrameP95Ms)}`;
  const some = (value: number, what: string): string => `${value === 0 ? 'none' : `max ${formatCount(value)}`} ${what}`;
  return `${name}: ${formatCount(connectedPeak)} of ${formatCount(requested)} viewers connected, ${failed === 0 ? 'none' : formatCount(failed)} failed, ${some(degradedPeak, 'degraded')}${first}.`;
}
