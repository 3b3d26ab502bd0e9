import { clockCells, clockRow, encodeClock } from '../../../domain/clock/clockRow';
import { mediaFileSource } from '../../../domain/clock/sources';
import { burstSamples, fileBurstMs } from '../../../domain/clock/toneBurst';

/** Codecs of video, with the extension of their files. */
export const sampleCodecs = { h264: 'h264', h265: 'h265', vp8: 'ivf', vp9: 'ivf', av1: 'ivf' } as const;
export type SampleCodec = keyof typeof sampleCodecs;

/** A video to make. */
export interface Sample {
  readonly codec: SampleCodec;
  readonly width: number;
  readonly height: number;
  readonly kbps: number;
  /** Length of the loop. */
  readonly seconds: number;
}

/** Frames a second, and between two keyframes. Files without times of their own are played at this rate. */
export const fps = 25;
const keyframeEvery = 2 * fps;

/**
 * Arguments for ffmpeg that make the video, with the clock rows of its input; clock and frame counter to read need a
 * font.
 */
export function videoArgs(sample: Sample, font: string | undefined, file: string): string[] {
  const { width, height, seconds } = sample;
  const even = (value: number): number => 2 * Math.round(value / 2);
  const { left, right, top, bottom } = clockRow;
  const size = `${even((right - left) * width)}:${Math.max(2, even((bottom - top) * height))}`;
  const filters = [
    `[0]${[...(font === undefined ? [] : textOver(height, font)), 'format=yuv420p'].join(',')}[picture]`,
    // Cells with sharp edges.
    `[1]scale=${size}:flags=neighbor[row]`,
    `[picture][row]overlay=${even(left * width)}:${even(top * height)}:shortest=1,format=yuv420p[video]`,
  ];
  return [
    ...['-y', '-f', 'lavfi', '-i', `testsrc2=s=${width}x${height}:r=${fps}:d=${seconds}`],
    ...['-f', 'rawvideo', '-pixel_format', 'gray', '-video_size', `${clockCells}x1`, '-framerate', `${fps}`],
    ...['-i', 'pipe:0', '-filter_complex', filters.join(';'), '-map', '[video]'],
    ...encoders[sample.codec](sample.kbps),
    file,
  ];
}

/** The clock in seconds and hundredths, and the number of the frame. */
function textOver(height: number, font: string): string[] {
  const size = Math.max(10, Math.round(height / 9));
  const text = (y: string, what: string): string =>
    `drawtext=fontfile=${font}:fontsize=${size}:fontcolor=white:box=1:boxcolor=black:boxborderw=${Math.ceil(size / 6)}` +
    `:x=(w-tw)/2:y=${y}:text='${what}'`;
  return [
    text(`h*0.3-th/2`, `%{eif\\:trunc(t)\\:d\\:2}.%{eif\\:mod(n\\,${fps})*${100 / fps}\\:d\\:2}`),
    text(`h*0.6-th/2`, `frame %{eif\\:n\\:d\\:4}`),
  ];
}

const rate = (kbps: number): string[] => ['-b:v', `${kbps}k`, '-maxrate', `${kbps}k`, '-bufsize', `${kbps}k`];
const webm = (kbps: number): string[] => [...rate(kbps), '-g', `${keyframeEvery}`, '-f', 'ivf'];

/** No B-frames, no hidden frames, no look-ahead: as a camera encodes, so that frames can be sent as they are. */
const encoders: Record<SampleCodec, (kbps: number) => string[]> = {
  h264: (kbps) => [
    ...['-c:v', 'libx264', '-profile:v', 'baseline', '-preset', 'veryfast', '-tune', 'zerolatency', ...rate(kbps)],
    ...['-x264-params', `keyint=${keyframeEvery}:min-keyint=${keyframeEvery}:scenecut=0:sliced-threads=0:slices=1`],
    ...['-bsf:v', 'filter_units=remove_types=6', '-f', 'h264'],
  ],
  h265: (kbps) => [
    ...['-c:v', 'libx265', '-preset', 'veryfast', ...rate(kbps), '-x265-params'],
    `log-level=error:keyint=${keyframeEvery}:min-keyint=${keyframeEvery}:scenecut=0:bframes=0:info=0:repeat-headers=1`,
    ...['-f', 'hevc'],
  ],
  vp8: (kbps) => [
    ...['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '6', '-lag-in-frames', '0', '-auto-alt-ref', '0'],
    ...webm(kbps),
  ],
  vp9: (kbps) => [
    ...['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '7', '-lag-in-frames', '0', '-auto-alt-ref', '0'],
    ...['-row-mt', '1', ...webm(kbps)],
  ],
  av1: (kbps) => [
    ...['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-lag-in-frames', '0', '-row-mt', '1'],
    ...webm(kbps),
  ],
};

/** Arguments for ffmpeg that make the audio of the tone bursts of its input, in packets of 20 ms. */
export function audioArgs(seconds: number, file: string): string[] {
  const packetMs = 20;
  return [
    ...['-y', '-f', 'f32le', '-ar', `${sampleRateHz}`, '-ac', '1', '-i', 'pipe:0'],
    ...['-c:a', 'libopus', '-application', 'audio', '-frame_duration', `${packetMs}`, '-b:a', '32k'],
    // Leaves out the encoder's last packet, which flushes it, so that audio and video end together.
    ...['-frames:a', `${(seconds * 1000) / packetMs}`, '-map_metadata', '-1', '-fflags', '+bitexact', file],
  ];
}

const sampleRateHz = 48_000;
/** Decoders of Opus start with silence of this length, which RTP has no means to skip (RFC 7845, 4.2). */
const opusDelaySamples = 312;

/** Clock rows of a media file as raw video: a line of grey pixels per frame, one per cell. */
export function clockRows(seconds: number, fps: number): Buffer {
  const rows = Buffer.alloc(seconds * fps * clockCells);
  for (let frame = 0; frame < seconds * fps; frame += 1)
    encodeClock(mediaFileSource, (frame * 1000) / fps).forEach((isWhite, cell) => {
      rows[frame * clockCells + cell] = isWhite ? 255 : 0;
    });
  return rows;
}

/** Audio of a media file, 32-bit floats, a second at a time: a tone burst in each, and one second of silence. */
export function* toneBursts(seconds: number): Generator<Buffer> {
  const start = (fileBurstMs / 1000) * sampleRateHz - opusDelaySamples;
  for (let second = 0; second < seconds; second += 1) {
    const samples = new Float32Array(sampleRateHz);
    samples.set(burstSamples(mediaFileSource, second, sampleRateHz), start);
    yield Buffer.from(samples.buffer);
  }
  yield Buffer.alloc(4 * sampleRateHz);
}
