import { z } from 'zod';
import { delayFigures } from '../domain/delay/figures';
import { delayPath } from '../domain/delay/paths';
import { delayRow, delayTable, delayTableId } from '../domain/delay/table';
import { publishMedia, windowProtocols } from '../domain/model/publishMedia';
import { playerProtocols } from '../domain/model/playerProtocols';
import { videoCodecs } from '../domain/model/videoCodecs';
import { consentInput } from './consentCalls';
import * as s from './schemas';

const done = z.object({ done: z.literal(true) });
const nothing = z.strictObject({});

/** Bounds of a delay test. */
export const delayBounds = {
  /** Players keep the delays of a minute. */
  measureMs: { least: 2000, most: 60_000 },
  repeats: { least: 1, most: 20 },
  viewers: { least: 1, most: 5000 },
} as const;

const within = ({ least, most }: { readonly least: number; readonly most: number }) =>
  z.number().int().min(least).max(most);

/** What is measured. */
const delayOrder = z.strictObject({
  node: s.nodeName,
  name: z.string().trim().min(1).max(200).optional(),
  measureMs: within(delayBounds.measureMs),
  repeats: within(delayBounds.repeats),
  /** Viewers of this machine in the paths under load; absent: these paths are left out, unless a plan is the load. */
  viewers: within(delayBounds.viewers).optional(),
  /** Ids of paths; absent: all that the server and the decoder can do. */
  paths: z.array(z.string().max(100)).max(200).optional(),
  /** Starts a Chromium of this machine, since the caller can't play. */
  startsBrowser: z.literal(true).optional(),
});
export type DelayOrder = z.infer<typeof delayOrder>;

/** The problem of a test that a person has ended. */
export const cancelledProblem = 'It was cancelled.';

/** A delay test, while it runs and afterwards. */
export const delayView = z.object({
  test: z.string(),
  node: z.string(),
  state: z.enum(['starting', 'running', 'ended']),
  repeats: z.number(),
  /** Of each path and repeat. */
  measureMs: z.number(),
  rows: z.array(delayRow),
  /** What is being measured: the row, what is being done, and the share of the measurement from 0 to 1. */
  now: z.object({ row: z.number(), repeat: z.number(), step: z.string(), share: z.number() }).optional(),
  /** Why nothing more is measured. */
  problem: z.string().optional(),
  /** The kept table. */
  table: delayTable.optional(),
});
export type DelayView = z.infer<typeof delayView>;

const target = { node: s.nodeName, stream: s.streamName };

/** One thing for the decoder to do. */
export const decoderOrder = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('publish'),
    ...target,
    protocol: z.enum(windowProtocols),
    media: publishMedia,
  }),
  z.object({
    kind: z.literal('play'),
    ...target,
    protocol: z.enum(playerProtocols as readonly [string, ...string[]]) as unknown as z.ZodType<
      (typeof playerProtocols)[number]
    >,
    measureMs: z.number(),
    hasShortBuffer: z.boolean(),
  }),
  /** Displays the test pattern itself. */
  z.object({ kind: z.literal('display'), media: publishMedia, measureMs: z.number() }),
  z.object({ kind: z.literal('unpublish') }),
]);
export type DecoderOrder = z.infer<typeof decoderOrder>;

/** What came of an order. */
const decoderResult = z.strictObject({
  failed: z.string().max(2000).optional(),
  /** What was published has ended by itself. */
  hasEnded: z.literal(true).optional(),
  delay: delayFigures.optional(),
  remark: z.string().max(1000).optional(),
});
export type DecoderResult = z.infer<typeof decoderResult>;

/** Delay tests, and what plays and reads the pictures for them: a window, or a browser without one. */
export const delayCalls = {
  /** Starts a delay test; one at a time. What it does follows as `delays` events. */
  'delays.start': { input: delayOrder, output: z.object({ test: z.string() }) },
  'delays.cancel': { input: nothing, output: done },
  /** The current or last test; null: none since the start. */
  'delays.state': { input: nothing, output: z.object({ view: delayView.nullable() }) },
  /** Kept tables, the newest first. */
  'delays.list': {
    input: nothing,
    output: z.object({ tables: z.array(delayTable), problems: z.array(z.string()) }),
  },
  /** Keeps the table of a file; `name`: of the file, for sentences. A kept table of the same id is not replaced. */
  'delays.import': {
    input: z.strictObject({ name: z.string().max(260), text: z.string().max(10_000_000) }),
    output: z.object({ table: delayTable }),
  },
  'delays.remove': { input: z.strictObject({ table: delayTableId }), output: done },
  /** The paths of a server that this decoder can measure. */
  'delays.paths': {
    input: z.strictObject({ node: s.nodeName, encodes: z.array(z.enum(videoCodecs)) }),
    output: z.object({ paths: z.array(delayPath) }),
  },
  /**
   * The next order for the decoder of a test, when there is one; null: the test is over. `result`: of the last order.
   */
  'delayDecoder.next': {
    input: z.strictObject({
      test: z.string().max(40),
      encodes: z.array(z.enum(videoCodecs)).max(10),
      result: decoderResult.optional(),
    }),
    output: z.object({ order: decoderOrder.nullable() }),
  },
  /** How far the order is. The answer says whether it is still wanted. */
  'delayDecoder.progress': {
    input: z.strictObject({ test: z.string().max(40), step: z.string().max(200), share: z.number().min(0).max(1) }),
    output: z.object({ isWanted: z.boolean() }),
  },
} as const;

/** For the main process and the command line: a window could otherwise allow what a plan does. */
export const delayShellCalls = {
  /** Like `delays.start`; each path is measured again while the plan runs. */
  'delays.startUnderPlan': {
    input: delayOrder.extend({ plan: s.plan, ...consentInput }),
    output: z.object({ test: z.string() }),
  },
} as const;

export const delayEvents = { delays: delayView } as const;
