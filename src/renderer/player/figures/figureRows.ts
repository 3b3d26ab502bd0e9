import { degradedRule } from '../../../domain/viewer/degraded';
import { figure, grouped, missing, type Figure } from '../../ui/format/numbers';
import { mosVariant } from './audioMos';
import type { PlayerFigures } from './playerFigures';
import { rttFigure } from './rttFigure';

/** A figure of the player with its name; an en dash where not measured. */
export interface FigureRow {
  readonly name: string;
  readonly figure: Figure;
  readonly meaning: string;
  readonly testId: string;
}

type Figures = PlayerFigures | undefined;

function row(testId: string, name: string, shown: Figure, meaning: string): FigureRow {
  return { name, figure: shown, meaning, testId: `player-${testId}` };
}

const plain = (text: string | undefined, unit = ''): Figure => ({ text: text ?? missing, unit: text ? unit : '' });

function stalls(figures: Figures): Figure {
  if (!figures) return plain(undefined);
  const { stalls: count, stalledMs } = figures;
  return plain(grouped(count), count > 0 ? `${(stalledMs / 1000).toFixed(1)} s` : '');
}

function signedMs(value: number | undefined): Figure {
  return value === undefined ? plain(undefined) : plain(`${value > 0 ? '+' : ''}${grouped(value)}`, 'ms');
}

/** Always visible. */
export function mainRows(figures: Figures): FigureRow[] {
  const buffered =
    figures?.jitterBufferMs === undefined ? '' : `; jitter buffer delay ${grouped(figures.jitterBufferMs)} ms`;
  const longest = figures?.longestStallMs ? `; the longest ${(figures.longestStallMs / 1000).toFixed(1)} s` : '';
  const size =
    figures?.width !== undefined && figures.height !== undefined ? `${figures.width} × ${figures.height}` : undefined;
  return [
    row('fps', 'Frame rate', figure(figures?.frameRate, 'fps', 1), 'Frames presented, last second'),
    row(
      'bitrate',
      'Bitrate',
      figure(figures?.bitrateKbps, 'kbit/s', 0),
      figures?.buffer
        ? 'Of the current segment: video and audio with container'
        : 'Video and audio RTP payload, last second',
    ),
    row(
      'stalls',
      'Stalls',
      stalls(figures),
      `Gaps of ${degradedRule.stallMs} ms or more between two presented frames, and their total${longest}`,
    ),
    row(
      'dropped',
      'Dropped',
      figure(figures?.framesDropped, 'frames', 0),
      'Frames received by the decoder but not displayed',
    ),
    row('jitter', 'Jitter', figure(figures?.jitterMs, 'ms', 1), `Interarrival jitter of video (RFC 3550)${buffered}`),
    row(
      'rtt',
      'RTT',
      rttFigure(figures?.rttMs),
      'Round-trip time of the last connectivity check; Chromium reports whole ms',
    ),
    row(
      'lost',
      'Lost',
      figure(figures?.lostPercent, '%', 2),
      `Packets lost of those expected since playback started: ${grouped(figures?.packetsLost)}`,
    ),
    row('size', 'Size', plain(size), 'Decoded frame size'),
  ];
}

/** Decoder, audio and feedback. */
export function detailRows(figures: Figures): FigureRow[] {
  const requests =
    figures?.nacks === undefined ? undefined : `${grouped(figures.nacks)} · ${grouped(figures.keyframeRequests)}`;
  return [
    row(
      'jitter-buffer',
      'Jitter buffer',
      figure(figures?.jitterBufferMs, 'ms', 0),
      'Mean delay of a frame in the jitter buffer, last second',
    ),
    row(
      'av-offset',
      'A/V offset',
      signedMs(figures?.avOffsetMs),
      `Time by which the audio is ahead of the video, ${
        figures?.avOffsetUncertaintyMs === undefined
          ? 'from the playout timestamps; within one frame'
          : `by the clocks in picture and sound, ± ${Math.ceil(figures.avOffsetUncertaintyMs)} ms`
      }`,
    ),
    row(
      'requests',
      'NACK · PLI',
      plain(requests),
      'Negative acknowledgements and keyframe requests (PLI, FIR) sent for the video since playback started',
    ),
    row(
      'concealed',
      'Concealed',
      figure(figures?.concealedPercent, '%', 2),
      'Share of the audio synthesised in place of missing samples, last second',
    ),
    row(
      'qp',
      'QP',
      figure(figures?.qp, '', 1),
      'Mean quantisation parameter of a frame, last second, in the scale of its codec: lower is finer',
    ),
    row(
      'audio-gaps',
      'Audio gaps',
      figure(figures?.audioGaps, '', 0),
      'Times that missing audio had to be concealed since playback started',
    ),
    row('decode', 'Decode time', figure(figures?.decodeMs, 'ms', 1), 'Mean time to decode a frame, last second'),
    row('mos', 'Audio MOS', figure(figures?.mos, '', 2), `Mean opinion score, 1 to 4.4: ${mosVariant}`),
    row('reconnects', 'Reconnects', figure(figures?.reconnects, '', 0), 'Interruptions of playback since it started'),
  ];
}

/** Rows about the picture: one displayed frame a second. */
export function pictureRows(figures: Figures): FigureRow[] {
  const { ssim, psnrDb, blockiness, blur } = figures?.picture ?? {};
  const ofPattern = 'the frame as drawn; only of the test pattern that this window publishes';
  return [
    row(
      'ssim',
      'SSIM',
      plain(ssim?.toFixed(3)),
      `Structural similarity of the luma, in windows of 8 × 8, to ${ofPattern}. 1: equal`,
    ),
    row('psnr', 'PSNR', figure(psnrDb, 'dB', 1), `Peak signal-to-noise ratio of the luma, compared with ${ofPattern}`),
    row(
      'blockiness',
      'Blockiness',
      figure(blockiness, '', 2),
      'Differences across block borders relative to those inside blocks. 1: no blocks',
    ),
    row(
      'blur',
      'Blur',
      plain(blur?.toFixed(2)),
      'How little a further blur changes the picture (Crété-Roffet). 0: sharp, 1: without detail',
    ),
  ];
}
