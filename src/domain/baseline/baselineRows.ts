import { exceedsNoise, noiseOf } from '../compare/noise';
import type { RunMeasure } from '../compare/measureRun';
import { formatFigure, formatTenths } from '../text/numberFormat';
import { regressionRules, type RegressionRule } from './regressionRules';

/** The baseline run with its repeats, which show how much such runs differ by chance. */
export interface Baseline {
  readonly measure: RunMeasure;
  readonly repeats: readonly RunMeasure[];
}

/** A figure of a run beside that of its baseline. */
export interface BaselineRow {
  readonly rule: RegressionRule;
  readonly value: number;
  readonly base: number;
  /** By how much the figure may be worse: the noise, or the rule's bound while that is unknown. */
  readonly allowed: number;
  readonly isNoiseKnown: boolean;
  /** `excluded`: a tester was at its own limit, so the figure does not describe the origin. */
  readonly result: 'worse' | 'better' | 'same' | 'excluded';
}

/** All figures that both runs have, in the order of the rules. */
export function baselineRows(run: RunMeasure, baseline: Baseline, isTesterLimited: boolean): readonly BaselineRow[] {
  const viewers = Math.min(run.connected, baseline.measure.connected);
  if (viewers < 1) return [];
  return regressionRules(viewers, [run, baseline.measure, ...baseline.repeats]).flatMap((rule) => {
    const row = rowOf(rule, run, baseline);
    if (!row) return [];
    return [isTesterLimited && rule.isViewerMetric ? { ...row, result: 'excluded' as const } : row];
  });
}

function rowOf(rule: RegressionRule, run: RunMeasure, { measure, repeats }: Baseline): BaselineRow | undefined {
  const [value, base] = [rule.of(run), rule.of(measure)];
  if (value === undefined || base === undefined) return undefined;
  const known = [measure, ...repeats].map(rule.of).filter((figure) => figure !== undefined);
  const noise = noiseOf([known], rule.resolution);
  const allowed = noise ?? rule.bound(base);
  const worseBy = rule.better === 'less' ? value - base : base - value;
  const isDifferent = exceedsNoise(worseBy, allowed) === true;
  const result = !isDifferent ? 'same' : worseBy > 0 ? 'worse' : 'better';
  return { rule, value, base, allowed, isNoiseKnown: noise !== undefined, result };
}

/** A value of the figure with its unit. */
export function figureText({ unit, decimals }: RegressionRule, value: number): string {
  const text = formatFigure(value, decimals === 0 ? 'integer' : 'tenths');
  return unit === '' ? text : `${text} ${unit}`;
}

/** A difference with its unit; percentages differ by points. */
export function amountText({ unit }: RegressionRule, value: number): string {
  const text = formatTenths(value);
  const isOne = text === '1';
  if (unit === '%') return `${text} point${isOne ? '' : 's'}`;
  return unit === '' ? `${text} viewer${isOne ? '' : 's'}` : `${text} ${unit}`;
}
