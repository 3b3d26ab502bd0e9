import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { inTime, type Clock } from '../../base/clock';
import type { MediaSession, SignalMedia } from '../adapter';
import { openClientSocket, type ClientSocket } from './clientSocket';
import { localMediaInfo, offerForWcs, sends } from './offer';

export interface WcsSignallingOptions {
  readonly who: string;
  /** The server's address for web clients; undefined when it is not known. */
  readonly url: string | undefined;
  readonly acceptSelfSigned?: boolean;
  readonly clock: Clock;
}

/** Signals streams to a WCS and tracks the active ones. */
export interface WcsSignalling {
  readonly signal: SignalMedia;
  close(): void;
}

const answerMs = 8000;
const closeTimeoutMs = 1000;

const status = z.looseObject({
  mediaSessionId: z.string(),
  status: z.string(),
  info: z.string().nullish(),
});
type Status = z.output<typeof status>;
/** Statuses after which a stream is over. */
const endedStatuses = new Set(['FAILED', 'STOPPED', 'UNPUBLISHED']);

/**
 * Plays and publishes as WCS's web client does: the offer has no candidates, and the answer is complete, since neither side
 * sends candidates later. The session lasts as long as the connection.
 */
export function wcsSignalling({ who, url, acceptSelfSigned, clock }: WcsSignallingOptions): WcsSignalling {
  const open = new Set<ClientSocket>();
  return {
    signal: async (kind, stream, offerSdp) => {
      if (url === undefined)
        throw new FullhouseError('no-address', `${who} has no address for web clients; edit the node.`);
      const socket = await openClientSocket({ who, url, acceptSelfSigned, clock });
      open.add(socket);
      socket.onClose(() => open.delete(socket));
      try {
        return await session(socket, clock, who, kind, stream, offerSdp);
      } catch (error) {
        socket.close();
        throw error;
      }
    },
    close: () => {
      for (const socket of open) socket.close();
    },
  };
}

function session(
  socket: ClientSocket,
  clock: Clock,
  who: string,
  kind: 'play' | 'publish',
  stream: string,
  offerSdp: string,
): Promise<MediaSession> {
  const mediaSessionId = randomUUID();
  const isPublished = kind === 'publish';
  const common = {
    mediaSessionId,
    name: stream,
    published: isPublished,
    // As in the vendor's client: a publisher has what its offer sends, a player takes both.
    hasVideo: !isPublished || sends(offerSdp, 'video'),
    hasAudio: !isPublished || sends(offerSdp, 'audio'),
    status: 'PENDING',
    record: false,
  };
  let latest = common.status;
  const ended = new Promise<string>((resolve) => {
    socket.onClose(() => resolve(`${who} closed the connection of ${stream}.`));
    socket.onMessage(({ message, data }) => {
      const streamStatus = statusOf(message, data, mediaSessionId);
      if (streamStatus) latest = streamStatus.status;
      if (streamStatus && endedStatuses.has(streamStatus.status))
        resolve(`${who} ended ${stream}: ${wordsOf(streamStatus)}.`);
    });
  });
  const end = async (): Promise<void> => {
    // Both kinds are claimed here whatever the offer has, as by the vendor's client.
    const stopped = { ...common, hasVideo: true, hasAudio: true, status: latest };
    socket.send(isPublished ? 'unPublishStream' : 'stopStream', stopped);
    await inTime(clock, ended, closeTimeoutMs);
    socket.close();
  };
  return new Promise((resolve, reject) => {
    const action = isPublished ? `publish ${stream}` : `play ${stream}`;
    const fail = (code: string, why: string): void => {
      cancelLimit();
      reject(new FullhouseError(code, `${who} failed to ${action}: ${why}.`));
    };
    const cancelLimit = clock.after(answerMs, () =>
      fail('timeout', `no answer to the offer within ${answerMs / 1000} s; it may be out of CPU or media ports`),
    );
    socket.onClose(() => fail('closed', 'it closed the connection'));
    socket.onMessage(({ message, data }) => {
      if (message === 'setRemoteSDP' && data[0] === mediaSessionId && typeof data[1] === 'string') {
        cancelLimit();
        resolve({ answerSdp: data[1], ended, end });
        return;
      }
      const streamStatus = statusOf(message, data, mediaSessionId);
      if (streamStatus && endedStatuses.has(streamStatus.status)) fail('refused', wordsOf(streamStatus));
    });
    socket.send(isPublished ? 'publishStream' : 'playStream', {
      ...common,
      mediaProvider: 'WebRTC',
      sdp: offerForWcs(offerSdp),
      bitrate: 0,
      minBitrate: 0,
      maxBitrate: 0,
      ...(isPublished ? { localMediaInfo: localMediaInfo(offerSdp) } : { width: 0, height: 0, quality: 0 }),
      constraints: {},
      cvoExtension: true,
    });
  });
}

/** The server's own words, e.g. "Failed by ICE timeout". */
const wordsOf = ({ info, status: word }: Status): string => info?.trim().replace(/\.$/, '') || `status ${word}`;

/** The stream status in a message, if it contains one; `fail` names the stream by `id`. */
function statusOf(message: string, data: readonly unknown[], mediaSessionId: string): Status | undefined {
  const [first] = data;
  const named =
    message === 'fail' && typeof first === 'object' && first !== null && 'id' in first
      ? { ...first, mediaSessionId: first.id }
      : first;
  if (message !== 'notifyStreamStatusEvent' && message !== 'fail') return undefined;
  const parsed = status.safeParse(named);
  return parsed.success && parsed.data.mediaSessionId === mediaSessionId ? parsed.data : undefined;
}
