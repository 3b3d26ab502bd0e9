import { z } from 'zod';
import type { ServerSeriesId } from '../../../domain/series/series';
import type { WcsStream } from './restSchemas';
import type { WcsStatistics } from './statistics/statistics';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

/** `transcoding_video_full_info`: by stream, its distributors with their queues. Other fields are not needed. */
const distributors = z.record(
  z.string(),
  z.looseObject({
    distributors: z
      .record(z.string(), z.looseObject({ queueSize: z.coerce.number().nonnegative().optional().catch(undefined) }))
      .catch({}),
  }),
);

/** Sums over all published streams; counters are those since each stream's start. */
const summed: Readonly<Record<string, ServerSeriesId>> = {
  VIDEO_NACK: 'server:video_nack',
  VIDEO_PLI: 'server:video_pli',
  VIDEO_LOST: 'server:video_lost',
  AUDIO_LOST: 'server:audio_lost',
  VIDEO_B_FRAMES: 'server:video_b_frames',
};

/**
 * What the vendor's console shows for single streams, as figures of the server: lost video, NACKs, B-frames, and the
 * longest queue of a distributor. Absent where its version reports none.
 */
export function streamQuality(
  published: readonly WcsStream[],
  { texts }: WcsStatistics,
): Partial<Record<ServerSeriesId, number>> {
  const values: Partial<Record<ServerSeriesId, number>> = {};
  for (const [metric, series] of Object.entries(summed)) {
    const counts = published.flatMap(({ metrics }) => metrics?.[metric] ?? []);
    if (counts.length > 0) values[series] = counts.reduce((sum, count) => sum + count, 0);
  }
  const queue = longestQueue(texts.get('transcoding_video_full_info'));
  if (queue !== undefined) values['server:distributor_queue_max'] = queue;
  return values;
}

function longestQueue(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  let raw: unknown;
  try {
    raw = parseForeignJson(text);
  } catch {
    return undefined;
  }
  const parsed = distributors.safeParse(raw);
  if (!parsed.success) return undefined;
  const queues = Object.values(parsed.data).flatMap((stream) =>
    Object.values(stream.distributors).flatMap(({ queueSize }) => queueSize ?? []),
  );
  return queues.length > 0 ? queues.reduce((longest, queue) => Math.max(longest, queue), 0) : undefined;
}
