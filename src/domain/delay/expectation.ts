import { parseDelay } from '../plan/delayText';
import { formatCount } from '../text/numberFormat';
import { delayPercentiles, type DelayPercentile } from './figures';
import { summaryOf } from './spread';
import type { DelayRow, DelayTable } from './table';

/** What the delay of paths has to be. */
export interface PathExpectation {
  /** Id of a path; absent: every path through the server. */
  readonly path?: string | undefined;
  readonly percentile: DelayPercentile;
  readonly mostMs: number;
}

/** `p95 <= 500ms`, or `vp8: p95 <= 500ms` for one path; otherwise a sentence that states what to write. */
export function parsePathExpectation(text: string): PathExpectation | string {
  const [, path, condition = ''] = /^(?:(.+?)\s*:\s*)?([^:]*)$/.exec(text.trim()) ?? [];
  const read = parseDelay(condition);
  if (typeof read === 'string') return read;
  const percentile = delayPercentiles.find((each) => each === read.stat);
  if (percentile === undefined)
    return `"${condition}" can't be expected of a path, whose table has ${delayPercentiles.join(', ')}.`;
  return { ...(path === undefined ? {} : { path }), percentile, mostMs: read.valueMs };
}

/** An expectation of one path. */
export interface JudgedDelay {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly sentence: string;
}

/** Each expectation for each of its paths; the value is the median of the repeats. */
export function judgeDelays(
  { rows }: Pick<DelayTable, 'rows'>,
  expectations: readonly PathExpectation[],
): readonly JudgedDelay[] {
  return expectations.flatMap((expectation) => {
    const { path } = expectation;
    const meant = rows.filter((row) => (path === undefined ? row.path.publish !== undefined : row.path.id === path));
    if (meant.length > 0) return meant.map((row) => judged(row, expectation));
    return [{ verdict: 'inconclusive' as const, sentence: `${path ?? 'Every path'}: there is no such path.` }];
  });
}

function judged(row: DelayRow, { percentile, mostMs }: PathExpectation): JudgedDelay {
  const value = summaryOf(row)?.[percentile].value;
  const { title } = row.path;
  if (value === undefined) return { verdict: 'inconclusive', sentence: `${title}: ${percentile} was not measured.` };
  const isMet = value <= mostMs;
  const comparison = isMet ? 'within' : 'above';
  return {
    verdict: isMet ? 'pass' : 'fail',
    sentence: `${title}: ${percentile} ${formatCount(value)} ms is ${comparison} ${mostMs} ms.`,
  };
}
