import type * as LiveKit from 'livekit-client';
import type { LocalTrackPublication, Room, TrackPublishOptions } from 'livekit-client';
import { isCapture } from '../../../domain/model/localSources';
import type { PictureSize, PublishMedia } from '../../../domain/model/publishMedia';
import { videoCodecNames } from '../../../domain/model/videoCodecs';
import { videoCodecName } from '../../../domain/text/codecNames';
import { endRoute, routeThroughEngine } from '../protocols/engineSocket';
import { connectOptions, entriesOf, loadLiveKit, roomOptions, tokenOfEngine } from '../protocols/liveKitRoom';
import { errorText } from '../../../domain/text/errorText';
import { degradationPreference, pictureOf, sendEncodings, videoKbps } from './mediaRules';
import { publisherReading, type PublisherReading } from './publisherStats';
import { PublishSession, type PublishOrder } from './publishSession';

/** A publication as a participant of a LiveKit room, which subscribes to nothing. */
export class RoomSession extends PublishSession {
  private constructor(
    order: PublishOrder,
    opened: { readonly session: string; readonly job: string; readonly remark: string | undefined },
    private readonly room: Room,
    private readonly url: string,
    disconnected: LiveKit.RoomEvent.Disconnected,
  ) {
    super(order, opened);
    const { node, stream } = order.target;
    room.on(disconnected, () => this.lost(`${node} ended the publication in the room ${stream}.`));
  }

  /** Publishes a source; on failure the source is stopped and the promise rejects with a sentence. */
  static async start(order: PublishOrder): Promise<RoomSession> {
    const { engine, target, source } = order;
    let leave = (): Promise<unknown> => Promise.resolve();
    try {
      const opened = await engine.call('publish.room', { ...target, source: source.kind });
      const { session } = opened;
      const url = routeThroughEngine(opened.url, engine, target, session);
      leave = () => {
        endRoute(url);
        return engine.call('signal.end', { session });
      };
      const library = await loadLiveKit();
      const room = new library.Room(roomOptions);
      leave = () => leaveRoom(room, url, () => engine.call('signal.end', { session }));
      const published = await join(room, url, library, order);
      return new RoomSession(
        order,
        { ...opened, remark: codecRemark(published, order) },
        room,
        url,
        library.RoomEvent.Disconnected,
      );
    } catch (error) {
      source.stop();
      await leave();
      throw error;
    }
  }

  protected async read(): Promise<PublisherReading | undefined> {
    const tracks = [...this.room.localParticipant.trackPublications.values()].map(({ track }) => track);
    const senders = tracks.flatMap((track) => track?.sender ?? []);
    const entries = entriesOf(await Promise.all(senders.map((sender) => sender.getStats())));
    return entries.length === 0 ? undefined : publisherReading(entries);
  }

  protected close(session: string): Promise<void> {
    return leaveRoom(this.room, this.url, () => this.order.engine.call('signal.end', { session }));
  }
}

async function join(
  room: Room,
  url: string,
  library: typeof LiveKit,
  order: PublishOrder,
): Promise<LocalTrackPublication[]> {
  const { node, stream } = order.target;
  try {
    await room.connect(url, tokenOfEngine, connectOptions);
    return await publishTracks(room, library, order);
  } catch (error) {
    const why = errorText(error).replace(/\.$/, '');
    throw new Error(`${node} did not accept the publication in the room ${stream}: ${why}.`, { cause: error });
  }
}

/** At once: the engine removes the participant also if the client does not manage to leave. */
async function leaveRoom(room: Room, url: string, endSession: () => Promise<unknown>): Promise<void> {
  await Promise.all([room.disconnect(), endSession()]);
  endRoute(url);
}

function publishTracks(
  room: Room,
  { Track, VideoPreset }: typeof LiveKit,
  { source, media }: PublishOrder,
): Promise<LocalTrackPublication[]> {
  const sources = isCapture(source.kind)
    ? { video: Track.Source.ScreenShare, audio: Track.Source.ScreenShareAudio }
    : { video: Track.Source.Camera, audio: Track.Source.Microphone };
  return Promise.all(
    source.stream.getTracks().map((track) => {
      if (track.kind === 'audio')
        // Continuous, as over WHIP: a test needs a steady stream.
        return room.localParticipant.publishTrack(track, { source: sources.audio, dtx: false, red: false });
      const options = videoOptions(media, sizeOf(track), videoKbps(media, pictureOf(source.kind, media)), VideoPreset);
      return room.localParticipant.publishTrack(track, { source: sources.video, ...options });
    }),
  );
}

/** The size from which the layers are computed: without one, LiveKit waits until the track has it. */
function sizeOf(track: MediaStreamTrack): PictureSize {
  const { width = 1280, height = 720 } = track.getSettings();
  return { width, height };
}

/** The layers that are sent over WHIP, in the terms of LiveKit's client. */
function videoOptions(
  { codec, layers }: PublishMedia,
  { width, height }: PictureSize,
  kbps: number,
  VideoPreset: typeof LiveKit.VideoPreset,
): TrackPublishOptions {
  const encodings = sendEncodings(layers, kbps);
  const smaller = encodings.slice(0, -1).map(({ scaleResolutionDownBy = 1, maxBitrate = 0 }) => {
    const side = (length: number): number => Math.round(length / scaleResolutionDownBy);
    return new VideoPreset({ width: side(width), height: side(height), maxBitrate });
  });
  const encoding = { maxBitrate: encodings.at(-1)?.maxBitrate ?? 0 };
  return {
    videoCodec: codec,
    backupCodec: false,
    degradationPreference,
    simulcast: layers > 1,
    videoEncoding: encoding,
    screenShareEncoding: encoding,
    videoSimulcastLayers: smaller,
    screenShareSimulcastLayers: smaller,
    // One layer of VP9 and AV1, as of the other codecs.
    ...(layers === 1 ? { scalabilityMode: 'L1T1' as const } : {}),
  };
}

/** The server replaces a codec that its room does not permit. */
function codecRemark(published: readonly LocalTrackPublication[], { target, media }: PublishOrder): string | undefined {
  const codec = published.flatMap(({ videoTrack }) => videoTrack?.codec ?? [])[0];
  if (codec === undefined || codec === media.codec) return undefined;
  return `${target.node} does not take ${videoCodecNames[media.codec]}: ${videoCodecName(`video/${codec}`, undefined)} is sent.`;
}
