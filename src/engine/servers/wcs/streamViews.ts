import type { StreamView } from '../../../domain/model/node';
import type { WcsStream } from './restSchemas';
import type { StreamRate } from './streamRates';

/** Statuses of ended sessions and of sessions that have not started. Others, unknown ones too, count as active. */
const endedStatuses = new Set(['STOPPED', 'FAILED', 'UNPUBLISHED']);
const coming = new Set(['NEW', 'PENDING']);

/** Whether a session has ended, by its status. */
export function isOver(status: string | undefined): boolean {
  return endedStatuses.has(status ?? '');
}

/** Viewers by stream name, from the playing sessions. */
export function countViewers(playing: readonly WcsStream[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { name, published, status } of playing) {
    if (name === undefined || published === true || isOver(status) || coming.has(status ?? '')) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The published streams as the console shows them; without `viewers` their viewer counts are unknown. */
export function streamViews(
  published: readonly WcsStream[],
  viewers: ReadonlyMap<string, number> | undefined,
  nowMs: number,
  rates?: ReadonlyMap<string, StreamRate>,
): StreamView[] {
  const views = new Map<string, StreamView>();
  for (const stream of published) {
    const { name } = stream;
    if (name === undefined || stream.published === false || isOver(stream.status) || views.has(name)) continue;
    views.set(name, { ...streamView(name, stream, viewers, nowMs), ...rates?.get(stream.mediaSessionId ?? '') });
  }
  return [...views.values()];
}

function streamView(
  name: string,
  stream: WcsStream,
  viewers: ReadonlyMap<string, number> | undefined,
  nowMs: number,
): StreamView {
  const { metrics, createDate, videoCodec, audioCodec } = stream;
  const ageMs = createDate === undefined ? undefined : nowMs - createDate;
  return {
    stream: name,
    source: sourceOf(stream),
    viewers: viewers && (viewers.get(name) ?? 0),
    videoCodec,
    audioCodec,
    width: positive(metrics?.VIDEO_WIDTH) ?? positive(stream.width),
    height: positive(metrics?.VIDEO_HEIGHT) ?? positive(stream.height),
    // A metric of 0 was measured; a 0 in the session's own fields means unset.
    fps: metrics?.VIDEO_FPS ?? positive(stream.fps),
    bitrateKbps: bitrateKbps(metrics),
    bFrames: positive(metrics?.VIDEO_B_FRAMES),
    // Streams are from the future when the server's clock is ahead of ours.
    ageMs: ageMs !== undefined && ageMs >= 0 ? ageMs : undefined,
  };
}

/** Video and audio together; undefined when both are missing. */
export function bitrateKbps(metrics: WcsStream['metrics']): number | undefined {
  const { VIDEO_RATE: video, AUDIO_RATE: audio } = metrics ?? {};
  return video === undefined && audio === undefined ? undefined : ((video ?? 0) + (audio ?? 0)) / 1000;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

/** The server calls RTMP `Flash`. The session's id starts with the publisher's address: `/ip:port/ip:port`. */
function sourceOf({ mediaProvider, sessionId }: WcsStream): string {
  const kind = mediaProvider === 'Flash' ? 'RTMP' : (mediaProvider ?? 'unknown');
  const address = /^\/(.+?):\d+\//.exec(sessionId ?? '')?.[1];
  return address ? `${kind} · ${address}` : kind;
}
