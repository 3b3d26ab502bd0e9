import { join, resolve } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import type { ImportProgress } from '../../contract/prometheusCalls';
import type { CallInput } from '../../contract/engine';
import {
  expectedSamples,
  nodesOf,
  suggestedStepMs,
  volumeProblem,
  type FoundNode,
  type PrometheusFound,
} from '../../domain/plan/importPlan';
import { writeDuration } from '../../domain/plan/quantity';
import { currentSeries } from '../../domain/series/renamed';
import type { AnyEngineClient } from '../../engine';
import { command, form } from '../command';
import { commandEngine } from '../commandEngine';
import type { Installation } from '../installation';
import { defaultOut, list, otherwise, out, text, texts, withDefault, runName } from '../options';
import { print, printStatus } from '../print';
import { prometheusOptions, prometheusUrlOf, rangeOf, stepOf, type TimeRange } from '../prometheusOptions';
import { systemClock } from '../../engine/base/clock';
import { onStopSignal } from '../stopSignals';
import { UsageError } from '../usageError';
import { variable } from '../../engine/base/variables';

const codes = { whole: 0, inPart: 1 } as const;
const usualScrapeMs = 15_000;

export const importPrometheus = command({
  name: 'import-prometheus',
  options: {
    ...prometheusOptions,
    instance: otherwise(prometheusOptions.instance, 'all hosts'),
    step: otherwise(prometheusOptions.step, 'the scrape interval, or wider for a long range'),
    job: otherwise(texts('JOB', 'label of the job in the Prometheus'), 'all jobs'),
    query: texts('SERIES=PROMQL', 'a query for a series'),
    name: runName,
    list,
    resume: text('RUN', 'continue the import of this run'),
    out: withDefault(out, defaultOut),
  },
  forms: [
    form('--prometheus URL [--list]', 'list what can be imported from a Prometheus'),
    form(
      '--prometheus URL --from TIME --to TIME [--step 15s] [--instance HOST:PORT ...] [--job JOB ...] [--query SERIES=PROMQL ...] [--name NAME] [--out DIR]',
      'import a range as a run, saved in DIR',
    ),
    form('--resume RUN [--prometheus URL] [--out DIR]', 'import the missing data of such a run'),
  ],
  examples: [
    'import-prometheus --prometheus http://10.0.0.5:9090 --list',
    'import-prometheus --prometheus http://10.0.0.5:9090 --from 2026-11-21T09:00:00Z --to 2026-11-21T10:00:00Z',
  ],
  exitCodes: { pass: 'all was imported', fail: 'imported in part; --resume imports the rest' },
  read: ({ values }): ImportInput => {
    const { prometheus, from, to, step, resume, name } = values;
    const common = {
      ...{ out: values.out, name, resume, instances: values.instance, jobs: values.job },
      queries: queriesOf(values.query),
    };
    const noRange = { range: undefined, stepMs: undefined };
    if (resume !== undefined) {
      if ((from ?? to ?? step) !== undefined)
        throw new UsageError('--resume reads the other options from the run; remove them.');
      return { ...common, ...noRange, url: prometheus === undefined ? undefined : prometheusUrlOf(prometheus) };
    }
    const url = prometheusUrlOf(prometheus);
    if (values.list || (from === undefined && to === undefined)) return { ...common, ...noRange, url };
    const range = rangeOf(from, to);
    return { ...common, url, range, stepMs: step === undefined ? undefined : stepOf(step, 100) };
  },
  run: importRun,
});

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

interface ImportInput {
  /** Contains its user, if any; may be undefined for `resume`. */
  readonly url: string | undefined;
  /** Undefined: only list the data. */
  readonly range: TimeRange | undefined;
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

/** Imports a run from Prometheus, or lists what it contains. Rejects with one sentence when nothing was imported. */
async function importRun(input: ImportInput, installation: Installation): Promise<number> {
  const out = resolve(input.out);
  const engine = commandEngine(installation, { runsFolder: out });
  const { client } = engine;
  try {
    if (input.resume !== undefined) {
      const prometheus = input.url === undefined ? undefined : accessOf(input.url).prometheus;
      return await follow(client, client.call('prometheus.resume', { run: input.resume, prometheus }), out);
    }
    const access = accessOf(input.url ?? '');
    const inspection = await client.call('prometheus.inspect', access);
    const nodes = chosenNodes(inspection, input);
    if (!input.range) {
      print(...describe(inspection, nodes));
      return codes.whole;
    }
    const request = requestOf(access, input, nodes);
    return await follow(client, client.call('prometheus.import', request), out);
  } finally {
    await engine.shutdown(true);
  }
}

type ImportRequest = CallInput<'prometheus.import'>;

function requestOf(
  access: CallInput<'prometheus.inspect'>,
  { range, stepMs, queries, name }: ImportInput,
  nodes: readonly FoundNode[],
): ImportRequest {
  if (!range) throw new FullhouseError('no-range', 'Specify the range: --from TIME --to TIME.');
  const scrapes = nodes.flatMap(({ found }) => found.map(({ scrapeMs = usualScrapeMs }) => scrapeMs));
  const step = stepMs ?? suggestedStepMs(range, Math.min(...scrapes));
  const samples = expectedSamples(nodes, { ...range, stepMs: step }, Object.keys(queries).length);
  const problem = volumeProblem(samples, step);
  if (problem !== undefined) throw new FullhouseError('too-much', problem);
  printStatus(
    `${nodes.map((node) => node.name).join(', ')}: about ${samples} samples, one every ${writeDuration(step)}.`,
  );
  if (range.toMs > systemClock.wall())
    printStatus('--to is in the future: data after the current time will be missing.');
  return {
    ...access,
    ...range,
    stepMs: step,
    nodes: nodes.map((node) => ({ name: node.name, role: node.role, targets: [...node.targets] })),
    ...(Object.keys(queries).length > 0 ? { queries } : {}),
    name,
  };
}

/** The requested nodes; default: all. */
function chosenNodes(inspection: PrometheusFound, { instances, jobs }: ImportInput): FoundNode[] {
  const labelled = (label: string): string[] => [
    ...new Set(inspection.targets.flatMap(({ target }) => target.labels[label] ?? [])),
  ];
  for (const [label, wanted] of [
    ['instance', instances],
    ['job', jobs],
  ] as const) {
    const known = labelled(label);
    const unknown = wanted.find((name) => !known.includes(name));
    if (unknown !== undefined)
      throw new FullhouseError(
        `no-${label}`,
        `The Prometheus at ${inspection.address} has no importable data of the ${label} "${unknown}"; it has ${known.slice(0, 8).join(', ') || 'none'}.`,
      );
  }
  const fits = (allowed: readonly string[], value: string | undefined): boolean =>
    allowed.length === 0 || (value !== undefined && allowed.includes(value));
  const nodes = nodesOf(
    inspection.targets.filter(
      ({ target }) => fits(instances, target.labels['instance']) && fits(jobs, target.labels['job']),
    ),
  );
  if (nodes.length > 0) return nodes;
  throw new FullhouseError(
    'nothing-known',
    `The Prometheus at ${inspection.address} has figures of no node_exporter, WCS, SRS, LiveKit or Fullhouse${instances.length + jobs.length > 0 ? ' of these' : ''}.`,
  );
}

function describe(inspection: PrometheusFound, nodes: readonly FoundNode[]): string[] {
  const iso = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
  const further =
    inspection.further > 0 ? [`and ${inspection.further} more that were not searched; name them with --instance.`] : [];
  const rows = nodes.flatMap(({ name, found: of }) => {
    const series = of.flatMap((each) => Object.keys(each.series));
    const families = of.map(({ target }) => target.family).join(', ');
    const [fromMs, toMs] = [Math.min(...of.map(({ firstMs }) => firstMs)), Math.max(...of.map(({ lastMs }) => lastMs))];
    return [`${name}  ${families}  ${iso(fromMs)} to ${iso(toMs)}`, `    ${series.join(' ')}`];
  });
  return [`Prometheus ${inspection.version ?? ''} at ${inspection.address}`, ...rows, ...further];
}

/** Prints the progress until the import has ended; Ctrl-C cancels it. */
async function follow(
  client: AnyEngineClient,
  started: Promise<{ readonly id: string }>,
  out: string,
): Promise<number> {
  const early: ImportProgress[] = [];
  let take = (news: ImportProgress): void => void early.push(news);
  const off = client.on('prometheusImport', (news) => take(news));
  const { id } = await started;
  const stop = (): void => void client.call('prometheus.cancel', { id });
  const endSignals = onStopSignal(stop);
  try {
    const end = await new Promise<ImportProgress>((resolve) => {
      take = (news) => {
        if (news.id !== id) return;
        if (news.state !== 'reading') return resolve(news);
        if (news.done) printStatus(`${news.done} of ${news.pieces ?? 0} parts, ${news.samples ?? 0} samples so far`);
      };
      for (const news of early) take(news);
    });
    if (end.run === undefined) throw new FullhouseError(end.state, end.sentence ?? 'Nothing was imported.');
    if (end.sentence !== undefined) printStatus(end.sentence);
    print(join(out, `${end.run}.fullhouse`));
    return end.state === 'done' ? codes.whole : codes.inPart;
  } finally {
    off();
    endSignals();
  }
}

/** A user in the address gives the name; the password is read from the environment. */
function accessOf(text: string): CallInput<'prometheus.inspect'> {
  const url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  const user = decodeURIComponent(url.username);
  url.username = '';
  if (user !== '' && variable('FULLHOUSE_PROMETHEUS_HTTP_PASSWORD') === undefined)
    throw new FullhouseError(
      'no-password',
      'The Prometheus URL has a user: set the password in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.',
    );
  return { prometheus: url.href.replace(/\/$/, ''), ...(user === '' ? {} : { user }) };
}
