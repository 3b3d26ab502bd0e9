import { degradedText } from '../viewer/degraded';

/** What viewers of one kind received in one second. */
export interface Experience {
  /** Frames per second, mean or median of those that play. */
  readonly frameRate: number | undefined;
  /** Share of them that is degraded by the same rule, in percent. */
  readonly degradedPercent: number | undefined;
  readonly viewers: number;
}

/** One second of both. */
export interface ComparedSecond {
  readonly browsers: Experience;
  readonly audience: Experience;
}

/**
 * How far browser viewers and audience agree, in percent: the lower of the ratio of their frame rates, and 100 less the
 * difference of their degraded shares. Undefined if neither can be compared.
 */
export function agreementPercent({ browsers, audience }: ComparedSecond): number | undefined {
  const agreements = [
    ratioPercent(browsers.frameRate, audience.frameRate),
    difference(browsers.degradedPercent, audience.degradedPercent, (by) => 100 - Math.abs(by)),
  ].filter((each) => each !== undefined);
  return agreements.length > 0 ? Math.min(...agreements) : undefined;
}

function ratioPercent(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined || Math.max(a, b) <= 0) return undefined;
  return (100 * Math.min(a, b)) / Math.max(a, b);
}

function difference(
  a: number | undefined,
  b: number | undefined,
  result: (difference: number) => number,
): number | undefined {
  return a === undefined || b === undefined ? undefined : result(a - b);
}

/** How long both are compared before they can disagree, in seconds: a degraded viewer counts for 5 s. */
export const comparedSeconds = 20;
const secondsOfDegraded = 5;
/** Frame rates that differ by more than this share of the audience's disagree. */
const maxRateDifference = 0.1;
/** In percentage points, besides noise. */
const maxDegradedDifference = 5;
/** Standard errors of the difference that are noise. */
const noiseErrors = 3;

/**
 * Why both disagree over the last `comparedSeconds`, beyond noise; undefined if they do not, or if there is less. The
 * degraded share of a few viewers varies at random by the standard error of a binomial proportion, with an independent
 * observation of each viewer every 5 s.
 */
export function disagreement(seconds: readonly ComparedSecond[]): string | undefined {
  if (seconds.length < comparedSeconds) return undefined;
  const recent = seconds.slice(-comparedSeconds);
  const [ofBrowsers, ofAudience] = [
    means(recent.map((pair) => pair.browsers)),
    means(recent.map((pair) => pair.audience)),
  ];
  const { frameRate: shown, degradedPercent: degraded } = ofBrowsers;
  const { frameRate: received, degradedPercent: degradedOfAudience } = ofAudience;
  if (degraded !== undefined && degradedOfAudience !== undefined) {
    const observations = Math.max(1, (ofBrowsers.viewers * comparedSeconds) / secondsOfDegraded);
    const share = Math.min(0.98, Math.max(0.02, (degraded + degradedOfAudience) / 200));
    const noise = noiseErrors * 100 * Math.sqrt((share * (1 - share)) / observations);
    if (Math.abs(degraded - degradedOfAudience) > maxDegradedDifference + noise)
      return `${whole(degraded)} % of the browser viewers were degraded, ${whole(degradedOfAudience)} % of the audience`;
  }
  if (shown !== undefined && received !== undefined && Math.abs(shown - received) > maxRateDifference * received)
    return `browser viewers displayed ${shown.toFixed(1)} fps, the audience received ${received.toFixed(1)} fps`;
  return undefined;
}

/** The rule of a disagreement in words, for the documentation and tooltips. */
export const disagreementText = `over ${comparedSeconds} s the frame rates differ by more than ${100 * maxRateDifference} %, or the degraded shares by more than ${maxDegradedDifference} percentage points and ${noiseErrors} standard errors. Degraded: ${degradedText}`;

const whole = (value: number): string => String(Math.round(value));

function means(seconds: readonly Experience[]): Experience {
  const mean = (values: readonly (number | undefined)[]): number | undefined => {
    const known = values.filter((value) => value !== undefined);
    return known.length > seconds.length / 2 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
  };
  return {
    frameRate: mean(seconds.map(({ frameRate }) => frameRate)),
    degradedPercent: mean(seconds.map(({ degradedPercent }) => degradedPercent)),
    viewers: mean(seconds.map(({ viewers }) => viewers)) ?? 0,
  };
}
