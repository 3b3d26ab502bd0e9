import { StatisticsBuilder, numberOf, type WcsStatistics } from './statistics';

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
    const found = line.exec(raw.trim());
    const group = found?.[1];
    // NaN and Inf are not measurements.
    if (!found || !group || numberOf(found[3]) === undefined) continue;
    let name = group;
    const further: string[] = [];
    for (const [, key = '', value = ''] of (found[2] ?? '').matchAll(label)) {
      const plain = value.replace(/\\(.)/g, (_, escaped: string) => (escaped === 'n' ? '\n' : escaped));
      if (key === 'param') name = plain;
      else if (!added.has(key)) further.push(plain);
    }
    builder.add(group, [name, ...further].join('/'), found[3]);
  }
  return builder.size > 0 ? builder.build('prometheus') : undefined;
}
