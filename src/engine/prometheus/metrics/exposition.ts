/** One value with its labels; an empty label is omitted. */
export interface ExposedMetric {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface MetricFamily {
  /** As exposed; a counter's ends in `_total`. */
  readonly name: string;
  readonly type: 'gauge' | 'counter';
  readonly help: string;
  readonly values: readonly ExposedMetric[];
}

export type ExpositionForm = 'text' | 'openmetrics';

export const contentTypes: Readonly<Record<ExpositionForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
};

/** The format that an `Accept` header requests: OpenMetrics if listed with at least the weight of plain text. */
export function formOf(accept: string | undefined): ExpositionForm {
  const weight = (type: string): number => {
    const found = (accept ?? '').split(',').filter((each) => each.trim().toLowerCase().startsWith(type));
    return Math.max(0, ...found.map((each) => Number(/;\s*q=([\d.]+)/.exec(each)?.[1] ?? 1)));
  };
  const open = weight('application/openmetrics-text');
  return open > 0 && open >= weight('text/plain') ? 'openmetrics' : 'text';
}

/** Writes families in Prometheus' text format 0.0.4 or as OpenMetrics 1.0. One without values is omitted. */
export function writeExposition(families: readonly MetricFamily[], form: ExpositionForm): string {
  const lines: string[] = [];
  for (const { name, type, help, values } of families) {
    if (values.length === 0) continue;
    // In OpenMetrics a counter's family has no suffix.
    const family = form === 'openmetrics' && type === 'counter' ? name.replace(/_total$/, '') : name;
    lines.push(`# HELP ${family} ${escapedHelp(help, form)}`, `# TYPE ${family} ${type}`);
    for (const { labels, value } of values) lines.push(`${name}${labelText(labels)} ${numberText(value)}`);
  }
  if (form === 'openmetrics') lines.push('# EOF');
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function escapedHelp(text: string, form: ExpositionForm): string {
  const escaped = text.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
  return form === 'openmetrics' ? escaped.replace(/"/g, '\\"') : escaped;
}

function labelText(labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${name}="${value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n')}"`);
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`;
}

function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}
