import { parseDuration } from '../domain/plan/quantity';
import { text, texts } from './options';
import { parseTime } from './optionValues';
import { UsageError } from './usageError';

/** Options of commands that read a Prometheus. */
export const prometheusOptions = {
  prometheus: text(
    'URL',
    'address of the Prometheus; its user is part of the URL, the password is in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD',
  ),
  instance: texts('HOST:PORT', 'label of the host in the Prometheus'),
  from: text('TIME', 'start of the range'),
  to: text('TIME', 'end of the range'),
  step: text('DURATION', 'interval of the data, e.g. 15s'),
} as const;

/** From when to when, in Unix ms. */
export interface TimeRange {
  readonly fromMs: number;
  readonly toMs: number;
}

/** The range of `--from` and `--to`. Throws a `UsageError`. */
export function rangeOf(from: string | undefined, to: string | undefined): TimeRange {
  const range = { fromMs: timestamp('from', from), toMs: timestamp('to', to) };
  if (range.toMs <= range.fromMs) throw new UsageError('--to must be later than --from.');
  return range;
}

function timestamp(name: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`Specify the range: --from TIME --to TIME.`);
  const timeMs = parseTime(text);
  if (timeMs === undefined)
    throw new UsageError(`--${name} "${text}" is not a time; write it like 2026-11-21T09:00:00Z.`);
  return timeMs;
}

/** The interval of `--step` in ms. Throws a `UsageError`. */
export function stepOf(text: string, minMs: number): number {
  const stepMs = parseDuration(text);
  if (stepMs === undefined || stepMs < minMs)
    throw new UsageError(`--step "${text}" is not a duration; write it like 15s or 1m.`);
  return stepMs;
}

/** The address of `--prometheus`, without a password: it would be visible to every user of this machine. Throws a `UsageError`. */
export function prometheusUrlOf(text: string | undefined): string {
  if (text === undefined) throw new UsageError('Specify the Prometheus: --prometheus http://HOST:9090');
  const withScheme = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  let url: URL;
  try {
    url = new URL(withScheme);
  } catch {
    throw new UsageError('--prometheus is not an address; write it like http://HOST:9090.');
  }
  if (url.password)
    throw new UsageError(
      'Set the password in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD: in an address it is visible to every user of this machine.',
    );
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError('--prometheus must be an HTTP address; write it like http://HOST:9090.');
  return withScheme;
}
