import { z } from 'zod';
import { seriesId } from '../../../domain/model/schema';
import { count, period, text, timeMs } from './values';

/** What a run found, as saved: verdict, failures and outages. */

const expectationId = z.enum(['connected', 'outages', 'degraded', 'cpu', 'gcPause']);

const verdictName = z.enum(['pass', 'fail', 'inconclusive', 'stopped', 'interrupted']);

const amounts = { count, sumMs: z.number().nonnegative(), longestMs: z.number().nonnegative() };
const outage = z.object({
  audience: text.optional(),
  ...period,
  lowest: count,
  lowestMs: timeMs,
  requested: count,
  isUntilEnd: z.literal(true).optional(),
  causedBy: z.enum(['machine', 'tester', 'tester-lost', 'publisher']).optional(),
});
const savedOutages = z.object({
  ...amounts,
  heldMs: z.number().nonnegative(),
  worst: outage.optional(),
  list: z.array(outage),
  reconnections: count,
  gaps: z.object({ ...amounts, list: z.array(z.object({ audience: text.optional(), ...period })) }),
  audiences: z.array(z.object({ name: text, ...amounts, reconnections: count })).optional(),
});

export const savedPublisherOutage = z.object({
  node: text,
  by: text,
  stream: text,
  fromMs: timeMs,
  toMs: timeMs.optional(),
  publishers: z.object({ lost: count, of: count }).optional(),
  reason: text,
  isOriginLost: z.boolean().optional(),
});

export const savedVerdict = z.object({
  verdict: verdictName,
  sentence: text,
  reasons: z.array(
    z.object({
      number: count,
      sentence: text,
      expected: text,
      expectation: expectationId.optional(),
      series: seriesId.optional(),
      timeMs,
      node: text.optional(),
      causedBy: z
        .enum(['origin', 'origin-lost', 'machine', 'tester', 'tester-lost', 'publisher', 'unmeasured'])
        .optional(),
    }),
  ),
  headroom: z.array(text),
  audiences: z.array(text).optional(),
  notes: z.array(z.object({ sentence: text, expectation: expectationId.optional(), node: text.optional() })).optional(),
  findings: z
    .array(
      z.object({
        result: z.enum(['met', 'failed', 'missing', 'skipped', 'inapplicable']),
        expectation: expectationId.optional(),
        series: seriesId.optional(),
        sentence: text,
        expected: text,
        timeMs,
        node: text.optional(),
        audience: text.optional(),
        measured: z.number().optional(),
      }),
    )
    .optional(),
  outages: savedOutages.optional(),
});

export const failureStage = z.enum([
  'name',
  'tcp',
  'tls',
  'signalling',
  'turn',
  'ice',
  'dtls',
  'first-packet',
  'first-frame',
  'media',
]);

export const savedFailures = z.object({
  audience: text.optional(),
  tester: text,
  stage: failureStage,
  cause: text,
  count,
  example: z.object({ viewer: count, timeMs, detail: text }),
});
