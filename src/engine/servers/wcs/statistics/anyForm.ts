import { jsonForm } from './jsonForm';
import { prometheusForm } from './prometheusForm';
import type { WcsStatistics } from './statistics';
import { textForm } from './textForm';

/** Reads statistics by what they look like: a version that does not know a format answers in the one that it knows. */
export function anyForm(body: string): WcsStatistics | undefined {
  const start = body.trimStart();
  if (start.startsWith('{')) return jsonForm(body);
  if (start.startsWith('-')) return textForm(body);
  return start.startsWith('<') ? undefined : prometheusForm(body);
}

/** Parameters of which every WCS has some: by them a server's statistics are told from another's. */
const telling = [
  'streams_webrtc_out',
  'streams_webrtc_in',
  'connections_websocket',
  'ports_media_free',
  'ports_wcs_agents_free',
  'core_threads',
];

/** How many of a WCS's own parameters are there, from 0 to 1. */
export function resemblance(statistics: WcsStatistics): number {
  return telling.filter((name) => statistics.numbers.has(name)).length / telling.length;
}
