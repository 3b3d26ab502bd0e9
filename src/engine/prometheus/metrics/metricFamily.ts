import type { Histogram } from '../../../domain/distribution/histogram';
import type { DistributionDefinition } from '../../../domain/series/distributions';
import type { MetricName } from '../../../domain/series/metricNames';

/** An empty label is omitted. */
export type MetricLabels = Readonly<Record<string, string>>;

/** One value with its labels, in the unit of the figure; exposed to Prometheus it is multiplied by the family's factor. */
export interface ExposedMetric {
  readonly labels: MetricLabels;
  readonly value: number;
}

/** A distribution since the start of the run with its labels, in the unit of the figure. */
export interface ExposedHistogram {
  readonly labels: MetricLabels;
  readonly histogram: Histogram;
}

interface FamilyBase extends MetricName {
  readonly help: string;
}

/** A counter's `name` ends in `_total`. */
export interface NumberFamily extends FamilyBase {
  readonly type: 'gauge' | 'counter';
  readonly values: readonly ExposedMetric[];
}

export interface HistogramFamily extends FamilyBase {
  readonly type: 'histogram';
  readonly unit: DistributionDefinition['unit'];
  readonly values: readonly ExposedHistogram[];
}

/** All values of one metric. */
export type MetricFamily = NumberFamily | HistogramFamily;
