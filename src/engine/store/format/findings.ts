import { z } from 'zod';
import { seriesId } from '../../../domain/model/schema';
import { count, period, text, timeMs } from './values';

/** What a run found, as saved: verdict, failures, tester limits, preflight, other load and the limit search. */

const expectationId = z.enum(['connected', 'outages', 'degraded', 'cpu', 'gcPause']);

export const verdictName = z.enum(['pass', 'fail', 'inconclusive', 'stopped', 'interrupted']);

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

export const savedTesterLimit = z.object({
  node: text,
  kind: z.enum(['cpu', 'socket-buffers', 'open-files', 'ports', 'memory', 'network', 'arrivals']),
  fromMs: timeMs,
  toMs: timeMs.optional(),
  viewers: count,
  sentence: text,
  expected: text,
});

export const savedPreflight = z.object({
  timeMs,
  findings: z.array(
    z.object({
      rule: text,
      title: text,
      node: text,
      result: z.enum(['pass', 'warn', 'fail', 'unread']),
      sentence: text,
      why: text,
      fix: text.optional(),
      source: text,
    }),
  ),
});

const program = z.object({ name: text, percent: z.number(), memoryBytes: z.number().optional() });

export const savedOtherLoad = z.object({ node: text, timeMs: z.number().nonnegative(), programs: z.array(program) });

export const savedBaseline = z.object({
  nodes: z.array(text),
  values: z.record(text, z.number()),
  programs: z.array(program).optional(),
});

export const savedLimit = z.object({
  state: z.enum(['searching', 'found', 'not-reached', 'tester-limited', 'unknown', 'stopped']),
  viewers: count.optional(),
  plusMinus: count.optional(),
  maxMet: count.optional(),
  minMissed: count.optional(),
  roomSize: count.optional(),
  repeats: count,
  trials: z.array(
    z.object({
      viewers: count,
      repeat: count,
      ...period,
      result: z.enum(['met', 'missed', 'tester-limited', 'unknown']),
      sentence: text,
      busyNode: text.optional(),
    }),
  ),
  now: z.object({ kind: z.enum(['try', 'recover']), viewers: count }).optional(),
  bottleneck: z
    .object({
      what: z.enum([
        'origin-cpu',
        'origin-memory',
        'origin-gc',
        'origin-bandwidth',
        'origin-sockets',
        'origin-refuses',
        'tester',
        'network',
        'unknown',
      ]),
      sentence: text,
      node: text.optional(),
      timeMs,
    })
    .optional(),
  sentence: text,
});

const savedExperience = z.object({
  frameRate: z.number().optional(),
  degradedPercent: z.number().optional(),
  firstFrameP50Ms: z.number().optional(),
});

export const savedBrowserViewers = z.object({
  planned: count,
  by: text,
  playing: count,
  watched: count,
  failed: count,
  problem: text.optional(),
  freezes: count,
  frozenMs: z.number(),
  browsers: savedExperience,
  audience: savedExperience,
  agreementPercent: z.number().optional(),
});
