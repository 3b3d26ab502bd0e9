import { z } from 'zod';
import { parseForeignJson } from '../../../../domain/budget/foreignJson';
import { numberOf, StatisticsBuilder, type WcsStatistics } from './statistics';

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

const groups = z.record(z.string(), z.unknown());

/**
 * The JSON format: `{ group: { parameter: value } }`. Undefined when it is not a JSON object; groups that are not
 * objects are taken as parameters.
 */
export function parseJsonFormat(body: string): WcsStatistics | undefined {
  let raw: unknown;
  try {
    raw = parseForeignJson(body);
  } catch {
    return undefined;
  }
  const parsed = groups.safeParse(raw);
  if (!parsed.success) return undefined;
  const builder = new StatisticsBuilder();
  for (const [group, value] of Object.entries(parsed.data)) {
    const parameters = groups.safeParse(value);
    if (!parameters.success) builder.add('', group, value);
    else for (const [name, inner] of Object.entries(parameters.data)) builder.add(group, name, inner);
  }
  return builder.build('json');
}

const line = /^([A-Za-z_:][\w:]*)(?:\{(.*)\})?\s+(\S+)(?:\s+-?\d+)?$/;
const label = /([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"\s*,?\s*/g;
/** Labels that a scraper adds; they do not describe the parameter. */
const added = new Set(['instance', 'job']);

/**
 * The Prometheus format: the metric is the group and its label `param` the parameter, e.g.
 * `streams_stats{param="streams_webrtc_out"} 1000`. A metric without that label is a parameter itself; further labels
 * become part of the name. Undefined when no line matches.
 */
export function parsePrometheusFormat(body: string): WcsStatistics | undefined {
  const builder = new StatisticsBuilder();
  for (const raw of body.split('\n')) {
    const match = line.exec(raw.trim());
    const group = match?.[1];
    // NaN and Inf are not measurements.
    if (!match || !group || numberOf(match[3]) === undefined) continue;
    let name = group;
    const further: string[] = [];
    for (const [, key = '', value = ''] of (match[2] ?? '').matchAll(label)) {
      const plain = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
      if (key === 'param') name = plain;
      else if (!added.has(key)) further.push(plain);
    }
    builder.add(group, [name, ...further].join('/'), match[3]);
  }
  return builder.size > 0 ? builder.build('prometheus') : undefined;
}

const header = /^-+\s*([A-Za-z_]+)/;

/**
 * The text format: `-----Stream Stats-----` starts a section, `key=value` is a parameter in it. A value may contain
 * `=`. Undefined without sections or parameters, so that a web page is not taken for statistics.
 */
export function parseTextFormat(body: string): WcsStatistics | undefined {
  const builder = new StatisticsBuilder();
  let section: string | undefined;
  for (const raw of body.split('\n')) {
    const line = raw.trim();
    const match = header.exec(line);
    if (match?.[1]) {
      section = match[1].toLowerCase();
      continue;
    }
    const equals = line.indexOf('=');
    if (section === undefined || equals < 1) continue;
    builder.add(section, line.slice(0, equals).trim(), line.slice(equals + 1).trim());
  }
  return builder.size > 0 ? builder.build('text') : undefined;
}
