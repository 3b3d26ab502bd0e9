import { parseDuration, writeDuration } from '../plan/quantity';
import { formatCount } from '../text/numberFormat';
import { delayPercentiles, type DelayPercentile } from './figures';
import { summaryOf } from './spread';
import type { DelayRow, DelayTable } from './table';

/** What a delay has to be. */
export interface DelayExpectation {
  /** Id of a path; absent: every path through the server. */
  readonly path?: string | undefined;
  readonly percentile: DelayPercentile;
  readonly mostMs: number;
}

const form = new RegExp(`^(?:(.+?)\\s*:\\s*)?(${delayPercentiles.join('|')})\\s*<=\\s*(\\S+)$`);

/** `p95 <= 500ms`, or `vp8: p95 <= 500ms` for one path; undefined for anything else. */
export function parseDelayExpectation(text: string): DelayExpectation | undefined {
  const [, path, percentile, amount = ''] = form.exec(text.trim()) ?? [];
  const mostMs = parseDuration(amount);
  const known = delayPercentiles.find((each) => each === percentile);
  if (known === undefined || mostMs === undefined) return undefined;
  return { ...(path === undefined ? {} : { path }), percentile: known, mostMs };
}

/** An expectation of one path. */
export interface JudgedDelay {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly sentence: string;
}

/** Each expectation for each of its paths; the value is the median of the repeats. */
export function judgeDelays(
  { rows }: Pick<DelayTable, 'rows'>,
  expectations: readonly DelayExpectation[],
): readonly JudgedDelay[] {
  return expectations.flatMap((expectation) => {
    const { path } = expectation;
    const meant = rows.filter((row) => (path === undefined ? row.path.publish !== undefined : row.path.id === path));
    if (meant.length > 0) return meant.map((row) => judged(row, expectation));
    return [{ verdict: 'inconclusive' as const, sentence: `${path ?? 'Every path'}: there is no such path.` }];
  });
}

function judged(row: DelayRow, { percentile, mostMs }: DelayExpectation): JudgedDelay {
  const value = summaryOf(row)?.[percentile].value;
  const limit = writeDuration(mostMs);
  const { title } = row.path;
  if (value === undefined) return { verdict: 'inconclusive', sentence: `${title}: ${percentile} was not measured.` };
  const isMet = value <= mostMs;
  const comparison = isMet ? 'within' : 'above';
  return {
    verdict: isMet ? 'pass' : 'fail',
    sentence: `${title}: ${percentile} ${formatCount(value)} ms is ${comparison} ${limit}.`,
  };
}
