import { z } from 'zod';

const number = z.union([z.number(), z.string()]).transform(Number);
const attributes = z
  .array(z.object({ key: z.string(), value: z.object({ stringValue: z.string() }) }))
  .default([])
  .transform((all) => Object.fromEntries(all.map(({ key, value }) => [key, value.stringValue])));
const times = { startTimeUnixNano: z.string(), timeUnixNano: z.string() };
const numberPoint = z.object({ ...times, attributes, asDouble: z.number() });
const buckets = z.object({ offset: z.number().default(0), bucketCounts: z.array(number).default([]) });
const histogramPoint = z.object({
  ...{ ...times, attributes, count: number.default(0), sum: z.number().optional(), scale: z.number().default(0) },
  ...{ zeroCount: number.default(0), positive: buckets, negative: buckets },
  ...{ min: z.number().optional(), max: z.number().optional() },
});
const temporality = z.union([z.literal('AGGREGATION_TEMPORALITY_CUMULATIVE'), z.literal(2)]);

/** A request of OTLP metrics in its JSON form, as far as this receiver uses it. */
export const exportRequest = z.object({
  resourceMetrics: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeMetrics: z.array(
        z.object({
          metrics: z.array(
            z.object({
              name: z.string(),
              description: z.string().default(''),
              unit: z.string().default(''),
              gauge: z.object({ dataPoints: z.array(numberPoint) }).optional(),
              sum: z
                .object({
                  dataPoints: z.array(numberPoint),
                  aggregationTemporality: temporality,
                  isMonotonic: z.boolean().default(false),
                })
                .optional(),
              exponentialHistogram: z
                .object({ dataPoints: z.array(histogramPoint), aggregationTemporality: temporality })
                .optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});

export type ExportRequest = z.infer<typeof exportRequest>;
export type ReceivedMetric = ExportRequest['resourceMetrics'][number]['scopeMetrics'][number]['metrics'][number];
export type ReceivedHistogram = z.infer<typeof histogramPoint>;
