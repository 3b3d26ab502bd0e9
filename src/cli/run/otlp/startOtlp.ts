import { diag, DiagLogLevel } from '@opentelemetry/api';
import { ExportResultCode, parseKeyPairsIntoRecord } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { detectResources, envDetector } from '@opentelemetry/resources';
import { z } from 'zod';
import type { RunView } from '../../../domain/model/run';
import { SecretMask } from '../../../domain/secrets/secretMask';
import { isLoopbackHost } from '../../../domain/text/loopback';
import type { Engine } from '../../../engine';
import { requireRealAddress } from '../../../engine/base/realAddress';
import { systemClock } from '../../../engine/base/clock';
import { OtlpPush, type SendMetrics } from './otlpPush';
import { resourceMetricsOf, resourceOf } from './resourceMetrics';
import { variable, variablesOf, type VariableValues } from '../../../engine/base/variables';

export interface StartedOtlp {
  /** Sends the last figures of a run that has ended. */
  flush(): Promise<void>;
  stop(): void;
}

const headerVariables = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_METRICS_HEADERS'] as const;
type HeaderValues = VariableValues<(typeof headerVariables)[number]>;

const defaultEveryMs = 5000;
/** Figures change once a second. */
const minEveryMs = 1000;
/** Longer reasons of a receiver are cut. */
const maxReason = 200;

/**
 * Sends the figures of the engine's runs to an OTLP/HTTP receiver. Headers, certificates, compression and timeouts are
 * those of the environment (`OTEL_EXPORTER_OTLP_*`).
 */
export function startOtlp(
  engine: Engine,
  url: string,
  version: string,
  printStatus: (sentence: string) => void,
): StartedOtlp {
  requireRealAddress('the OTLP receiver', url);
  const mask = headerMask(variablesOf(headerVariables));
  const say = (sentence: string): void => printStatus(mask.text(sentence));
  tellRejected(say);
  const exporter = new OTLPMetricExporter({ url });
  const send: SendMetrics = (metrics) =>
    new Promise((resolve) => {
      exporter.export(metrics, ({ code, error }) =>
        resolve(code === ExportResultCode.SUCCESS ? undefined : reasonOf(error)),
      );
    });
  let run: RunView | null = null;
  const off = engine.client.on('run', (news) => (run = news));
  const environment = detectResources({ detectors: [envDetector] });
  const everyMs = intervalOf(variable('OTEL_METRIC_EXPORT_INTERVAL'));
  const push = new OtlpPush({
    ...{ send, url, everyMs, say },
    collect: (which) => {
      if (!run || (run.state === 'ended') !== (which === 'ended')) return undefined;
      const times = { version, startMs: run.startedMs, nowMs: systemClock.now() };
      // The engine's run may have ended already, before its view has arrived here.
      const families = engine.metricFamilies({ ended: true });
      return resourceMetricsOf(families, resourceOf(run, version, environment), times);
    },
  });
  say(`OTLP: metrics are sent to ${url} every ${everyMs / 1000} s.`);
  const warning = plainTextWarning(url, variablesOf(headerVariables));
  if (warning !== undefined) say(warning);
  return {
    flush: () => push.flush(),
    stop: () => {
      push.stop();
      off();
    },
  };
}

/** That credentials of the environment pass a network unencrypted; undefined if they don't. */
export function plainTextWarning(url: string, headers: HeaderValues): string | undefined {
  const { protocol, hostname, host } = new URL(url);
  const name = headerVariables.find((variable) => Object.keys(parseKeyPairsIntoRecord(headers[variable])).length > 0);
  if (protocol === 'https:' || isLoopbackHost(hostname) || name === undefined) return undefined;
  return `OTLP: the headers of ${name} are sent to ${host} without encryption; use https:// if they contain credentials.`;
}

/** Why an export failed, in words. */
export function reasonOf(error: (Error & { readonly code?: unknown }) | undefined): string {
  const code = error?.code;
  if (typeof code === 'number') return `HTTP ${code}${error?.message ? ` (${error.message.slice(0, maxReason)})` : ''}`;
  const byCode: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'the connection was refused',
    ENOTFOUND: 'the host name is unknown',
    ECONNRESET: 'the connection was reset',
    EHOSTUNREACH: 'the host is unreachable',
  };
  if (typeof code === 'string') return byCode[code] ?? code;
  if (error?.message === 'Request timed out') return 'no response in time';
  // The exporter keeps no status of responses after which it may retry.
  return error === undefined || error.message === 'Export failed with retryable status'
    ? 'the receiver is overloaded or unavailable (HTTP 429, 502, 503 or 504)'
    : error.message.slice(0, maxReason);
}

function intervalOf(text: string | undefined): number {
  const everyMs = Number(text);
  return text === undefined || !Number.isFinite(everyMs) || everyMs <= 0
    ? defaultEveryMs
    : Math.max(minEveryMs, Math.round(everyMs));
}

/** Receivers may quote the headers of a request. */
function headerMask(headers: HeaderValues): SecretMask {
  const mask = new SecretMask();
  for (const name of headerVariables)
    for (const value of Object.values(parseKeyPairsIntoRecord(headers[name])))
      for (const secret of [value, value.replace(/^\w+ /, '')]) mask.add(secret);
  return mask;
}

const partialSuccess = z.object({
  rejectedDataPoints: z.coerce.number().default(0),
  errorMessage: z.string().default(''),
});

/**
 * A receiver may accept an export only in part. The exporter reports this to the log of the SDK, of which nothing else is
 * printed: its warnings on wrong variables quote these.
 */
function tellRejected(say: (sentence: string) => void): void {
  const told = new Set<string>();
  const ignored = (): void => undefined;
  const warn = (message: string, ...[json]: unknown[]): void => {
    if (!message.startsWith('Received Partial Success') || typeof json !== 'string') return;
    const response = partialSuccess.safeParse(JSON.parse(json));
    if (!response.success) return;
    const { rejectedDataPoints: rejected, errorMessage } = response.data;
    const why = errorMessage === '' ? '' : `: ${errorMessage.slice(0, maxReason)}`;
    // Once per reason, whatever the number is.
    if (told.has(why)) return;
    told.add(why);
    say(`OTLP: the receiver rejected ${rejected === 1 ? '1 value' : `${rejected} values`} of an export${why}`);
  };
  const logger = { error: ignored, warn, info: ignored, debug: ignored, verbose: ignored };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
