/** Charts that every run has by default. */
export const builtInChartIds = [
  'viewers',
  'cpu',
  'bandwidth',
  'gc',
  'memory',
  'load',
  'frameRate',
  'jitter',
  'connect',
] as const;
export type BuiltInChartId = (typeof builtInChartIds)[number];
/** A user-defined chart; see `chartLayout.ts`. */
export type CustomChartId = `custom:${string}`;
/** A chart that appears automatically when a run has data for it; see `charts/layout/autoCharts.ts`. */
export type AutoChartId = `auto:${string}`;
export type ChartId = BuiltInChartId | CustomChartId | AutoChartId;
