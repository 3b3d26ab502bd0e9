import type { PanelSpec } from '../charts/chartSpec';

/** How Grafana displays a metric in base units, and the factor from the card's unit. */
export interface GrafanaUnit {
  readonly id: string;
  /** Base units per unit of the card. */
  readonly factor: number;
  /** If the metric has another unit than the display. */
  readonly times?: number;
}

const units: Readonly<Record<string, GrafanaUnit>> = {
  '%': { id: 'percentunit', factor: 0.01 },
  ms: { id: 's', factor: 0.001 },
  // Exposed in bytes like all metrics; link capacities are given in bits.
  'Mbit/s': { id: 'bps', factor: 1e6, times: 8 },
  'kbit/s': { id: 'bps', factor: 1e3, times: 8 },
  GiB: { id: 'bytes', factor: 2 ** 30 },
  MiB: { id: 'bytes', factor: 2 ** 20 },
  fps: { id: 'suffix: fps', factor: 1 },
  dB: { id: 'dB', factor: 1 },
};

export function grafanaUnit(unit: PanelSpec['unit']): GrafanaUnit {
  return units[unit] ?? { id: 'short', factor: 1 };
}
