import { FullhouseError } from '../../../contract/calls';
import { Budget, BudgetExceeded } from '../../../domain/budget/budget';

/** One value of a metric with its labels. */
export interface MetricValue {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A large host has some thousands of those that are read. */
const maxParts = 200_000;

/** Values by the metric's name, in the order of the text; a missing name is absent. */
export type Metrics = ReadonlyMap<string, readonly MetricValue[]>;

/**
 * Parses Prometheus' text format, and OpenMetrics with its exemplars. Only the metrics that `isWanted` are parsed: an
 * exporter returns more than a thousand lines each second, of which a few dozen matter. Invalid lines are skipped.
 * Throws `not-metrics` when the text has no metric at all, and `too-long` when it has too many; `what` names
 * the address in the message.
 */
export function parseMetrics(text: string, isWanted: (name: string) => boolean, what: string): Metrics {
  try {
    return parseAll(text, isWanted, what);
  } catch (error) {
    if (error instanceof BudgetExceeded) throw new FullhouseError('too-long', `${error.message}.`, { cause: error });
    throw error;
  }
}

function parseAll(text: string, isWanted: (name: string) => boolean, what: string): Metrics {
  const metrics = new Map<string, MetricValue[]>();
  const left = new Budget(what, maxParts, 'values and labels of the metrics that are read', 'check the address');
  let found = 0;
  let start = 0;
  while (start < text.length) {
    let end = text.indexOf('\n', start);
    if (end < 0) end = text.length;
    const nameEnd = endOfName(text, start, end);
    if (nameEnd > start) {
      found += 1;
      const name = text.slice(start, nameEnd);
      if (isWanted(name)) {
        left.take();
        const value = parseRest(text, nameEnd, end, left);
        if (value) {
          const known = metrics.get(name);
          if (known) known.push(value);
          else metrics.set(name, [value]);
        } else found -= 1;
      }
    }
    start = end + 1;
  }
  if (found === 0 && text.trim() !== '') throw notMetrics(text, what);
  return metrics;
}

/** First value of a metric with all the given labels. */
export function metricValue(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  return metrics.get(name)?.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))
    ?.value;
}

function notMetrics(text: string, what: string): FullhouseError {
  const received = /^\s*<(!doctype|html|\?xml|head|body)/i.test(text)
    ? 'a web page'
    : /^\s*[[{]/.test(text)
      ? 'JSON'
      : 'other text';
  return new FullhouseError(
    'not-metrics',
    `${what} returned ${received} instead of Prometheus metrics; check the address (usually it ends in /metrics).`,
  );
}

/** A name is followed by its labels or a space; -1 for a comment, a tag or any other text. */
function endOfName(text: string, start: number, end: number): number {
  for (let position = start; position < end; position += 1) {
    const code = text.charCodeAt(position);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 58;
    if (isLetter || (position > start && code >= 48 && code <= 57)) continue;
    return code === 123 || code === 32 || code === 9 ? position : -1;
  }
  return -1;
}

/** Labels and value of a line; anything after the value (a timestamp, an exemplar) is ignored. */
function parseRest(text: string, from: number, end: number, left: Budget): MetricValue | undefined {
  const labels: Record<string, string> = {};
  let position = from;
  if (text[position] === '{') {
    const after = parseLabels(text, position + 1, end, labels, left);
    if (after === undefined) return undefined;
    position = after;
  }
  const [word = ''] = text.slice(position, end).trim().split(/\s/, 1);
  const value = numberOf(word);
  return value === undefined ? undefined : { labels, value };
}

/** Fills `labels` and returns the position after the closing brace. */
function parseLabels(
  text: string,
  from: number,
  end: number,
  labels: Record<string, string>,
  left: Budget,
): number | undefined {
  let position = from;
  for (;;) {
    while (position < end && (text[position] === ' ' || text[position] === ',')) position += 1;
    if (text[position] === '}') return position + 1;
    // Not `indexOf`: for each line without one it would search all following lines.
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
    left.take();
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
