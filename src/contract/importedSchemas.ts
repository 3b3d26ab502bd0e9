import { z } from 'zod';
import { exporterFamilies, type ImportedNode, type ImportedRange, type ImportedTarget } from '../domain/model/imported';
import { nodeName } from './names';
import { exactly } from './exactly';

/** Schemas of `domain/imported` at process borders. */

const timeMs = z.number().int().nonnegative();

export const importedTarget = exactly<ImportedTarget>()(
  z.object({
    family: z.enum(exporterFamilies),
    labels: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(500)),
  }),
);

const importedNode = exactly<ImportedNode>()(
  z.object({
    name: nodeName,
    role: z.enum(['origin', 'tester']),
    targets: z.array(importedTarget).max(20),
  }),
);

/** A password in an address would end up in files and sentences. */
export const prometheusUrl = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .refine((text) => !/\/\/[^/]*@/.test(text), 'Enter user and password in their own fields, not in the address.');

const importedQueries = z.record(z.string().max(120), z.string().trim().min(1).max(2000));

/** What to query; also saved in the run. */
export const rangeRequest = z.strictObject({
  prometheus: prometheusUrl,
  user: z.string().min(1).max(200).optional(),
  selfSigned: z.boolean().optional(),
  fromMs: timeMs,
  toMs: timeMs,
  stepMs: z.number().int().min(100).max(86_400_000),
  nodes: z.array(importedNode).min(1).max(200),
  queries: importedQueries.optional(),
});

export const importedRange = exactly<ImportedRange>()(
  z.object({
    ...rangeRequest.shape,
    missing: z.array(z.object({ fromMs: timeMs, toMs: timeMs })),
  }),
);
