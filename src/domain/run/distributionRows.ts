import type { DistributionFigures, RunFigures } from '../model/run';
import { distributions, type DistributionId } from '../series/distributions';
import { formatFigure } from '../text/numberFormat';

/** The figures of single viewers over a run, as a row of a table. */
export interface DistributionRow {
  readonly distribution: DistributionId;
  /** With its unit. */
  readonly title: string;
  /** The median, the worst 5 %, the worst 1 % and the worst value; where low is bad, named. */
  readonly cells: readonly [string, string, string, string];
}

export const distributionHead = ['p50', 'p95', 'p99', 'max'] as const;

/** Those of all audiences together, in the order of a viewer's life. */
export function distributionRows({ distributions: all = [] }: Pick<RunFigures, 'distributions'>): DistributionRow[] {
  return all.filter(({ audience }) => audience === undefined).map(rowOf);
}

function rowOf({ distribution, p50, ...of }: DistributionFigures): DistributionRow {
  const { title, unit, bad } = distributions[distribution];
  const figure = (value: number): string => formatFigure(value, 'adaptive');
  return {
    distribution,
    title: `${title}, ${unit}`,
    cells:
      bad === 'high'
        ? [figure(p50), figure(of.p95), figure(of.p99), figure(of.max)]
        : [figure(p50), `p5 ${figure(of.p5)}`, `p1 ${figure(of.p1)}`, `min ${figure(of.min)}`],
  };
}
