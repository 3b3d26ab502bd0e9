import type { RunMeasure } from '../compare/measureRun';
import { exceedsNoise, noiseOf } from '../compare/noise';
import { originOf } from '../compare/describeRun';
import type { Judgement } from '../evidence/evidence';
import { formatFigure } from '../text/numberFormat';
import type { VerdictReason } from '../model/run';
import { formatDate } from '../text/timeFormat';
import { regressionRules, type RegressionRule } from './regressionRules';

/** The baseline run with its repeats, which show how much such runs differ by chance. */
export interface Baseline {
  readonly measure: RunMeasure;
  readonly repeats: readonly RunMeasure[];
}

/**
 * Compares an ended run with its baseline: a figure that is worse by more than the noise makes the verdict fail, with
 * numbered reasons after the run's own. A run without a result (stopped, inconclusive) keeps its verdict.
 */
export function againstBaseline(judgement: Judgement, run: RunMeasure, baseline: Baseline): Judgement {
  const { verdict, testerLimits } = judgement;
  if (verdict.verdict !== 'pass' && verdict.verdict !== 'fail') return judgement;
  const worse = regressions(run, baseline, testerLimits.length > 0);
  const day = dayOf(baseline.measure);
  if (worse.length === 0) {
    const sentence = `No regression against the baseline "${baseline.measure.view.name}" of ${day}.`;
    return { ...judgement, verdict: { ...verdict, headroom: [...verdict.headroom, sentence] } };
  }
  const reasons = worse.map(({ reason }, i): VerdictReason => ({
    ...reason,
    number: verdict.reasons.length + i + 1,
  }));
  const named = worse.map(({ rule }) => lowerFirst(rule.title)).join(', ');
  const { requested } = run.view.figures;
  const got = `${count(run.connected)} of ${count(requested)} viewers connected`;
  return {
    ...judgement,
    verdict: {
      ...verdict,
      verdict: 'fail',
      sentence: verdict.verdict === 'fail' ? verdict.sentence : `${got}; worse than the baseline of ${day}: ${named}.`,
      reasons: [...verdict.reasons, ...reasons],
    },
  };
}

interface Regression {
  readonly rule: RegressionRule;
  readonly reason: Omit<VerdictReason, 'number'>;
}

function regressions(run: RunMeasure, baseline: Baseline, isTesterLimited: boolean): Regression[] {
  const viewers = Math.min(run.connected, baseline.measure.connected);
  if (viewers < 1) return [];
  return regressionRules(viewers, [run, baseline.measure, ...baseline.repeats])
    .filter(({ isViewerMetric }) => !(isTesterLimited && isViewerMetric))
    .flatMap((rule) => {
      const reason = regression(rule, run, baseline);
      return reason ? [{ rule, reason }] : [];
    });
}

function regression(
  rule: RegressionRule,
  run: RunMeasure,
  { measure, repeats }: Baseline,
): Omit<VerdictReason, 'number'> | undefined {
  const [value, base] = [rule.of(run), rule.of(measure)];
  if (value === undefined || base === undefined) return undefined;
  const known = [measure, ...repeats].map(rule.of).filter((each) => each !== undefined);
  const noise = noiseOf([known], rule.resolution);
  const allowed = noise ?? rule.bound(base);
  const worseBy = rule.better === 'less' ? value - base : base - value;
  if (worseBy <= 0 || exceedsNoise(worseBy, allowed) !== true) return undefined;
  const why =
    noise === undefined ? `noise unknown, ${amount(rule, allowed)} allowed` : `noise ${amount(rule, allowed)}`;
  const limit = rule.better === 'less' ? base + allowed : base - allowed;
  return {
    sentence: `${rule.title} is ${figure(rule, value)}, baseline ${figure(rule, base)} on ${dayOf(measure)} (${why}).`,
    expected: `baseline ${rule.better === 'less' ? '<=' : '>='} ${figure(rule, limit)}`,
    series: rule.series,
    timeMs: Math.round(rule.timestamp(run) ?? run.audience?.fromMs ?? run.view.startedMs),
    ...(rule.isViewerMetric ? {} : { node: originOf(run.view)?.name }),
  };
}

const count = (value: number): string => formatFigure(value, 'integer');

function figure({ unit, decimals }: RegressionRule, value: number): string {
  const text = formatFigure(value, decimals === 0 ? 'integer' : 'tenths');
  return unit === '' ? text : `${text} ${unit}`;
}

/** A difference with its unit; percentages differ by points. */
function amount({ unit }: RegressionRule, value: number): string {
  const text = formatFigure(value, 'tenths').replace(/\.0$/, '');
  const isOne = text === '1';
  if (unit === '%') return `${text} point${isOne ? '' : 's'}`;
  return unit === '' ? `${text} viewer${isOne ? '' : 's'}` : `${text} ${unit}`;
}

/** `12 Nov` */
function dayOf({ view }: RunMeasure): string {
  const [, day = '', month = ''] = formatDate(view.startedMs, 'utc').split(' ');
  return `${day} ${month}`;
}

function lowerFirst(title: string): string {
  return title.startsWith('The ') ? `t${title.slice(1)}` : title;
}
