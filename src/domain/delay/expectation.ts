import { delayExample, parseDelay } from '../plan/delayText';
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
  const percentile = typeof read === 'string' ? undefined : delayPercentiles.find((each) => each === read.stat);
  if (typeof read === 'string' || percentile === undefined)
    return `"${text}" is not valid. Write it like "${delayExample}" or "vp8: ${delayExample}", with ${delayPercentiles.join(', ')}.`;
  return { ...(path === undefined ? {} : { path }), percentile, mostMs: read.valueMs };
}

/** An expectation of one path. */
export interface JudgedDelay {
  readonly verdict: 'pass' | 'fail' | 'inconclusive';
  readonly path?: string | undefined;
  readonly percentile: DelayPercentile;
  /** Absent: not measured. */
  readonly valueMs?: number | undefined;
  readonly mostMs: number;
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
    return [
      { ...expectation, verdict: 'inconclusive' as const, sentence: `${path ?? 'Every path'}: there is no such path.` },
    ];
  });
}

function judged(row: DelayRow, { percentile, mostMs }: PathExpectation): JudgedDelay {
  const value = summaryOf(row)?.[percentile].value;
  const { title } = row.path;
  const judgement = { path: row.path.id, percentile, mostMs };
  if (value === undefined)
    return { ...judgement, verdict: 'inconclusive', sentence: `${title}: ${percentile} was not measured.` };
  const isMet = value <= mostMs;
  const comparison = isMet ? 'within' : 'above';
  return {
    ...judgement,
    valueMs: value,
    verdict: isMet ? 'pass' : 'fail',
    sentence: `${title}: ${percentile} ${formatCount(value)} ms is ${comparison} ${mostMs} ms.`,
  };
}
