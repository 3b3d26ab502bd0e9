import { helpText, labelValue } from '../../../domain/text/escape/exposition';
import { classicBoundsOf, classicCounts } from './classicBuckets';
import type { ExpositionForm } from './expositionForm';
import type { HistogramFamily, MetricFamily, MetricLabels } from './metricFamily';
import { protobufExposition } from './protobufExposition';

/**
 * Writes families in Prometheus' text format 0.0.4, as OpenMetrics 1.0, or as protobuf, which also has native histograms.
 * A family without values is omitted.
 */
export function writeExposition(families: readonly MetricFamily[], form: ExpositionForm): string | Uint8Array {
  const measured = families.filter(({ values }) => values.length > 0);
  return form === 'protobuf' ? protobufExposition(measured) : textExposition(measured, form);
}

function textExposition(families: readonly MetricFamily[], form: 'text' | 'openmetrics'): string {
  const lines: string[] = [];
  for (const family of families) {
    const { name, type, help, factor } = family;
    // In OpenMetrics a counter's family has no suffix.
    const called = form === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
    lines.push(`# HELP ${called} ${helpText(help, form)}`, `# TYPE ${called} ${type}`);
    if (family.type === 'histogram') lines.push(...histogramLines(family, form));
    else
      for (const { labels, value } of family.values)
        lines.push(`${name}${inBraces(labelPairs(labels))} ${numberText(value * factor)}`);
  }
  if (form === 'openmetrics') lines.push('# EOF');
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function histogramLines(family: HistogramFamily, form: 'text' | 'openmetrics'): string[] {
  const { name, factor } = family;
  const bounds = classicBoundsOf(family).map(boundText);
  return family.values.flatMap(({ labels, histogram }) => {
    const own = labelPairs(labels);
    const bucket = (bound: string, count: number): string =>
      `${name}_bucket{${own}${own === '' ? '' : ','}le="${bound}"} ${count}`;
    // OpenMetrics allows no sum of values of which some are negative: it may decrease.
    const hasSum = form === 'text' || histogram.negative.size === 0;
    return [
      ...classicCounts(family, histogram).map((count, place) => bucket(bounds[place] ?? '', count)),
      bucket('+Inf', histogram.count),
      ...(hasSum ? [`${name}_sum${inBraces(own)} ${numberText(histogram.sum * factor)}`] : []),
      `${name}_count${inBraces(own)} ${histogram.count}`,
    ];
  });
}

/** OpenMetrics writes whole numbers as `1.0`. */
const boundText = (bound: number): string => (Number.isInteger(bound) ? `${bound}.0` : String(bound));

function labelPairs(labels: MetricLabels): string {
  return Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${labelValue(value)}"`)
    .join(',');
}

const inBraces = (pairs: string): string => (pairs === '' ? '' : `{${pairs}}`);

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
