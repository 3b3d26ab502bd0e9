import { parseJsonFormat } from './jsonFormat';
import { parsePrometheusFormat } from './prometheusFormat';
import type { WcsStatistics } from './statistics';
import { parseTextFormat } from './textFormat';

/** Detects the format by its first characters: a version that does not know a format answers in the one it knows. */
export function detectFormat(body: string): WcsStatistics | undefined {
  const start = body.trimStart();
  if (start.startsWith('{')) return parseJsonFormat(body);
  if (start.startsWith('-')) return parseTextFormat(body);
  return start.startsWith('<') ? undefined : parsePrometheusFormat(body);
}

/** Parameters that identify a WCS; every WCS has some of them. */
const identifying = [
  'streams_webrtc_out',
  'streams_webrtc_in',
  'connections_websocket',
  'ports_media_free',
  'ports_wcs_agents_free',
  'core_threads',
];

/** Share of the identifying parameters that are present, from 0 to 1. */
export function resemblance(statistics: WcsStatistics): number {
  return identifying.filter((name) => statistics.numbers.has(name)).length / identifying.length;
}
