import { distributionIds, distributions } from './distributions';
import { histogramMetricOf, knownMetrics } from './metricNames';

/** docs/metric-names.md. */
export function metricNamesPage(): string {
  const histograms = distributionIds.map((id) => {
    const { name, otlp } = histogramMetricOf(id);
    return `| ${distributions[id].title} | \`${name}\` | \`${otlp.name}\` | ${unitText(otlp.unit)} |`;
  });
  const values = knownMetrics().map(({ series, metric: { name, type, label, otlp } }) => {
    const labels = label ? `, by \`${label.name}\`` : '';
    return `| \`${series}\` | \`${name}\` | ${type}${labels} | \`${otlp.name}\` | ${unitText(otlp.unit)} |`;
  });
  const sections = [
    '# Names of metrics',
    'Generated from `src/domain/series`. Metrics for [Prometheus](prometheus.md#export-a-live-run-to-prometheus) have base\n' +
      'units, those sent by [OpenTelemetry](opentelemetry.md) the units of this table, by UCUM. The series are defined in\n' +
      '[series.md](series.md).',
    '## Distributions',
    'Of single viewers, as histograms.',
    ['| of | in Prometheus | in OpenTelemetry | unit |', '| --- | --- | --- | --- |', ...histograms].join('\n'),
    '## Series',
    'Percentiles have no metric of their own: they are computed from the histograms. In OpenTelemetry a counter is a\n' +
      'cumulative monotonic sum, and labels are attributes.',
    ['| series | in Prometheus | type | in OpenTelemetry | unit |', '| --- | --- | --- | --- | --- |', ...values].join(
      '\n',
    ),
  ];
  return `${sections.join('\n\n')}\n`;
}

const unitText = (unit: string): string => (unit === '' ? '' : `\`${unit}\``);
