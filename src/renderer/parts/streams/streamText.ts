import type { StreamView } from '../../../domain/model/node';
import { formatFigure, missing } from '../../../domain/text/numberFormat';
import type { Figure } from '../../ui/format/numbers';
import { audioCodecName, videoCodecName } from '../../../domain/text/codecNames';

/** Display text of stream values in a table. Unreported values are an en dash. */

/** Mbit/s, with three decimals for audio-only bitrates. */
export function bitrateFigure(kbps: number | undefined): Figure {
  if (kbps === undefined) return { text: missing, unit: '' };
  const mbps = kbps / 1000;
  const text = mbps > 0 && mbps < 0.1 ? mbps.toFixed(3) : formatFigure(mbps, 'hundredths');
  return { text, unit: 'Mbit/s' };
}

const second = 1000;
const hour = 3600 * second;
const day = 24 * hour;
const two = (value: number): string => String(Math.floor(value)).padStart(2, '0');

/** `00:12:41`, from one day on without seconds: `5 d 03:12`. */
export function ageText(ageMs: number | undefined): string {
  if (ageMs === undefined || ageMs < 0) return missing;
  const hours = two((ageMs % day) / hour);
  const minutes = two((ageMs % hour) / (60 * second));
  if (ageMs >= day) return `${formatFigure(Math.floor(ageMs / day), 'integer')} d ${hours}:${minutes}`;
  return `${hours}:${minutes}:${two((ageMs % (60 * second)) / second)}`;
}

/** `H.264 · Opus`; or only one. */
export function codecText({ videoCodec, audioCodec }: StreamView): string {
  const names = [
    videoCodec && videoCodecName(`video/${videoCodec}`, undefined),
    audioCodec && audioCodecName(`audio/${audioCodec}`),
  ];
  return names.filter(Boolean).join(' · ') || missing;
}

export function sizeText({ width, height }: StreamView): string {
  return width && height ? `${width} × ${height}` : missing;
}
