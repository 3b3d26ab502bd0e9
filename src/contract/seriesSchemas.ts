import { z } from 'zod';
import type { SeriesSummary } from '../domain/charts/seriesTable';
import { seriesId } from './names';
import { exactly } from './exactly';

export const seriesSummary = exactly<SeriesSummary>()(
  z.object({
    node: z.string(),
    series: seriesId,
    firstMs: z.number(),
    lastMs: z.number(),
    maxMs: z.number(),
    count: z.number(),
    last: z.number(),
    min: z.number(),
    max: z.number(),
    mean: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
  }),
);
