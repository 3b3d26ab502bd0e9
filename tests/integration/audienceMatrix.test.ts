import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { agentRecord } from '../../src/contract/agentSample';
import type { RunView, Verdict } from '../../src/domain/model/run';
import type { Plan, Audience } from '../../src/domain/model/plan';
import { xmlText } from '../../src/domain/text/escape/markup';
import { compareRuns } from '../../src/domain/compare/comparison';
import { measureReader } from '../../src/engine/library/compare';
import { RecordInbox } from '../../src/engine/links/recordInbox';
import { writeCsv, writeHtml } from '../../src/engine/report';
import { junitXml } from '../../src/engine/report/junit';
import { markdownText } from '../../src/engine/report/markdown';
import { resultOf } from '../../src/engine/report/runResult';
import { openRunLibrary } from '../../src/engine/store';
import { hostWithOthers } from '../support/hostLoad';
import { startLab } from './servers/lab';
import { cleanUp, ended, engineInTemporaryFolder, later, noTokens, planOf, waitForRun } from './support';
import { audienceIn } from '../support/pullPlan';
import { verdictText } from '../../src/domain/run/verdictText';

/** What becomes of an audience. */
type Fate = 'holds' | 'ends early' | 'fails at once' | 'fails later' | 'loses its publisher';

const fates: readonly Fate[] = ['holds', 'ends early', 'fails at once', 'fails later', 'loses its publisher'];

interface Front {
  readonly base: string;
  /** Ends all sessions of viewers, or publications, whose stream has this name, as a server that was told to. */
  end(kind: 'whep' | 'whip', stream: string): Promise<void>;
}

/** A server of WHIP and WHEP that lists nothing, in front of the lab; it can end sessions. */
async function startFront(base: string): Promise<Front> {
  const sessions: string[] = [];
  const pass = (request: IncomingMessage, take: (answer: IncomingMessage) => void): void => {
    const { method, headers, url = '/' } = request;
    const onwards = httpRequest(new URL(url, base), { method, headers }, take);
    onwards.on('error', () => request.destroy());
    request.pipe(onwards);
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET' || request.method === 'HEAD') return void response.writeHead(405).end();
    pass(request, (answer) => {
      const { location } = answer.headers;
      if (request.method === 'POST' && location !== undefined) sessions.push(location);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    end: async (kind, stream) => {
      const ended = sessions.filter((location) => location.includes(`/${kind}/${stream}/`));
      if (ended.length === 0) throw new Error(`No session of ${kind}/${stream} among ${sessions.join(' ')}.`);
      for (const location of ended) await fetch(new URL(location, base), { method: 'DELETE' });
    },
  };
}

/** The truth of a run: what the agents sent of each job, by the number of its viewers, which no two audiences share. */
interface Seen {
  connectedPeak: number;
  failed: number;
}

const raw = { jobs: new Map<number, Seen>(), together: 0 };

/** Whether each of the viewers of the audience with so many has connected or failed. */
function haveArrived(viewers: number): boolean {
  const { connectedPeak, failed } = raw.jobs.get(viewers) ?? { connectedPeak: 0, failed: 0 };
  return connectedPeak + failed >= viewers;
}

function watchAgents(): void {
  const { take } = RecordInbox.prototype;
  vi.spyOn(RecordInbox.prototype, 'take').mockImplementation(function (this: RecordInbox, message, text) {
    const record = agentRecord.safeParse(message);
    const jobs = record.success && record.data.kind === 'sample' ? (record.data.sample.jobs ?? []) : [];
    for (const { requested, connected, failed } of jobs) {
      const seen = raw.jobs.get(requested) ?? { connectedPeak: 0, failed: 0 };
      raw.jobs.set(requested, {
        connectedPeak: Math.max(seen.connectedPeak, connected),
        failed: Math.max(seen.failed, failed),
      });
    }
    raw.together = Math.max(raw.together, jobs.reduce((sum, { connected }) => sum + connected, 0)); // prettier-ignore
    take.call(this, message, text);
  });
}

let front: Front;
beforeAll(async () => {
  front = await startFront((await startLab()).base);
  watchAgents();
});
afterAll(async () => {
  vi.restoreAllMocks();
  await cleanUp();
});

interface Case {
  readonly fates: readonly Fate[];
  /** Of the first audience: the command of its tokens fails, which no check before the start can know. */
  readonly cannotStart?: boolean;
  /** CPU of the machine that other programs use. */
  readonly otherPercent?: number;
}

const streamOf: Readonly<Record<Fate, string>> = {
  holds: 'cam',
  'ends early': 'cam',
  'fails at once': 'missing',
  'fails later': 'fragile',
  'loses its publisher': 'own',
};

/** Audiences of 2, 3, 4, ... viewers. */
const viewersOf = (place: number): number => place + 2;

function planFor({ fates, cannotStart = false }: Case): Plan {
  const pulls = fates.map((fate, place): Audience => ({
    ...audienceIn(planOf()),
    // All audiences have arrived after 2 s: 135 handshakes at once would time out on a busy machine.
    ...{ stream: streamOf[fate], viewers: viewersOf(place), ratePerSecond: viewersOf(place) / 2 },
    label: `${fate} ${place + 1}`,
    holdMs: fate === 'ends early' ? 1500 : 5000,
    ...(cannotStart && place === 0 ? { tokens: noTokens } : {}),
  }));
  const [pull = planOf().pull, ...also] = pulls;
  const streams = [...new Set(pulls.map(({ stream }) => stream))].filter((stream) => stream !== 'missing');
  const external = pulls.some(({ stream }) => stream === 'missing') ? ['missing'] : [];
  return {
    ...planOf(),
    name: fates.join(', ').slice(0, 60),
    nodes: {
      origin: { server: 'generic', whep: `${front.base}/whep/{stream}`, whip: `${front.base}/whip/{stream}` },
      audience: { tester: 'local' },
    },
    publish: [
      ...streams.map((stream) => ({ stream, node: 'origin', source: 'sample-240p' as const })),
      ...external.map((stream) => ({ stream, node: 'origin', source: 'external' as const })),
    ],
    pull,
    ...(also.length > 0 ? { also } : {}),
  };
}

/** Runs a case; returns its view and all of its outputs. */
async function run(what: Case) {
  raw.jobs.clear();
  raw.together = 0;
  const engine = engineInTemporaryFolder({ readHost: hostWithOthers(what.otherPercent ?? 0) });
  const plan = planFor(what);
  const isOver = ended(engine);
  const { run: id } = await engine.client.call('runs.start', { plan, allowHooks: true });
  const requested = what.fates.reduce((sum, _, place) => sum + viewersOf(place), 0);
  const connecting = what.fates.reduce(
    (sum, fate, place) => sum + (fate === 'fails at once' ? 0 : viewersOf(place)),
    0,
  );
  if (!what.cannotStart && connecting > 0) {
    // On a busy machine some may time out instead.
    await waitForRun(engine, () => what.fates.every((_, place) => haveArrived(viewersOf(place))));
    if (what.fates.includes('fails later')) await front.end('whep', 'fragile');
    if (what.fates.includes('loses its publisher')) await front.end('whip', 'own');
  }
  const view = await isOver;
  const prometheus = engine.metricFamilies({ ended: true });
  const [row] = await engine.client.call('runs.list', {});
  await engine.shutdown();
  const library = openRunLibrary(engine.folder);
  const reader = library.open(id);
  const [html, csv] = [join(engine.folder, 'r.html'), join(engine.folder, 'r.csv')];
  writeHtml(reader, html);
  await writeCsv(reader, csv);
  const outputs = {
    ...{ view, row, prometheus, requested },
    ...{ markdown: markdownText(reader), junit: junitXml(reader), result: resultOf(reader, '', null) },
    ...{ measure: measureReader(reader), html: readFileSync(html, 'utf8'), csv: readFileSync(csv, 'utf8') },
  };
  reader.close();
  return outputs;
}

/** Verdicts that are right; a tester that a busy machine limits, which a test can't prevent, may leave no proof of a failure. */
function rightVerdicts(
  { fates, cannotStart }: Case,
  { otherLoad, testerLimits, failures }: RunView,
): readonly Verdict['verdict'][] {
  if (cannotStart) return ['not-started'];
  // An answer that took too long on a busy machine is no refusal.
  if (failures.some(({ cause }) => cause === 'http-404')) return ['fail'];
  const excused = (otherLoad?.length ?? 0) > 0 || (testerLimits?.length ?? 0) > 0 ? (['inconclusive'] as const) : [];
  if (fates.includes('fails at once') || fates.includes('fails later')) return ['fail', ...excused];
  if (fates.includes('loses its publisher')) return ['inconclusive'];
  return ['pass'];
}

const grouped = (value: number): string => value.toLocaleString('en-US');

/** One truth in every output. */
async function expectOneTruth(what: Case): Promise<RunView> {
  const { view, row, prometheus, requested, markdown, junit, result, measure, html, csv } = await run(what);
  const { verdict, figures } = view;
  const labels = what.fates.map((fate, place) => ({ fate, viewers: viewersOf(place), label: `${fate} ${place + 1}` }));
  const truth = labels.map(({ viewers, ...rest }) => ({
    ...{ viewers, ...rest },
    ...(raw.jobs.get(viewers) ?? { connectedPeak: 0, failed: 0 }),
  }));
  const failed = truth.reduce((sum, each) => sum + each.failed, 0);
  expect(rightVerdicts(what, view), verdict?.sentence).toContain(verdict?.verdict);

  // Totals.
  expect(figures).toMatchObject({ requested, connectedPeak: raw.together, failed });
  expect(row).toMatchObject({ verdict: verdict?.verdict, requested, connectedPeak: raw.together });
  expect(Math.max(0, ...(row?.viewersTrace ?? []))).toBe(raw.together);
  expect(result.viewers).toMatchObject({ requested, connectedPeak: raw.together, failed });
  expect(markdown).toContain(`${grouped(raw.together)} of ${grouped(requested)}`);
  expect(html).toContain(`${grouped(raw.together)} <small>/ ${grouped(requested)}`);
  expect(junit).toContain(`name="viewers.requested" value="${requested}"`);
  expect(junit).toContain(`name="viewers.connectedPeak" value="${raw.together}"`);
  expect(junit).toContain(`name="viewers.failed" value="${failed}"`);
  expect(measure.connected).toBe(raw.together);
  expect(view.failures.reduce((sum, { count }) => sum + count, 0)).toBe(failed);

  // Verdict and reasons.
  expect(result.verdict).toBe(verdict?.verdict);
  if (what.cannotStart) expect(result.ended?.kind).toBe('not-started');
  // Programs find the same names in both.
  for (const { name } of result.expectations) expect(junit).toContain(`name="${xmlText(name)}"`);
  expect(junit).toContain(`<property name="verdict" value="${verdict?.verdict}"/>`);
  expect(markdown).toContain(`: ${verdictText(verdict?.verdict).toUpperCase()}\n`);
  const candidate = (id: string) => ({ id, name: id, isBaseline: false, repeatKey: id, others: [], measure });
  expect(compareRuns([candidate('a'), candidate('b')]).runs[0]?.verdict).toBe(verdict?.verdict);

  // Each audience.
  for (const [place, { label, viewers, connectedPeak, failed }] of what.fates.length > 1 ? truth.entries() : []) {
    expect(result.audiences, label).toContainEqual(
      expect.objectContaining({ name: label, requested: viewers, connectedPeak, failed }),
    );
    expect(markdown).toMatch(new RegExp(`\\| ${label} \\|.*\\| ${connectedPeak} of ${viewers} \\| ${failed} \\|`));
    expect(html).toMatch(new RegExp(`${label}</td>.*?${connectedPeak} of ${viewers}</td>`, 's'));
    // A run that was not started has its reason only.
    if (what.cannotStart) continue;
    const peak = `${label}: ${connectedPeak} of ${viewers} viewers connected, ${failed === 0 ? 'none' : failed} failed`;
    expect(verdict?.audiences, label).toContainEqual(expect.stringContaining(peak));
    expect(junit).toContain(peak);
    const values = csv.split('\r\n').map((line) => line.split(','));
    const ofAudience = (series: string): readonly number[] =>
      values.filter(([, node, each]) => node === `audience:${place + 1}` && each === series).map(([, , , , value]) => Number(value)); // prettier-ignore
    expect(Math.max(...ofAudience('viewersConnected')), `CSV of ${label}`).toBe(connectedPeak);
    expect(Math.max(...ofAudience('viewersFailed')), `CSV of ${label}`).toBe(failed);
  }
  const counted = prometheus.find(({ name }) => name === 'fullhouse_viewers_failed');
  if (!what.cannotStart && counted)
    expect(counted.values.reduce((sum, each) => sum + ('value' in each ? each.value : 0), 0)).toBe(failed);
  return view;
}

it.each(['fails at once', 'fails later', 'loses its publisher'] as const)('one audience that %s', async (fate) => {
  await expectOneTruth({ fates: [fate] });
});

it.each([5, 15])('%i audiences of different fates', async (count) => {
  await expectOneTruth({ fates: Array.from({ length: count }, (_, place) => fates[place % fates.length] ?? 'holds') });
});

it('three audiences beside other programs that use all of the CPU: what the server refused is its own', async () => {
  const { otherLoad } = await expectOneTruth({ fates: ['holds', 'fails at once', 'ends early'], otherPercent: 90 });
  expect(otherLoad?.length).toBeGreaterThan(0);
});

it('four audiences of which the first can not start: nothing starts, and all are counted', async () => {
  await expectOneTruth({ fates: ['holds', 'holds', 'holds', 'holds'], cannotStart: true });
});
