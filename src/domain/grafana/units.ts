import type { PanelSpec } from '../chartSpec';

/** How Grafana writes what a metric tells in base units, and what turns a card's own value into one. */
export interface GrafanaUnit {
  readonly id: string;
  /** Base units per unit of the card. */
  readonly factor: number;
  /** Where the metric is told in another unit than is shown. */
  readonly times?: number;
}

const units: Readonly<Record<string, GrafanaUnit>> = {
  '%': { id: 'percentunit', factor: 0.01 },
  ms: { id: 's', factor: 0.001 },
  // Told in bytes, as everything is; people compare links in bits.
  'Mbit/s': { id: 'bps', factor: 1e6, times: 8 },
  'kbit/s': { id: 'bps', factor: 1e3, times: 8 },
  GiB: { id: 'bytes', factor: 2 ** 30 },
  MiB: { id: 'bytes', factor: 2 ** 20 },
  fps: { id: 'suffix: fps', factor: 1 },
};

export function grafanaUnit(unit: PanelSpec['unit']): GrafanaUnit {
  return units[unit] ?? { id: 'short', factor: 1 };
}
