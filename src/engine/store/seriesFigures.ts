import { percentile } from '../../domain/percentile';
import type { BlockColumn } from './block';
import type { StoredSeries } from './samples';
import type { SeriesSummary } from './types';

/** Gathers one series, minute by minute in order, for its figures. Percentiles need every value: 8 bytes each meanwhile. */
export class SeriesFigures {
  private values = new Float64Array(256);
  private count = 0;
  private firstMs = 0;
  private lastMs = 0;
  private max = -Infinity;
  private maxMs = 0;

  constructor(private readonly stored: StoredSeries) {}

  /** Takes what lies from `fromMs` to `toMs` (excluded). */
  add(column: BlockColumn, fromMs: number, toMs: number): void {
    column.timeMs.forEach((timeMs, i) => {
      const value = column.value[i];
      if (value === undefined || timeMs < fromMs || timeMs >= toMs) return;
      if (this.count === 0) this.firstMs = timeMs;
      this.lastMs = timeMs;
      if (value > this.max) {
        this.max = value;
        this.maxMs = timeMs;
      }
      this.push(value);
    });
  }

  /** Undefined when there was no sample. */
  summary(): SeriesSummary | undefined {
    const sorted = this.values.slice(0, this.count).sort();
    const min = sorted[0];
    if (min === undefined) return undefined;
    const at = (percent: number): number => percentile(sorted, percent) ?? min;
    return {
      node: this.stored.node,
      series: this.stored.series,
      count: this.count,
      firstMs: this.firstMs,
      lastMs: this.lastMs,
      min,
      max: this.max,
      maxMs: this.maxMs,
      mean: sorted.reduce((sum, value) => sum + value, 0) / this.count,
      p50: at(50),
      p95: at(95),
      p99: at(99),
    };
  }

  private push(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count] = value;
    this.count += 1;
  }
}
