import { join, resolve } from 'node:path';
import { FullhouseError } from '../contract/calls';
import type { ImportProgress } from '../contract/prometheusCalls';
import type { CallInput } from '../contract/engine';
import {
  expectedSamples,
  nodesOf,
  suggestedStepMs,
  tooMuch,
  type FoundNode,
  type PrometheusFound,
} from '../domain/importPlan';
import { writeDuration } from '../domain/plan/quantity';
import type { AnyEngineClient } from '../engine';
import { commandEngine } from './commandEngine';
import type { Installation } from './installation';
import type { ImportCommand } from './prometheusArgs';
import { print, say } from './say';
import { systemClock } from '../engine/clock';
import { onStopSignal } from './stopSignals';

const codes = { whole: 0, inPart: 1 } as const;
const usualScrapeMs = 15_000;

/** Makes a run of what a Prometheus kept, or says what it has. Rejects with one sentence when nothing came of it. */
export async function importCommand(command: ImportCommand, installation: Installation): Promise<number> {
  const out = resolve(command.out);
  const engine = commandEngine(installation, { runsFolder: out });
  const { client } = engine;
  try {
    if (command.resume !== undefined)
      return await follow(client, client.call('prometheus.resume', { run: command.resume }), out);
    const access = accessOf(command.url ?? '');
    const found = await client.call('prometheus.look', access);
    const nodes = chosenNodes(found, command);
    if (!command.range) {
      print(`${describe(found, nodes)}\n`);
      return codes.whole;
    }
    const wish = wishOf(access, command, nodes);
    return await follow(client, client.call('prometheus.import', wish), out);
  } finally {
    await engine.shutdown(true);
  }
}

type Wish = CallInput<'prometheus.import'>;

function wishOf(
  access: CallInput<'prometheus.look'>,
  { range, stepMs, queries, name }: ImportCommand,
  nodes: readonly FoundNode[],
): Wish {
  if (!range) throw new FullhouseError('no-range', 'Say from when to when: --from TIME --to TIME.');
  const scrapes = nodes.flatMap(({ found }) => found.map(({ scrapeMs = usualScrapeMs }) => scrapeMs));
  const step = stepMs ?? suggestedStepMs(range, Math.min(...scrapes));
  const samples = expectedSamples(nodes, { ...range, stepMs: step }, Object.keys(queries).length);
  const problem = tooMuch(samples, step);
  if (problem !== undefined) throw new FullhouseError('too-much', problem);
  say(
    `${nodes.map((node) => node.name).join(', ')}: about ${samples} samples, one every ${writeDuration(step)}.`,
  );
  if (range.toMs > systemClock.wall())
    say('--to lies in the future: what has not been measured yet will be missing.');
  return {
    ...access,
    ...range,
    stepMs: step,
    nodes: nodes.map((node) => ({ name: node.name, role: node.role, targets: [...node.targets] })),
    ...(Object.keys(queries).length > 0 ? { queries } : {}),
    name,
  };
}

/** The nodes that were asked for; all where nobody said which. */
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
        `The Prometheus at ${found.address} has nothing of the ${label} "${unknown}" that a run can be made of; it has ${known.slice(0, 8).join(', ') || 'none'}.`,
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

function describe(found: PrometheusFound, nodes: readonly FoundNode[]): string {
  const iso = (timeMs: number): string => `${new Date(timeMs).toISOString().slice(0, 19)}Z`;
  const further =
    found.further > 0
      ? `\nand ${found.further} more that were not looked at; name them with --instance.`
      : '';
  const rows = nodes.map(({ name, found: of }) => {
    const series = of.flatMap((each) => Object.keys(each.series));
    const families = of.map(({ target }) => target.family).join(', ');
    const [fromMs, toMs] = [
      Math.min(...of.map(({ firstMs }) => firstMs)),
      Math.max(...of.map(({ lastMs }) => lastMs)),
    ];
    return `${name}  ${families}  ${iso(fromMs)} to ${iso(toMs)}\n    ${series.join(' ')}`;
  });
  return `Prometheus ${found.version ?? ''} at ${found.address}\n${rows.join('\n')}${further}`;
}

/** Says how far it is until it has ended; Ctrl-C ends it. */
async function follow(
  client: AnyEngineClient,
  begun: Promise<{ readonly id: string }>,
  out: string,
): Promise<number> {
  const early: ImportProgress[] = [];
  let take = (news: ImportProgress): void => void early.push(news);
  const off = client.on('prometheusImport', (news) => take(news));
  const { id } = await begun;
  const stop = (): void => void client.call('prometheus.cancel', { id });
  const endSignals = onStopSignal(stop);
  try {
    const end = await new Promise<ImportProgress>((resolve) => {
      take = (news) => {
        if (news.id !== id) return;
        if (news.state !== 'reading') return resolve(news);
        if (news.done) say(`${news.done} of ${news.pieces ?? 0} parts, ${news.samples ?? 0} samples so far`);
      };
      for (const news of early) take(news);
    });
    if (end.run === undefined) throw new FullhouseError(end.state, end.sentence ?? 'Nothing came of it.');
    if (end.sentence !== undefined) say(end.sentence);
    print(`${join(out, `${end.run}.fullhouse`)}\n`);
    return end.state === 'done' ? codes.whole : codes.inPart;
  } finally {
    off();
    endSignals();
  }
}

/** A user in the address is asked for by name; the password comes from the environment. */
function accessOf(text: string): CallInput<'prometheus.look'> {
  const url = new URL(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`);
  const user = decodeURIComponent(url.username);
  url.username = '';
  if (user !== '' && process.env['FULLHOUSE_PROMETHEUS_HTTP_PASSWORD'] === undefined)
    throw new FullhouseError(
      'no-password',
      'The Prometheus is to be asked by a user: put the password into FULLHOUSE_PROMETHEUS_HTTP_PASSWORD.',
    );
  return { prometheus: url.href.replace(/\/$/, ''), ...(user === '' ? {} : { user }) };
}
