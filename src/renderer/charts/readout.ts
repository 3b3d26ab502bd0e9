import type { TraceSpec } from '../../domain/charts/chartSpec';
/** A figure beside a swatch. */
export interface Readout {
  readonly panel: number;
  readonly trace: TraceSpec;
  readonly value: number | undefined;
}
