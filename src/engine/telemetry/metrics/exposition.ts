import { FullhouseError } from '../../../contract/calls';

/** One value of a metric with its labels. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Values by the metric's name, in the order of the text; a name that was not there is absent. */
export type Metrics = ReadonlyMap<string, readonly MetricValue[]>;

/**
 * Reads Prometheus' text format, and OpenMetrics with its exemplars. Only the metrics that `isWanted` are taken apart: an exporter
 * tells more than a thousand lines each second, of which a few dozen matter. A line that is not understood is left out.
 * Throws `not-metrics` when there is no metric in the text at all; `what` names the address in the sentence.
 */
export function parseMetrics(text: string, isWanted: (name: string) => boolean, what: string): Metrics {
  const metrics = new Map<string, MetricValue[]>();
  let seen = 0;
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const nameEnd = endOfName(text, start, end);
    if (nameEnd > start) {
      seen += 1;
      const name = text.slice(start, nameEnd);
      if (isWanted(name)) {
        const value = parseRest(text, nameEnd, end);
        if (value) {
          const known = metrics.get(name);
          if (known) known.push(value);
          else metrics.set(name, [value]);
        } else seen -= 1;
      }
    }
    start = end + 1;
  }
  if (seen === 0 && text.trim() !== '') throw notMetrics(text, what);
  return metrics;
}

/** First value of a metric whose labels are all as given. */
export function metricValue(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return metrics
    .get(name)
    ?.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
}

function notMetrics(text: string, what: string): FullhouseError {
  const came = /^\s*<(!doctype|html|\?xml|head|body)/i.test(text)
    ? 'a web page'
    : /^\s*[[{]/.test(text)
      ? 'JSON'
      : 'something else';
  return new FullhouseError(
    'not-metrics',
    `${what} answered with ${came} in place of Prometheus metrics; check the address (usually it ends in /metrics).`,
  );
}

/** A name is followed by its labels or by a blank; a comment, a tag or any other text has none: -1. */
function endOfName(text: string, start: number, end: number): number {
  for (let position = start; position < end; position += 1) {
    const code = text.charCodeAt(position);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58;
    if (isLetter || (position > start && code >= 48 && code <= 57)) continue;
    return code === 123 || code === 32 || code === 9 ? position : -1;
  }
  return -1;
}

/** Labels and value of a line; what follows the value (a timestamp, an exemplar) does not matter. */
function parseRest(text: string, from: number, end: number): MetricValue | undefined {
  const labels: Record<string, string> = {};
  let position = from;
  if (text[position] === '{') {
    const after = parseLabels(text, position + 1, end, labels);
    if (after === undefined) return undefined;
    position = after;
  }
  const [word = ''] = text.slice(position, end).trim().split(/\s/, 1);
  const value = numberOf(word);
  return value === undefined ? undefined : { labels, value };
}

/** Fills `labels` and gives the position after the closing brace. */
function parseLabels(
  text: string,
  from: number,
  end: number,
  labels: Record<string, string>,
): number | undefined {
  let position = from;
  for (;;) {
    while (position < end && (text[position] === ' ' || text[position] === ',')) position += 1;
    if (text[position] === '}') return position + 1;
    // Not `indexOf`: it would look through all lines that follow for each line that has none.
    let equals = position;
    while (equals < end && text[equals] !== '=') equals += 1;
    if (text[equals + 1] !== '"') return undefined;
    const name = text.slice(position, equals).trim();
    position = equals + 2;
    let close = position;
    let hasEscape = false;
    while (close < end && text[close] !== '"') {
      if (text[close] === '\\') {
        hasEscape = true;
        close += 1;
      }
      close += 1;
    }
    if (close >= end) return undefined;
    const raw = text.slice(position, close);
    labels[name] = hasEscape ? raw.replace(/\\(.)/g, (_, one: string) => (one === 'n' ? '\n' : one)) : raw;
    position = close + 1;
  }
}

function numberOf(word: string): number | undefined {
  if (word === 'NaN' || word === 'Nan') return NaN;
  if (/^[+-]?Inf(inity)?$/i.test(word)) return word.startsWith('-') ? -Infinity : Infinity;
  const value = word === '' ? NaN : Number(word);
  return Number.isNaN(value) ? undefined : value;
}
