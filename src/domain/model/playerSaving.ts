import { z } from 'zod';
import { isWebRtc, type PlayerProtocol } from './playerProtocols';

/** Seconds between regular stills. */
export const stillIntervals = [10, 30, 60, 300] as const;
export type StillInterval = (typeof stillIntervals)[number];

/** What the control player saves in runs by itself; absent: the default. */
export const playerSaving = z.object({
  /** Video is recorded for clips, of WebRTC: its frames are recorded as received. */
  clipsOfWebRtc: z.boolean().optional(),
  /** Video is recorded for clips, of other protocols: it is encoded again. */
  clipsOfOthers: z.boolean().optional(),
  /** Absent: no regular stills. */
  stillsEverySeconds: z.union(stillIntervals.map((seconds) => z.literal(seconds))).optional(),
});
export type PlayerSaving = z.infer<typeof playerSaving>;

const nameFor = (protocol: PlayerProtocol): 'clipsOfWebRtc' | 'clipsOfOthers' =>
  isWebRtc(protocol) ? 'clipsOfWebRtc' : 'clipsOfOthers';

/** Whether video is recorded for clips: by default where that needs no encoder. */
export function recordsClips(saving: PlayerSaving, protocol: PlayerProtocol): boolean {
  return saving[nameFor(protocol)] ?? isWebRtc(protocol);
}

/** The settings with clips of protocols like this one on or off. */
export function withClips(saving: PlayerSaving, protocol: PlayerProtocol, isOn: boolean): PlayerSaving {
  return { ...saving, [nameFor(protocol)]: isOn };
}
