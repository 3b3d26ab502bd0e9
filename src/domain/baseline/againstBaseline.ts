import type { RunMeasure } from '../compare/measureRun';
import { originOf } from '../compare/describeRun';
import type { Judgement } from '../evidence/evidence';
import { formatCount } from '../text/numberFormat';
import type { VerdictReason } from '../model/run';
import { formatDate } from '../text/timeFormat';
import { amountText, baselineRows, figureText, type Baseline, type BaselineRow } from './baselineRows';
import type { RegressionRule } from './regressionRules';

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
  const got = `${formatCount(run.connected)} of ${formatCount(requested)} viewers connected`;
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
  return baselineRows(run, baseline, isTesterLimited)
    .filter(({ result }) => result === 'worse')
    .map((row) => ({ rule: row.rule, reason: reasonOf(row, run, baseline.measure) }));
}

function reasonOf(
  { rule, value, base, allowed, isNoiseKnown }: BaselineRow,
  run: RunMeasure,
  measure: RunMeasure,
): Omit<VerdictReason, 'number'> {
  const amount = amountText(rule, allowed);
  const why = isNoiseKnown ? `noise ${amount}` : `noise unknown, ${amount} allowed`;
  const limit = rule.better === 'less' ? base + allowed : base - allowed;
  return {
    sentence: `${rule.title} is ${figureText(rule, value)}, baseline ${figureText(rule, base)} on ${dayOf(measure)} (${why}).`,
    expected: `baseline ${rule.better === 'less' ? '<=' : '>='} ${figureText(rule, limit)}`,
    series: rule.series,
    timeMs: Math.round(rule.timestamp(run) ?? run.audience?.fromMs ?? run.view.startedMs),
    ...(rule.isViewerMetric ? {} : { node: originOf(run.view)?.name }),
  };
}

/** `12 Nov` */
export function dayOf({ view }: RunMeasure): string {
  const [, day = '', month = ''] = formatDate(view.startedMs, 'utc').split(' ');
  return `${day} ${month}`;
}

function lowerFirst(title: string): string {
  return title.startsWith('The ') ? `t${title.slice(1)}` : title;
}
