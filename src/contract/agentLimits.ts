import { maxPublishers, maxWatchMs, minWatchMs, roomSizes } from '../domain/model/audienceValues';
import { maxProcesses } from '../domain/model/protocols';

/**
 * What engine and agent must agree on besides the messages. Bounds and defaults of parameters are in their schemas; the
 * rules for degraded viewers in `domain/viewer/degraded.ts`. The Go constants are generated from all three.
 */
export const agentLimits = {
  /** Max size of one text frame in either direction. */
  maxFrameBytes: 1 << 20,
  /** Viewers in one response: they fit into a frame. */
  maxViewersListed: 1000,
  /** Publishers of one agent. */
  maxPublishers,
  /** Streams that the viewers of a job share out. */
  maxStreams: maxPublishers,
  /** Viewers and publishers of RTSP and SRT on one agent: a process of ffmpeg each. */
  maxProcesses,
  /** Participants of one room. */
  minRoomSize: roomSizes.min,
  maxRoomSize: roomSizes.max,
  /** How long a viewer watches that is replaced, in ms. */
  minWatchMs,
  maxWatchMs,
} as const;
