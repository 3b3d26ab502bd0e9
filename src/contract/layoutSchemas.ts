import { z } from 'zod';
import { builtInChartIds, type ChartId, type CustomChartId } from '../domain/model/chartIds';
import { layoutBounds, type ChartLayout, type CustomChart, type NamedLayout } from '../domain/model/chartLayout';
import { currentSeries } from '../domain/series/renamed';
import { seriesId } from '../domain/model/schema';
import { nodeName } from './names';
import { exactly } from './exactly';

const builtIn: ReadonlySet<string> = new Set(builtInChartIds);

const chartId = z.custom<ChartId>(
  (value) =>
    typeof value === 'string' && (builtIn.has(value) || (/^(custom|auto):/.test(value) && value.length <= 150)),
  'This chart does not exist.',
);
const customId = z.custom<CustomChartId>(
  (value) => typeof value === 'string' && /^custom:[A-Za-z0-9-]{1,40}$/.test(value),
  'A chart id is "custom:" followed by letters or digits.',
);

/** Layouts that were saved with an old name of a series stay usable. */
const savedSeries = z.preprocess((id) => (typeof id === 'string' ? currentSeries(id) : id), seriesId);

export const customChart = exactly<CustomChart>()(
  z.object({
    id: customId,
    title: z.string().trim().min(1).max(layoutBounds.titleLength),
    series: z.array(savedSeries).min(1).max(layoutBounds.seriesOfChart),
    nodes: z.array(nodeName).max(layoutBounds.nodesOfChart).optional(),
  }),
);

const chartIds = z.array(chartId).max(2 * layoutBounds.charts);

export const chartLayout = exactly<ChartLayout>()(
  z.object({
    order: chartIds,
    custom: z.array(customChart).max(layoutBounds.charts),
    hidden: chartIds,
    folded: chartIds,
    banded: chartIds.optional(),
  }),
);

const layoutName = z.string().trim().min(1).max(layoutBounds.nameLength);

export const namedLayout = exactly<NamedLayout>()(
  z.object({
    name: layoutName.optional(),
    layout: chartLayout,
  }),
);

/** What the app stores: the current layout, and the named ones. */
export const savedLayouts = z.object({
  current: namedLayout.optional(),
  saved: z
    .array(z.object({ name: layoutName, layout: chartLayout }))
    .max(layoutBounds.layouts)
    .default([]),
});
export type SavedLayouts = z.infer<typeof savedLayouts>;
