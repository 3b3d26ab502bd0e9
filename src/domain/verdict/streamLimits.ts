import type { StreamView } from '../model/node';
import type { ComparisonOperator } from '../model/plan';
import { formatFigure } from '../text/numberFormat';
import { isMet } from './verdictRules';

/** Figures of a single stream that have a limit. */
export const streamLimitIds = ['fps', 'bitrate', 'nack', 'lost'] as const;
export type StreamLimitId = (typeof streamLimitIds)[number];
/** In the unit of each; an absent one is the default. */
export type StreamLimits = Readonly<Partial<Record<StreamLimitId, number>>>;

interface StreamLimitRule {
  /** Label of its control in forms. */
  readonly label: string;
  readonly comparison: ComparisonOperator;
  readonly unit: string;
  readonly usual: number;
  readonly max: number;
  /** Undefined where the stream does not have it. */
  readonly of: (stream: StreamView) => number | undefined;
}

/** A stream without frames or bits, and more than an occasional NACK or loss, is worth a warning. */
export const streamLimitRules: Readonly<Record<StreamLimitId, StreamLimitRule>> = {
  fps: {
    ...{ label: 'Frame rate', comparison: '>=', unit: 'fps', usual: 1, max: 1000 },
    // A server reports 0 for a stream with audio only.
    of: ({ fps, videoCodec, width }) => (videoCodec === undefined && width === undefined ? undefined : fps),
  },
  bitrate: {
    ...{ label: 'Bitrate', comparison: '>=', unit: 'kbit/s', usual: 1, max: 10_000_000 },
    of: ({ bitrateKbps }) => bitrateKbps,
  },
  nack: {
    ...{ label: 'NACKs', comparison: '<=', unit: '/s', usual: 10, max: 1_000_000 },
    of: ({ nacksPerSecond }) => nacksPerSecond,
  },
  lost: {
    ...{ label: 'Lost video', comparison: '<=', unit: 'packets/s', usual: 1, max: 1_000_000 },
    of: ({ lostPerSecond }) => lostPerSecond,
  },
};

/** Why a figure of a stream is outside its limit, e.g. `0 fps, limit >= 1 fps`; undefined if it is not. */
export function streamFault(stream: StreamView, id: StreamLimitId, limits: StreamLimits): string | undefined {
  const { comparison, unit, usual, of } = streamLimitRules[id];
  const value = of(stream);
  const limit = limits[id] ?? usual;
  if (value === undefined || isMet({ comparison, value: limit }, value)) return undefined;
  return `${formatFigure(value, 'tenths')} ${unit}, limit ${comparison} ${limit} ${unit}`;
}

/** All that is outside its limits, for the row of a stream; empty if nothing is. */
export function streamFaults(stream: StreamView, limits: StreamLimits): readonly string[] {
  return streamLimitIds.flatMap((id) => {
    const fault = streamFault(stream, id, limits);
    return fault === undefined ? [] : `${streamLimitRules[id].label}: ${fault}`;
  });
}
