import type { CallInput, CallOutput } from '../../../../src/contract/engine';
import type { StreamSortKey } from '../../../../src/contract/nodeCalls';
import type { StreamView } from '../../../../src/domain/model/node';

/** Streams whose figures all change every second, sorted and filtered like in the engine. */
export class ManyStreams {
  #streams: StreamView[];
  #changedMs = 0;

  constructor(
    count: number,
    private readonly startedMs = Date.now(),
  ) {
    this.#streams = Array.from({ length: count }, (_, at) => streamOf(at));
  }

  answer(input: CallInput<'nodes.streams'>, nowMs = Date.now()): CallOutput<'nodes.streams'> {
    const second = Math.floor((nowMs - this.startedMs) / 1000);
    if (second !== this.#changedMs) this.#change(second);
    const search = input.filter.toLowerCase();
    const matching = this.#streams.filter(({ stream, source }) => `${stream} ${source}`.toLowerCase().includes(search));
    const direction = input.descending ? -1 : 1;
    matching.sort((a, b) => direction * compare(keyOf(a, input.sortBy), keyOf(b, input.sortBy)));
    return {
      total: this.#streams.length,
      matching: matching.length,
      streams: matching.slice(input.offset, input.offset + input.limit),
    };
  }

  end(match: (stream: StreamView) => boolean): number {
    const before = this.#streams.length;
    this.#streams = this.#streams.filter((stream) => !match(stream));
    return before - this.#streams.length;
  }

  #change(second: number): void {
    this.#changedMs = second;
    this.#streams = this.#streams.map((stream, at) => ({
      ...stream,
      viewers: Math.max(0, Math.round(800 * noise(at, second >> 2) ** 6)),
      degraded: noise(at + 7, second) > 0.9 ? Math.round(20 * noise(at, second)) : 0,
      bitrateKbps: (stream.bitrateKbps ?? 0) * (0.95 + 0.1 * noise(at + 3, second)),
      fps: stream.fps === undefined ? undefined : stream.fps - 0.4 * noise(at + 5, second),
      ageMs: (stream.ageMs ?? 0) + 1000,
    }));
  }
}

/** The streams of the reference screenshot. */
export function fewStreams(): readonly StreamView[] {
  const h264 = { videoCodec: 'H264' };
  const hd = { width: 1280, height: 720, fps: 30 };
  const hours = (h: number, m: number, s: number): number => ((h * 60 + m) * 60 + s) * 1000;
  return [
    {
      ...{ stream: 'cam-240p', source: 'WHIP · publisher-1', viewers: 742, degraded: 23, ...h264 },
      ...{ audioCodec: 'opus', width: 426, height: 240, bitrateKbps: 380, fps: 25, ageMs: hours(0, 12, 41) },
    },
    {
      ...{ stream: 'studio-a', source: 'RTMP · obs-studio', viewers: 3, degraded: 0, ...h264, ...hd },
      ...{ audioCodec: 'AAC', bitrateKbps: 2410, ageMs: hours(2, 14, 8) },
    },
    {
      ...{ stream: 'studio-a-720p', source: 'transcoder', viewers: 0, degraded: 0, ...h264, ...hd },
      ...{ audioCodec: 'AAC', bitrateKbps: 1800, ageMs: hours(2, 14, 6) },
    },
    {
      ...{ stream: 'lobby', source: 'RTSP pull · 10.20.4.9', viewers: 1, degraded: 1, ...h264 },
      ...{ width: 1920, height: 1080, bitrateKbps: 3960, fps: 12.4, ageMs: hours(123, 12, 0) },
    },
    {
      ...{ stream: 'test-vp8', source: 'WHIP · qa laptop', viewers: 0, degraded: 0, videoCodec: 'VP8' },
      ...{ audioCodec: 'opus', width: 640, height: 360, bitrateKbps: 640, fps: 24, ageMs: hours(0, 3, 55) },
    },
    {
      ...{ stream: 'audio-only', source: 'WHIP · mixer', viewers: 12, degraded: 0, audioCodec: 'opus' },
      ...{ bitrateKbps: 48, ageMs: hours(0, 41, 20) },
    },
  ];
}

/** 0 to 1, determined by the numbers. */
function noise(at: number, second: number): number {
  const mixed = Math.sin(at * 12.9898 + second * 78.233) * 43_758.5453;
  return mixed - Math.floor(mixed);
}

function streamOf(at: number): StreamView {
  const sizes = [
    [426, 240],
    [640, 360],
    [1280, 720],
    [1920, 1080],
  ] as const;
  const [width, height] = sizes[at % sizes.length] ?? sizes[0];
  return {
    stream: `cam-${String(at).padStart(4, '0')}`,
    source: at % 3 === 0 ? `WHIP · publisher-${at % 97}` : `RTMP · 10.20.${at % 250}.${(at * 7) % 250}`,
    viewers: Math.round(800 * noise(at, 0) ** 6),
    degraded: 0,
    videoCodec: at % 5 === 0 ? 'VP8' : 'H264',
    audioCodec: at % 3 === 0 ? 'opus' : 'AAC',
    width,
    height,
    fps: at % 4 === 0 ? 30 : 25,
    bitrateKbps: (width * height) / 400,
    ageMs: at * 7919,
  };
}

function keyOf(stream: StreamView, key: StreamSortKey): string | number {
  switch (key) {
    case 'stream':
      return stream.stream;
    case 'source':
      return stream.source;
    case 'codec':
      return `${stream.videoCodec} ${stream.audioCodec}`;
    case 'size':
      return (stream.width ?? 0) * (stream.height ?? 0);
    case 'bitrate':
      return stream.bitrateKbps ?? 0;
    case 'viewers':
      return stream.viewers ?? 0;
    case 'degraded':
      return stream.degraded ?? 0;
    case 'fps':
      return stream.fps ?? 0;
    case 'nack':
      return stream.nacksPerSecond ?? 0;
    case 'lost':
      return stream.lostPerSecond ?? 0;
    case 'age':
      return stream.ageMs ?? 0;
  }
}

function compare(a: string | number, b: string | number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
