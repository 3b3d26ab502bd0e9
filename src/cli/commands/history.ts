import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FullhouseError } from '../../contract/calls';
import { requireRealAddress } from '../../engine/base/realAddress';
import { openHttpLink } from '../../engine/links/http/openHttpLink';
import { csvHead, csvLines } from '../../engine/report';
import { batchOf, samplesOf } from '../../engine/base/samples';
import {
  hostInstances,
  instanceLabels,
  singleInstance,
  unknownInstance,
} from '../../engine/telemetry/metrics/hostInstance';
import { PrometheusApi } from '../../engine/telemetry/metrics/prometheusApi';
import { prometheusRangeParts } from '../../engine/telemetry/prometheusRange';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import { otherwise, out, withDefault } from '../options';
import { printPieces, printStatus } from '../print';
import { prometheusOptions, prometheusUrlOf, rangeOf, stepOf, type TimeRange } from '../prometheusOptions';
import { systemClock } from '../../engine/base/clock';
import { onStopSignal, StoppedBySignal } from '../stopSignals';
import { reasonOf } from '../../engine/store/failure';
import { variable } from '../../engine/base/variables';

const usualStep = '15s';

export const history = command({
  name: 'history',
  options: {
    ...prometheusOptions,
    instance: otherwise(prometheusOptions.instance, 'the only host that it has'),
    step: withDefault(prometheusOptions.step, usualStep),
    out: otherwise(out, 'standard output'),
  },
  forms: [
    form(
      `--prometheus URL --from TIME --to TIME [--instance HOST:PORT] [--step ${usualStep}] [--out FILE.csv]`,
      'export the metrics of a host from Prometheus as CSV',
    ),
  ],
  examples: [
    'history --prometheus http://10.0.0.5:9090 --from 2026-11-21T09:00:00Z --to 2026-11-21T10:00:00Z --out host.csv',
  ],
  exitCodes: { stopped: 'stopped by Ctrl-C or another signal; nothing was written' },
  read: ({ values: { prometheus, instance, from, to, step, out: path } }) => ({
    url: prometheusUrlOf(prometheus),
    instance: instance.at(-1),
    ...rangeOf(from, to),
    stepMs: stepOf(step, 1),
    out: path,
  }),
  run: writeHistory,
});

interface HistoryInput extends TimeRange {
  /** Address of the Prometheus. */
  readonly url: string;
  /** Label of the host there; undefined: its only one. */
  readonly instance: string | undefined;
  readonly stepMs: number;
  /** Undefined: standard output. */
  readonly out: string | undefined;
}

/** Small enough for progress to advance and for the response of a machine with many cores. */
const pointsAtOnce = 500;
const sayEveryMs = 1000;

/**
 * Writes data of a host from Prometheus as CSV, to a file or to standard output. Rejects with one sentence; no partial
 * file remains.
 */
async function writeHistory(input: HistoryInput): Promise<number> {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  const endSignals = onStopSignal(stop);
  const written = { values: 0, timestamps: 0 };
  try {
    await write(input.out, historyCsv(input, written, stopped.signal), stopped.signal);
  } catch (error) {
    if (stopped.signal.aborted) throw new StoppedBySignal('Stopped; nothing was written.');
    // The reader has closed the pipe, like `head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return exitCodes.pass;
    throw error;
  } finally {
    endSignals();
  }
  printStatus(
    `${written.values} values at ${written.timestamps} timestamps${input.out === undefined ? '' : ` are in ${input.out}`}.`,
  );
  return exitCodes.pass;
}

async function* historyCsv(
  { url, instance, fromMs, toMs, stepMs }: HistoryInput,
  written: { values: number; timestamps: number },
  signal: AbortSignal,
): AsyncGenerator<string> {
  const who = instance ?? 'history';
  requireRealAddress('the Prometheus', url);
  const http = openHttpLink({ who, base: url, basic: credentials(url) });
  signal.addEventListener('abort', () => http.close(), { once: true });
  try {
    const plain = withoutUser(url);
    const api = new PrometheusApi(http, who, plain);
    const known = await hostInstances(api);
    const host = instance ?? singleInstance(api, who, known);
    if (toMs > systemClock.wall()) printStatus('--to is in the future: data after the current time will be missing.');
    const timestamps = Math.floor((toMs - fromMs) / stepMs) + 1;
    let printedMs = -Infinity;
    const parts = prometheusRangeParts({
      ...{ http, url: plain, who, fromMs, toMs, stepMs, pointsAtOnce },
      instance: host,
    });
    for await (const part of parts) {
      const samples = part.samples.flatMap(({ timeMs, values }) => samplesOf(timeMs, host, values));
      if (samples.length > 0) yield `${written.values === 0 ? csvHead : ''}${csvLines(batchOf(samples))}`;
      written.values += samples.length;
      written.timestamps += part.samples.length;
      const done = Math.floor((part.toMs - fromMs) / stepMs) + 1;
      if (done < timestamps && systemClock.monotonic() - printedMs >= sayEveryMs) {
        printedMs = systemClock.monotonic();
        printStatus(`${host}: ${done} of ${timestamps} timestamps queried, ${written.values} values so far`);
      }
    }
    if (written.values > 0) return;
    if (!known.includes(instanceLabels(host)['instance'] ?? '')) throw unknownInstance(api, who, host, known);
    const iso = (timeMs: number): string => new Date(timeMs).toISOString();
    throw new FullhouseError(
      'no-history',
      `${host}: the Prometheus at ${api.address} has no data of it from ${iso(fromMs)} to ${iso(toMs)}; its retention may be shorter, or nothing was measured then.`,
    );
  } finally {
    http.close();
  }
}

/** A file is complete, or does not exist. */
async function write(out: string | undefined, text: AsyncIterable<string>, signal: AbortSignal): Promise<void> {
  if (out === undefined) return printPieces(text, signal);
  const part = `${out}.part`;
  try {
    await pipeline(Readable.from(text), createWriteStream(part), { signal });
    await rename(part, out);
  } catch (error) {
    await rm(part, { force: true });
    throw isOfFiles(error)
      ? new FullhouseError('not-written', `${out} can't be written: ${reasonOf(error)}.`, { cause: error })
      : error;
  }
}

function isOfFiles(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && !(error instanceof FullhouseError);
}

function credentials(url: string): { readonly user: string; readonly password: string } | undefined {
  const { username } = new URL(url);
  const password = variable('FULLHOUSE_PROMETHEUS_HTTP_PASSWORD');
  if (username === '') return undefined;
  if (password === undefined)
    throw new FullhouseError(
      'no-password',
      'The Prometheus URL has a user: set the password in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.',
    );
  return { user: decodeURIComponent(username), password };
}

/** The link adds user and password; an address with only a user would count as one without password. */
function withoutUser(url: string): string {
  const plain = new URL(url);
  plain.username = '';
  return plain.href.replace(/\/$/, '');
}
