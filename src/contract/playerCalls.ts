import { z } from 'zod';
import { mediaClock } from '../domain/model/mediaClock';
import { playerConnections, playerProtocols } from '../domain/model/playerProtocols';
import { timeMs } from '../domain/model/schema';
import * as s from './schemas';

/** The control player's part of the contract: the window opens no connections but media, the engine does. */

const done = z.object({ done: z.literal(true) });
const connectionId = z.string().min(1).max(64);
const playerUrl = z.string().max(4000);
const bytes = s.bytes();

export const playerCalls = {
  /**
   * Where the control player plays a stream from, over the preferred protocol or the given one. `available`: all
   * protocols over which it can be played. `whep` and `wcs` are signalled through `signal.whep`.
   */
  'player.address': {
    input: z.strictObject({
      node: s.nodeName,
      stream: s.streamName,
      protocol: z.enum(playerProtocols).optional(),
    }),
    output: z.object({
      protocol: z.enum(playerProtocols),
      url: z.string(),
      available: z.array(z.enum(playerProtocols)),
    }),
  },
  /** Part of a stream for the control player (HLS); only addresses of the node's own server are fetched. */
  'player.fetch': {
    input: z.strictObject({ node: s.nodeName, url: playerUrl }),
    output: z.object({ status: z.number(), url: z.string(), data: bytes }),
  },
  /**
   * Opens a connection for the control player, which opens none itself: an HTTP response that is streamed, a WebSocket,
   * or an RTMP, RTSP or SRT stream that ffmpeg repackages to MPEG-TS. Its data arrive as `playerData`, its end as
   * `playerClosed`. `connection` is a new id, chosen by the window. Only addresses of the node's own server are opened.
   */
  'player.connect': {
    input: z.strictObject({
      connection: connectionId,
      node: s.nodeName,
      stream: s.streamName,
      kind: z.enum(playerConnections),
      url: playerUrl,
      /** The session of `publish.room`: the WebSocket publishes as that participant, and is no player. */
      session: z.string().optional(),
    }),
    /** `status`: of the HTTP response; 101 for a WebSocket, 200 for a repackaged stream. */
    output: z.object({ status: z.number() }),
  },
  /** Sends a message over a WebSocket of `player.connect`. */
  'player.send': {
    input: z.strictObject({ connection: connectionId, data: z.union([z.string().max(1_000_000), bytes]) }),
    output: done,
  },
  /**
   * When the publisher of a stream sends which time of its file, and the engine's time at the response. No `clock`: none
   * of the agents publishes the stream, or not alone. `pages`: the clocks of clock pages, by their number in pictures,
   * as media files of the length after which the time in a clock row starts again.
   */
  'player.mediaClock': {
    input: z.strictObject({ node: s.nodeName, stream: s.streamName }),
    output: z.object({
      nowMs: timeMs,
      clock: mediaClock.optional(),
      pages: z.array(z.object({ source: z.number().int(), clock: mediaClock })).optional(),
    }),
  },
  /** Closes a connection of `player.connect`; one that has closed already is fine. */
  'player.disconnect': { input: z.strictObject({ connection: connectionId }), output: done },
} as const;

/** Events of the connections of `player.connect`. */
export const playerEvents = {
  playerData: z.object({ connection: z.string(), data: z.union([z.string(), bytes]) }),
  /** `code`: of a WebSocket, as in RFC 6455. `sentence`: why, unless the server closed it in an orderly way. */
  playerClosed: z.object({ connection: z.string(), code: z.number(), sentence: z.string().optional() }),
} as const;
