import type { Outages } from '../model/outages';
import { formatCount, counted } from '../text/numberFormat';
import { formatDuration } from '../text/timeFormat';

/** `2 outages, the longest 34 s` or `1 outage of 34 s`; undefined without any. */
export function outagesText({ count: many, longestMs }: Outages): string | undefined {
  if (many === 0) return undefined;
  const length = formatDuration(longestMs);
  return many === 1 ? `1 outage of ${length}` : `${formatCount(many)} outages, the longest ${length}`;
}

/** `2,984 reconnections`; undefined without any. */
export function reconnectionsText({ reconnections }: Outages): string | undefined {
  if (reconnections === 0) return undefined;
  return counted(reconnections, 'reconnection');
}
