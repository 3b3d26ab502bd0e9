import { join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { ImportProgress } from '../contract/prometheusCalls';
import type { CallInput } from '../contract/engine';
import {
  expectedSamples,
  nodesOf,
  suggestedStepMs,
  volumeProblem,
  type FoundNode,
  type PrometheusFound,
} from '../domain/plan/importPlan';
import { writeDuration } from '../domain/plan/quantity';
import type { AnyEngineClient } from '../engine';
import { commandEngine } from './commandEngine';
import type { Installation } from './installation';
import type { ImportCommand } from './prometheusArgs';
import { print, printStatus } from './print';
import { systemClock } from '../engine/base/clock';
import { onStopSignal } from './stopSignals';

const codes = { whole: 0, inPart: 1 } as const;
const usualScrapeMs = 15_000;

/** Imports a run from Prometheus, or lists what it contains. Rejects with one sentence when nothing was imported. */
export async function importCommand(command: ImportCommand, installation: Installation): Promise<number> {
  const out = resolve(command.out);
  const engine = commandEngine(installation, { runsFolder: out });
  const { client } = engine;
  try {
    if (command.resume !== undefined) {
      const prometheus = command.url === undefined ? undefined : accessOf(command.url).prometheus;
      return await follow(client, client.call('prometheus.resume', { run: command.resume, prometheus }), out);
    }
    const access = accessOf(command.url ?? '');
    const found = await client.call('prometheus.inspect', access);
    const nodes = chosenNodes(found, command);
    if (!command.range) {
      print(...describe(found, nodes));
      return codes.whole;
    }
    const request = requestOf(access, command, nodes);
    return await follow(client, client.call('prometheus.import', request), out);
  } finally {
    await engine.shutdown(true);
  }
}

type ImportRequest = CallInput<'prometheus.import'>;

function requestOf(
  access: CallInput<'prometheus.inspect'>,
  { range, stepMs, queries, name }: ImportCommand,
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
function chosenNodes(found: PrometheusFound, { instances, jobs }: ImportCommand): FoundNode[] {
  const labelled = (label: string): string[] => [
    ...new Set(found.targets.flatMap(({ target }) => target.labels[label] ?? [])),
  ];
  for (const [label, wanted] of [
    ['instance', instances],
    ['job', jobs],
  ] as const) {
    const known = labelled(label);
    const unknown = wanted.find((each) => !known.includes(each));
    if (unknown !== undefined)
      throw new FullhouseError(
        `no-${label}`,
        `The Prometheus at ${found.address} has no importable data of the ${label} "${unknown}"; it has ${known.slice(0, 8).join(', ') || 'none'}.`,
      );
  }
  const fits = (wanted: readonly string[], value: string | undefined): boolean =>
    wanted.length === 0 || (value !== undefined && wanted.includes(value));
  const nodes = nodesOf(
    found.targets.filter(
      ({ target }) => fits(instances, target.labels['instance']) && fits(jobs, target.labels['job']),
    ),
  );
  if (nodes.length > 0) return nodes;
  throw new FullhouseError(
    'nothing-known',
    `The Prometheus at ${found.address} has figures of no node_exporter, WCS, SRS, LiveKit or Fullhouse${instances.length + jobs.length > 0 ? ' of these' : ''}.`,
  );
}

function describe(found: PrometheusFound, nodes: readonly FoundNode[]): string[] {
  const iso = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
  const further =
    found.further > 0 ? [`and ${found.further} more that were not searched; name them with --instance.`] : [];
  const rows = nodes.flatMap(({ name, found: of }) => {
    const series = of.flatMap((each) => Object.keys(each.series));
    const families = of.map(({ target }) => target.family).join(', ');
    const [fromMs, toMs] = [Math.min(...of.map(({ firstMs }) => firstMs)), Math.max(...of.map(({ lastMs }) => lastMs))];
    return [`${name}  ${families}  ${iso(fromMs)} to ${iso(toMs)}`, `    ${series.join(' ')}`];
  });
  return [`Prometheus ${found.version ?? ''} at ${found.address}`, ...rows, ...further];
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
  if (user !== '' && process.env['FULLHOUSE_PROMETHEUS_HTTP_PASSWORD'] === undefined)
    throw new FullhouseError(
      'no-password',
      'The Prometheus URL has a user: set the password in FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.',
    );
  return { prometheus: url.href.replace(/\/$/, ''), ...(user === '' ? {} : { user }) };
}
