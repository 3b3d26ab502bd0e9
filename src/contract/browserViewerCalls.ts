import { z } from 'zod';
import { maxBrowserViewers } from '../domain/model/audienceValues';
import { playerProtocols } from '../domain/model/playerProtocols';
import { maxDelayMs, maxDelaysPerReport, minDelayMs } from '../domain/viewer/delay';
import * as s from './schemas';

const done = z.object({ done: z.literal(true) });
const amount = z.number().nonnegative();

/** Glass-to-glass delays of frames whose clock was read since the last report, in the order of their display. */
export const delaysMs = z.array(z.number().min(minDelayMs).max(maxDelayMs)).max(maxDelaysPerReport);

/** One browser viewer in one second. */
export const browserViewerSecond = z.strictObject({
  /** Its number in the run, from 0: each watches for some seconds, then the next one takes its place. */
  number: z.number().int().nonnegative(),
  node: s.nodeName,
  stream: s.streamName,
  protocol: z.enum(playerProtocols),
  state: z.enum(['connecting', 'playing', 'failed']),
  /** From its start to its first picture. */
  firstFrameMs: amount.optional(),
  /** Displayed frames per second; absent before the first. */
  frameRate: amount.optional(),
  /** Within the second: gaps by the rule of the audience's stalls. */
  stalledMs: amount,
  /** That ended within the second. */
  stalls: z.number().int().nonnegative(),
  /** Within the second, from getStats; WebRTC only. */
  freezeCount: z.number().int().nonnegative().optional(),
  freezeDurationMs: amount.optional(),
  pauseCount: z.number().int().nonnegative().optional(),
  jitterBufferMs: amount.optional(),
  concealedPercent: amount.optional(),
  /** Absent where no clock was read. */
  delaysMs: delaysMs.optional(),
  /** Mean difference between consecutive ones. */
  delayJitterMs: amount.optional(),
  /** Their median less the round trip; of a test pattern of the same window over WebRTC only. */
  pipelineDelayMs: z.number().optional(),
  /** Round trip of the nominated candidate pair; WebRTC only. */
  rttMs: amount.optional(),
  /** By the rule of the audience; absent while it can't be judged. */
  isDegraded: z.boolean().optional(),
  /** Why it failed. */
  problem: z.string().max(1000).optional(),
});
export type BrowserViewerSecond = z.infer<typeof browserViewerSecond>;

/** Browser viewers: run by a window, or by a browser on a tester, which reports what they displayed. */
export const browserViewerCalls = {
  /** This window runs the browser viewers of the next runs, as `RunView.browserViewers` says. */
  'browserViewers.offer': { input: z.strictObject({}), output: done },
  /** Once a second while there are browser viewers. */
  'browserViewers.report': {
    input: z.strictObject({
      run: s.runId,
      viewers: z.array(browserViewerSecond).max(2 * maxBrowserViewers),
      /** Fewer than planned at a time, and why: their machine is busy. */
      limit: z
        .object({ viewers: z.number().int().nonnegative(), machineBusyPercent: z.number().min(0).max(100) })
        .optional(),
    }),
    output: done,
  },
} as const;
