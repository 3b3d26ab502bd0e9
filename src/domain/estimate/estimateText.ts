import { formatFigure, formatCount } from '../text/numberFormat';
import { formatDuration } from '../text/timeFormat';
import type { Ceiling, Estimate, EstimatedInterval, ResourceId } from './estimate';
import { resourceKind } from './resources';
import type { Sizes } from './sizes';

/** More sizes than these are shown as a range. */
const maxSizes = 8;
const negligible = 1e-9;

/** Whole viewers, rounded to the precision of the estimate. */
export function roundedViewers(value: number): string {
  const step = value >= 2000 ? 50 : value >= 500 ? 10 : value >= 100 ? 5 : 1;
  return formatCount(Math.round(value / step) * step);
}

/** `610 to 790`, or `610 or more`. */
export function viewersInterval({ low, high }: EstimatedInterval): string {
  return high === undefined ? `${roundedViewers(low)} or more` : `${roundedViewers(low)} to ${roundedViewers(high)}`;
}

/** `≈ 690 viewers (610 to 790)`, without the sign if measured. */
export function ceilingText(ceiling: Ceiling): string {
  const sign = ceiling.mark === 'extrapolated' ? '≈ ' : '';
  return `${sign}${roundedViewers(ceiling.value)} viewers (${viewersInterval(ceiling)})`;
}

/** `measured`, or the extrapolation factor: `× 17`. */
export function timesText({ mark, times }: Pick<Ceiling, 'mark' | 'times'>): string {
  return mark === 'measured' ? mark : `× ${formatFigure(times, times < 10 ? 'tenths' : 'integer')}`;
}

/** `measured`, or `extrapolated from 40 viewers, × 17`. */
export function markText(ceiling: Pick<Ceiling, 'mark' | 'times'>, largest: number): string {
  if (ceiling.mark === 'measured') return 'measured';
  return `extrapolated from ${formatCount(largest)} viewers, ${timesText(ceiling)}`;
}

/** `0.031 ± 0.002`: as many digits as the error allows. */
export function withError({ value, high }: Required<EstimatedInterval>, factor = 1): string {
  const error = (high - value) * factor;
  // Rounding residue is neither growth nor error.
  if (Math.abs(value * factor) + error < negligible) return '0';
  if (error < 1e-6 * Math.abs(value * factor)) return formatFigure(value * factor, 'adaptive');
  const fitting = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(error))));
  const digits = Math.abs(value * factor) >= 1000 ? 0 : fitting;
  return `${plain(value * factor, digits)} ± ${plain(error, digits)}`;
}

function plain(value: number, decimals: number): string {
  return decimals === 0 ? formatCount(value) : value.toFixed(decimals);
}

/** A value of a resource with its unit. */
export function amountText(id: ResourceId, value: number): string {
  const { factor, unit } = resourceKind(id);
  return `${formatFigure(value * factor, 'adaptive')}${unit && ` ${unit}`}`;
}

/** The sizes that were held, e.g. `20 viewers for 15 s, 40 for 16 s`; many of them as a range. */
export function sizesText({ sizes }: Pick<Estimate, 'sizes'>): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first && last && sizes.length > maxSizes)
    return `${sizes.length} from ${formatCount(first.viewers)} to ${formatCount(last.viewers)} viewers`;
  return sizes
    .map(({ viewers, seconds }, i) => `${formatCount(viewers)}${i === 0 ? ' viewers' : ''} for ${seconds} s`)
    .join(', ');
}

/** The result of an estimate, in one or two sentences. */
export function estimateSentence(estimate: Omit<Estimate, 'sentence'>): string {
  const { ceiling, largest, resources, machine, otherPrograms, stopped } = estimate;
  const context = [
    ...(otherPrograms ? [`${otherPrograms.sentence}; the estimate is without that.`] : []),
    ...(stopped === undefined ? [] : [stopped]),
  ];
  if (!ceiling) return [noCeiling(estimate), ...context].join(' ');
  const kind = resourceKind(ceiling.resource);
  const shared =
    kind.ofHost && machine.sharedWith.length > 0
      ? `, with ${machine.sharedWith.join(' and ')} on the same machine`
      : '';
  const alone = shared && resources.find(({ id }) => id === 'processCpu')?.ceiling;
  return [
    `${ceilingText(ceiling)}${shared}; bottleneck: ${kind.words} (${markText(ceiling, largest)}).`,
    ...(alone ? [`Its process alone would reach its limit at ${ceilingText(alone)}.`] : []),
    ...context,
  ].join(' ');
}

function noCeiling({ resources, origin, largest }: Omit<Estimate, 'sentence'>): string {
  if (resources.length === 0) return `No resource of ${origin} was measured that could be extrapolated.`;
  const vague = resources.filter((resource) => resource.vague && resourceKind(resource.id).decides);
  const [first] = vague.sort((a, b) => (a.vague?.value ?? 0) - (b.vague?.value ?? 0));
  if (first?.vague)
    return `Not enough data: ${resourceKind(first.id).words} of ${origin} would reach its threshold at ${ceilingText(first.vague)}, an interval wider than its value. Hold more or larger sizes, or measure for longer.`;
  const decided = resources.flatMap(({ id, ceiling }) => (ceiling && resourceKind(id).decides ? [ceiling] : []));
  if (decided.length > 0)
    return `Not enough data: the resources of ${origin} differ too much in where they reach their thresholds. Hold more or larger sizes, or measure for longer.`;
  return `No resource of ${origin} grows towards a known threshold, so no ceiling can be estimated from ${formatCount(largest)} viewers.`;
}
/** Caveats of an estimate. */
export function runNotes(
  { resources, ceiling, largest, machine, origin }: Omit<Estimate, 'sentence' | 'notes'>,
  { duringRamp, limitedMs, busyMs }: Sizes,
  others: { readonly usual: number; readonly spread: number } | undefined,
): string[] {
  const end = ceiling?.high ?? ceiling?.value;
  const mayBeEarlier = resources.filter(
    ({ notBefore, id, isRising }) =>
      !isRising && notBefore !== undefined && end !== undefined && notBefore < end && resourceKind(id).decides,
  );
  return [
    ...(duringRamp
      ? ['Too few sizes were held, so the ramp was used: the figures include the cost of connecting.']
      : []),
    ...(busyMs > 0 ? [`${formatDuration(busyMs)} were excluded: other programs kept a machine of the test busy.`] : []),
    ...(limitedMs > 0 ? [`${formatDuration(limitedMs)} were excluded: testers were at their own limit.`] : []),
    ...(others && Math.abs(others.usual) > Math.max(2, 0.05 * largest)
      ? [
          `${origin} also served about ${formatCount(others.usual)} other viewers; their cost is part of the idle figures, and ceilings are viewers on top of them.`,
        ]
      : []),
    ...(others && others.spread > Math.max(3, 0.1 * largest)
      ? [
          `The number of other viewers varied by ${formatCount(others.spread)}; the figures cannot separate them from the test's own.`,
        ]
      : []),
    ...(machine.capacityMbps === undefined && resources.some(({ id }) => id === 'bandwidth')
      ? [`The network capacity of ${origin} is unknown. Measure it with iperf3 to estimate its ceiling.`]
      : []),
    ...resources
      .filter(({ line }) => line.quadratic)
      .map(
        ({ id, line }) =>
          `${resourceKind(id).title} grew ${(line.quadratic?.square ?? 0) > 0 ? 'faster' : 'slower'} than linearly; its interval is wider for that reason.`,
      ),
    ...mayBeEarlier.map(
      ({ id, notBefore }) =>
        `${resourceKind(id).title} did not grow significantly; its threshold may be reached from ${roundedViewers(notBefore ?? 0)} viewers on.`,
    ),
    'Degraded viewers and latency do not grow linearly with the audience, so they are not extrapolated: a ceiling states when a resource is exhausted, not the quality just before.',
  ];
}
