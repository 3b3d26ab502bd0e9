export type ExpositionForm = 'text' | 'openmetrics' | 'protobuf';

export const contentTypes: Readonly<Record<ExpositionForm, string>> = {
  text: 'text/plain; version=0.0.4; charset=utf-8',
  openmetrics: 'application/openmetrics-text; version=1.0.0; charset=utf-8',
  protobuf: 'application/vnd.google.protobuf; proto=io.prometheus.client.MetricFamily; encoding=delimited',
};

/** What a header must list to get a form; of equal weights the first one is chosen. */
const requested: ReadonlyArray<readonly [ExpositionForm, RegExp]> = [
  [
    'protobuf',
    /^application\/vnd\.google\.protobuf(?=.*proto=io\.prometheus\.client\.metricfamily)(?=.*encoding=delimited)/,
  ],
  ['openmetrics', /^application\/openmetrics-text/],
  ['text', /^text\/plain/],
];

/** The format that an `Accept` header gives the highest weight; plain text if it lists none. */
export function formOf(accept: string | undefined): ExpositionForm {
  const listed = (accept ?? '').split(',').map((part) => part.trim().toLowerCase());
  const weight = (type: RegExp): number =>
    Math.max(
      0,
      ...listed
        .filter((mediaRange) => type.test(mediaRange))
        .map((mediaRange) => Number(/;\s*q=([\d.]+)/.exec(mediaRange)?.[1] ?? 1)),
    );
  let best: ExpositionForm = 'text';
  let highest = 0;
  for (const [form, type] of requested) {
    const own = weight(type);
    if (own > highest) [best, highest] = [form, own];
  }
  return best;
}
