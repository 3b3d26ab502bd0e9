import { formatFigure } from '../numberFormat';
import { formatDuration } from '../timeFormat';
import type { Ceiling, Estimate, Interval, ResourceId } from './estimate';
import { resourceKind } from './resources';
import type { Sizes } from './sizes';

/** More sizes than these are not listed one by one. */
const mostSizes = 8;
const negligible = 1e-9;

const count = (value: number): string => formatFigure(value, 'integer');

/** Whole viewers, in steps that fit the size: nobody knows 1,437 of 20 times as many. */
export function roughViewers(value: number): string {
  const step = value >= 2000 ? 50 : value >= 500 ? 10 : value >= 100 ? 5 : 1;
  return count(Math.round(value / step) * step);
}

/** `610 to 790`, or `610 or more`. */
export function viewersInterval({ low, high }: Interval): string {
  return high === undefined
    ? `${roughViewers(low)} or more`
    : `${roughViewers(low)} to ${roughViewers(high)}`;
}

/** `≈ 690 viewers (610 to 790)`, without the sign where it was measured. */
export function ceilingText(ceiling: Ceiling): string {
  const sign = ceiling.mark === 'extrapolated' ? '≈ ' : '';
  return `${sign}${roughViewers(ceiling.value)} viewers (${viewersInterval(ceiling)})`;
}

/** `measured`, or how far it is extrapolated: `× 17`. */
export function timesText({ mark, times }: Pick<Ceiling, 'mark' | 'times'>): string {
  return mark === 'measured' ? mark : `× ${formatFigure(times, times < 10 ? 'tenths' : 'integer')}`;
}

/** `measured`, or `extrapolated from 40 viewers, × 17`. */
export function markText(ceiling: Pick<Ceiling, 'mark' | 'times'>, largest: number): string {
  if (ceiling.mark === 'measured') return 'measured';
  return `extrapolated from ${count(largest)} viewers, ${timesText(ceiling)}`;
}

/** `0.031 ± 0.002`: as many digits as the error lets matter. */
export function withError({ value, high }: Required<Interval>, factor = 1): string {
  const error = (high - value) * factor;
  // What is left of the arithmetic is neither growth nor error.
  if (Math.abs(value * factor) + error < negligible) return '0';
  if (error < 1e-6 * Math.abs(value * factor)) return formatFigure(value * factor, 'adaptive');
  const fitting = Math.max(0, Math.min(6, 1 - Math.floor(Math.log10(error))));
  const digits = Math.abs(value * factor) >= 1000 ? 0 : fitting;
  return `${plain(value * factor, digits)} ± ${plain(error, digits)}`;
}

function plain(value: number, decimals: number): string {
  return decimals === 0 ? count(value) : value.toFixed(decimals);
}

/** A value of a resource with its unit. */
export function amountText(id: ResourceId, value: number): string {
  const { factor, unit } = resourceKind(id);
  return `${formatFigure(value * factor, 'adaptive')}${unit && ` ${unit}`}`;
}

/** The sizes that were held, e.g. `20 viewers for 15 s, 40 for 16 s`; many of them by their ends. */
export function sizesText({ sizes }: Pick<Estimate, 'sizes'>): string {
  const [first, last] = [sizes[0], sizes.at(-1)];
  if (first && last && sizes.length > mostSizes)
    return `${sizes.length} from ${count(first.viewers)} to ${count(last.viewers)} viewers`;
  return sizes
    .map(({ viewers, seconds }, i) => `${count(viewers)}${i === 0 ? ' viewers' : ''} for ${seconds} s`)
    .join(', ');
}

/** What comes of an estimate, in a sentence or two. */
export function estimateSentence({
  ceiling,
  largest,
  resources,
  machine,
  origin,
}: Omit<Estimate, 'sentence'>): string {
  if (!ceiling) {
    if (resources.length === 0) return `Nothing of ${origin} was measured that could be carried on.`;
    return `No resource of ${origin} grows towards a threshold that is known, so no ceiling can be told from ${count(largest)} viewers.`;
  }
  const kind = resourceKind(ceiling.resource);
  const shared =
    kind.ofHost && machine.sharedWith.length > 0
      ? `, with ${machine.sharedWith.join(' and ')} on the same machine`
      : '';
  const alone = shared && resources.find(({ id }) => id === 'processCpu')?.ceiling;
  return [
    `${ceilingText(ceiling)}${shared}: ${kind.words} gives out first (${markText(ceiling, largest)}).`,
    ...(alone ? [`Its process alone would last to ${ceilingText(alone)}.`] : []),
  ].join(' ');
}

/** What has to be known to read an estimate. */
export function runNotes(
  { resources, ceiling, largest, machine, origin }: Omit<Estimate, 'sentence' | 'notes'>,
  { whileArriving, limitedMs }: Sizes,
  others: { readonly usual: number; readonly spread: number } | undefined,
): string[] {
  const end = ceiling?.high ?? ceiling?.value;
  const mayBeEarlier = resources.filter(
    ({ notBefore, id, isRising }) =>
      !isRising &&
      notBefore !== undefined &&
      end !== undefined &&
      notBefore < end &&
      resourceKind(id).decides,
  );
  return [
    ...(whileArriving
      ? [
          'Too few sizes were held, so they were seen while viewers arrived: what arriving costs is in the figures.',
        ]
      : []),
    ...(limitedMs > 0
      ? [`${formatDuration(limitedMs)} were left out, in which testers were at their own limit.`]
      : []),
    ...(others && Math.abs(others.usual) > Math.max(2, 0.05 * largest)
      ? [
          `${origin} had about ${count(others.usual)} viewers of others meanwhile; what they cost is in the idle figures, and ceilings are viewers on top of them.`,
        ]
      : []),
    ...(others && others.spread > Math.max(3, 0.1 * largest)
      ? [
          `Viewers of others went up and down by ${count(others.spread)}, which the figures can't tell from ours.`,
        ]
      : []),
    ...(machine.capacityMbps === undefined && resources.some(({ id }) => id === 'bandwidth')
      ? [`The capacity of ${origin}'s network is not known; measure it by iperf3 to have its ceiling.`]
      : []),
    ...resources
      .filter(({ line }) => line.bend)
      .map(
        ({ id, line }) =>
          `${resourceKind(id).title} grew ${(line.bend?.square ?? 0) > 0 ? 'faster' : 'slower'} than evenly; its interval is wider for it.`,
      ),
    ...mayBeEarlier.map(
      ({ id, notBefore }) =>
        `${resourceKind(id).title} did not grow beyond chance; its threshold may be reached from ${roughViewers(notBefore ?? 0)} viewers on.`,
    ),
    'Degraded viewers and latency do not grow evenly with the audience, so nothing is extrapolated of them: a ceiling says when a resource is used up, not how well viewers watch just before.',
  ];
}
