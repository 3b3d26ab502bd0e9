import { parseDuration } from '../domain/plan/quantity';
import { currentSeries } from '../domain/series/renamed';
import { parseTime } from './parseTime';
import { UsageError } from './usageError';

/** Prometheus' default scrape interval. */
export const usualStep = '15s';

export interface ImportCommand {
  readonly command: 'import-prometheus';
  /** Contains its user, if any; may be undefined for `resume`. */
  readonly url: string | undefined;
  /** Undefined: only list the data. */
  readonly range: { readonly fromMs: number; readonly toMs: number } | undefined;
  /** Undefined: the scrape interval, or wider for a long range. */
  readonly stepMs: number | undefined;
  /** Empty: all. */
  readonly instances: readonly string[];
  readonly jobs: readonly string[];
  readonly queries: Readonly<Record<string, string>>;
  readonly name: string | undefined;
  /** Id of the run whose missing data is imported. */
  readonly resume: string | undefined;
  readonly out: string;
}

export interface GrafanaCommand {
  readonly command: 'grafana';
  /** Undefined: standard output. */
  readonly out: string | undefined;
}

export const grafanaAndImportOptions = {
  metrics: { type: 'string' },
  otlp: { type: 'string' },
  job: { type: 'string', multiple: true },
  query: { type: 'string', multiple: true },
  name: { type: 'string' },
  resume: { type: 'string' },
} as const;

type Typed = Readonly<Partial<Record<'prometheus' | 'from' | 'to' | 'step' | 'name' | 'resume' | 'out', string>>> & {
  readonly instance?: readonly string[];
  readonly job?: readonly string[];
  readonly query?: readonly string[];
  readonly list?: boolean;
};

/** Throws a `UsageError`. */
export function readImport(typed: Typed, defaultOut: string): ImportCommand {
  const { prometheus, from, to, step, resume, list = false, out = defaultOut } = typed;
  const common = { command: 'import-prometheus' as const, out, name: typed.name, resume };
  const asked = { instances: typed.instance ?? [], jobs: typed.job ?? [], queries: queriesOf(typed.query) };
  if (resume !== undefined) {
    if ((from ?? to ?? step) !== undefined)
      throw new UsageError('--resume reads the other options from the run; remove them.');
    const url = prometheus === undefined ? undefined : urlOf(prometheus);
    return { ...common, ...asked, url, range: undefined, stepMs: undefined };
  }
  const url = urlOf(prometheus);
  if (list || (from === undefined && to === undefined))
    return { ...common, ...asked, url, range: undefined, stepMs: undefined };
  const range = { fromMs: timestamp('from', from), toMs: timestamp('to', to) };
  requireOrder(range);
  return { ...common, ...asked, url, range, stepMs: step === undefined ? undefined : stepOf(step, 100) };
}

export function readGrafana({ out }: { readonly out?: string }): GrafanaCommand {
  return { command: 'grafana', out };
}

/** `9464`, `0.0.0.0:9464` or `[::]:9464`. */
export function readMetrics(
  text: string | undefined,
): { readonly port: number; readonly bind: string | undefined } | undefined {
  if (text === undefined) return undefined;
  const [, bind, digits] = /^(?:(\[[0-9a-f:.]+\]|[^:]+):)?(\d{1,5})$/i.exec(text) ?? [];
  const port = Number(digits);
  if (digits === undefined || port > 65_535)
    throw new UsageError(`--metrics "${text}" is not a port; write it like 9464, or 0.0.0.0:9464.`);
  return { port, bind };
}

/** Address of an OTLP/HTTP receiver, to which the path of metrics is added as the specification says. */
export function readOtlp(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new UsageError('--otlp is not an address; write it like http://HOST:4318.');
  }
  if (!/^https?:$/.test(url.protocol))
    throw new UsageError('--otlp must be an HTTP address; write it like http://HOST:4318.');
  if (url.username || url.password)
    throw new UsageError(
      'Set the credentials in OTEL_EXPORTER_OTLP_HEADERS: in an address they are visible to every user of this machine.',
    );
  if (!url.pathname.endsWith('/v1/metrics')) url.pathname = `${url.pathname.replace(/\/+$/, '')}/v1/metrics`;
  return url.href;
}

/** A range of one host, for `history`. */
export function rangeOf(
  { prometheus, from, to, step = usualStep }: Typed,
  instance: string | undefined,
): {
  readonly url: string;
  readonly instance: string | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
} {
  const url = urlOf(prometheus);
  const range = { fromMs: timestamp('from', from), toMs: timestamp('to', to) };
  requireOrder(range);
  return { url, instance, ...range, stepMs: stepOf(step, 1) };
}

function requireOrder({ fromMs, toMs }: { readonly fromMs: number; readonly toMs: number }): void {
  if (toMs <= fromMs) throw new UsageError('--to must be later than --from.');
}

function timestamp(name: string, text: string | undefined): number {
  if (text === undefined) throw new UsageError(`Specify the range: --from TIME --to TIME.`);
  const timeMs = parseTime(text);
  if (timeMs === undefined)
    throw new UsageError(`--${name} "${text}" is not a time; write it like 2026-11-21T09:00:00Z.`);
  return timeMs;
}

function stepOf(text: string, minMs: number): number {
  const stepMs = parseDuration(text);
  if (stepMs === undefined || stepMs < minMs)
    throw new UsageError(`--step "${text}" is not a duration; write it like 15s or 1m.`);
  return stepMs;
}

function queriesOf(texts: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    texts.map((text): [string, string] => {
      const at = text.indexOf('=');
      if (at <= 0)
        throw new UsageError(`--query "${text}" is not SERIES=PROMQL, e.g. load1=node_load1{instance=$instance}.`);
      return [currentSeries(text.slice(0, at).trim()), text.slice(at + 1).trim()];
    }),
  );
}

/** A password would be visible to every user of this machine. */
function urlOf(text: string | undefined): string {
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
