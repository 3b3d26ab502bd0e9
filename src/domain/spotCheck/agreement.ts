import { spotCheckRatings, type SpotCheck } from '../model/spotCheck';
import { formatCount } from '../text/numberFormat';

/** How often ratings and figures agree. */
export interface SpotCheckAgreement {
  readonly count: number;
  readonly agreeing: number;
  readonly percent: number;
  /** Rated worse than measured. */
  readonly stricter: number;
  /** Rated better than measured. */
  readonly milder: number;
}

/** The agreement of all spot checks of a run; undefined without any. */
export function agreementOf(checks: readonly SpotCheck[]): SpotCheckAgreement | undefined {
  const count = checks.length;
  if (count === 0) return undefined;
  const steps = checks.map(
    ({ rating, measured }) => spotCheckRatings.indexOf(rating) - spotCheckRatings.indexOf(measured),
  );
  const agreeing = steps.filter((step) => step === 0).length;
  return {
    ...{ count, agreeing },
    percent: (100 * agreeing) / count,
    stricter: steps.filter((step) => step > 0).length,
    milder: steps.filter((step) => step < 0).length,
  };
}

/** In one line: `8 checks: 7 agree with the counters (88 %), 1 rated worse`. */
export function agreementText({ count, agreeing, percent, stricter, milder }: SpotCheckAgreement): string {
  const others = [
    ...(stricter > 0 ? [`, ${formatCount(stricter)} rated worse`] : []),
    ...(milder > 0 ? [`, ${formatCount(milder)} rated better`] : []),
  ].join('');
  const checks = count === 1 ? '1 check' : `${formatCount(count)} checks`;
  return `${checks}: ${formatCount(agreeing)} ${agreeing === 1 ? 'agrees' : 'agree'} with the counters (${formatCount(percent)} %)${others}`;
}
