import { picture240p, type StreamSession, type WcsNode } from './node';
import { done, faulty, fits, listed, notFound, type RestArguments, type RestMethod } from './restAnswer';

/** `/stream`: publications and players. */
export function streamMethods(node: WcsNode): Record<string, RestMethod> {
  const all = (): StreamSession[] => [...node.streams.values()];
  return {
    '/stream/find_all': () => listed(all().map(streamObject)),
    '/stream/find': (given) => {
      const { display, ...filter } = given;
      // Builds before metrics do not support `display`, and return a generic error.
      if (display !== undefined && node.conditions.isOld) return faulty;
      const withMetrics = Array.isArray(display) && display.includes('metrics');
      return listed(
        all()
          .map((stream) =>
            withMetrics ? { ...streamObject(stream), metrics: metricsOf(stream) } : streamObject(stream),
          )
          .filter((stream) => fits(stream, filter)),
      );
    },
    '/stream/metrics': ({ mediaSessionId }) => {
      const stream = all().find((each) => each.mediaSessionId === mediaSessionId);
      return stream ? { status: 200, body: metricsOf(stream) } : notFound;
    },
    '/stream/terminate': (given) => {
      const ids = idsToEnd(node, given);
      if (ids.length === 0) return notFound;
      for (const id of ids) node.endStream(id, 'Stopped by rest terminate');
      return done;
    },
    '/stream/event/send': ({ streamName }) =>
      typeof streamName === 'string' && node.published(streamName) ? done : notFound,
  };
}

/** Like older versions: no parameters mean every stream, and a list of ids is an unknown parameter. */
function idsToEnd(node: WcsNode, { mediaSessionIds: _unknown, ...filter }: RestArguments): string[] {
  const fitting = [...node.streams.values()].filter((stream) => fits(stream, filter));
  return fitting.map(({ mediaSessionId }) => mediaSessionId);
}

function streamObject({ end: _end, picture, ...stream }: StreamSession): Record<string, unknown> {
  return {
    appKey: 'defaultApp',
    ...stream,
    audioCodec: stream.hasAudio ? 'opus' : '',
    videoCodec: stream.hasVideo ? 'H264' : '',
    record: false,
    width: picture?.width ?? 0,
    height: picture?.height ?? 0,
    bitrate: 0,
    minBitrate: 0,
    maxBitrate: 0,
    quality: 0,
    history: false,
    gop: 0,
    fps: 0,
    audioBitrate: 0,
    codecImpl: '',
    transport: 'UDP',
    cvoExtension: true,
    mediaType: stream.published ? 'publish' : 'play',
  };
}

function metricsOf({ picture, createDate }: StreamSession): Record<string, number> {
  if (!picture) return {};
  const { width, height, fps, videoBps, audioBps, bFrames = 0 } = picture;
  const frames = Math.round(((Date.now() - createDate) / 1000) * picture240p.fps);
  return {
    VIDEO_HEIGHT: height,
    VIDEO_WIDTH: width,
    VIDEO_RATE: videoBps,
    VIDEO_SYNC: Date.now(),
    VIDEO_FPS: fps,
    VIDEO_NACK: 0,
    VIDEO_PLI: 0,
    VIDEO_CODEC: 119,
    AUDIO_SYNC: Date.now(),
    AUDIO_RATE: audioBps,
    AUDIO_LOST: 0,
    AUDIO_CODEC: 111,
    VIDEO_LOST: 0,
    VIDEO_K_FRAMES: Math.ceil((frames + 1) / 48),
    VIDEO_P_FRAMES: frames,
    VIDEO_B_FRAMES: bFrames,
    VIDEO_GOP_SIZE: 48,
  };
}
