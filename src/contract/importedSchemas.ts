import { z } from 'zod';
import {
  exporterFamilies,
  type ImportedNode,
  type ImportedRange,
  type ImportedTarget,
} from '../domain/imported';
import { nodeName } from './names';

/** Schemas of `domain/imported` where it crosses a process border or lies in a run's file. */

const timeMs = z.number().int().nonnegative();

export const importedTarget: z.ZodType<ImportedTarget> = z.object({
  family: z.enum(exporterFamilies),
  labels: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string().max(500)),
});

const importedNode: z.ZodType<ImportedNode> = z.object({
  name: nodeName,
  role: z.enum(['origin', 'tester']),
  targets: z.array(importedTarget).max(20),
});

/** An address that holds a password would stand in files and sentences. */
export const prometheusUrl = z
  .string()
  .trim()
  .min(1)
  .max(1000)
  .refine(
    (text) => !/\/\/[^/]*@/.test(text),
    'A user and its password have fields of their own, not the address.',
  );

const importedQueries = z.record(z.string().max(120), z.string().trim().min(1).max(2000));

/** What is to be asked for; the same is kept in the run. */
export const rangeWish = z.strictObject({
  prometheus: prometheusUrl,
  user: z.string().min(1).max(200).optional(),
  selfSigned: z.boolean().optional(),
  fromMs: timeMs,
  toMs: timeMs,
  stepMs: z.number().int().min(100).max(86_400_000),
  nodes: z.array(importedNode).min(1).max(200),
  queries: importedQueries.optional(),
});

export const importedRange: z.ZodType<ImportedRange> = z.object({
  ...rangeWish.shape,
  missing: z.array(z.object({ fromMs: timeMs, toMs: timeMs })),
});
