import { FullhouseError, serveEngine, type Handlers } from '../../src/contract/calls';
import { engineCalls, type EngineCallName } from '../../src/contract/engine';
import type { Wire } from '../../src/contract/wire';
import type { RunEvent, RunSummary, RunView } from '../../src/domain/model/run';
import type { SampleBatch } from '../../src/domain/series/series';
import type { Incident } from '../../src/domain/incidents/incident';
import type { NodeView } from '../../src/domain/model/node';
import type { Plan } from '../../src/domain/model/plan';
import { figuresOf, type SeriesSummary } from '../../src/domain/charts/seriesTable';
import { fakeDistribution } from './fakeDistribution';
import { savedRuns } from './savedRuns';
import { checkPlan, publishersAfter, viewerDetailOf, viewerRows } from './fakeAnswers';
import { estimateOfScenario } from './fakeEstimate';
import { delayHandlers, type FakeDelay } from './fakeDelays';
import { fleetHandlers } from './fakeFleet';
import { planHandlers } from './fakePlans';
import { preflightHandlers } from './fakePreflight';
import { prometheusHandlers } from './fakePrometheus';
import { clockPageHandlers } from './fakeClockPage';
import { incidentHandlers } from './fakeIncidents';
import { kubernetesAnswers } from './fakeKubernetes';
import { libraryHandlers } from './fakeLibrary';
import { noteEvent, snapshotHandlers } from './fakeShare';
import { FakeMedia } from './fakeMedia';
import { idleNodes, jobsOf, publishersOfJob, runOf } from './fakeRun';
import type { Scenario } from '../scenario';

/** Scenario of the fake engine: none, an active run at its last second, or one that was just opened. */
const noOverview = {
  ...{ stepMs: 0, keys: [], ends: [], timeMs: new Float64Array(), value: new Float32Array() },
  ...{ breaks: [], firstMs: [], lastMs: [], nextMs: null },
};

export interface FakeEngineOptions {
  readonly scenario?: Scenario;
  /** The scenario is a fleet without a run: all of its samples are sent, and one batch a second continues it. */
  readonly isWatched?: boolean;
  /** Nodes without a run: started or not. */
  readonly idle?: 'first' | 'watching';
  /** The player waits for its answer, or plays the test pattern. Absent: it fails. */
  readonly player?: 'connecting' | 'playing';
  readonly incidents?: readonly Incident[];
  /** A delay test. */
  readonly delay?: FakeDelay;
  readonly kept?: readonly RunSummary[];
  /** Saved runs were recorded elsewhere, with this plan. */
  readonly foreignPlan?: Plan;
  /** A start with the addresses of new nodes that the user allowed. */
  readonly onStart?: (allowNodes: readonly string[]) => void;
  readonly stills?: readonly {
    readonly cause: string;
    readonly sinceStartMs: number;
    readonly data: Uint8Array;
  }[];
}

/** The time range of the list of nodes, with a margin. */
const recentMs = 100_000;

/** An engine for the window only: implements the complete contract with constant fake data. */
export function serveFakeEngine(
  wire: Wire,
  options: FakeEngineOptions,
): { push: ReturnType<typeof serveEngine>['push'] } {
  const { scenario } = options;
  let kept = [...(options.kept ?? savedRuns)];
  const deleted = new Map<string, RunSummary>();
  const media = new FakeMedia();
  let run: RunView | null = scenario && !scenario.ended ? runOf(scenario) : null;
  const events: RunEvent[] = [...(scenario?.events ?? [])];
  let nodes: readonly NodeView[] =
    scenario && (!scenario.ended || scenario.fleet)
      ? (scenario.fleet ?? scenario.nodes)
      : idleNodes(options.idle ?? 'watching');
  const stills = (options.stills ?? []).map((still, index) => ({
    id: index + 1,
    timeMs: (scenario?.startedMs ?? 0) + still.sinceStartMs,
    cause: still.cause,
    mime: 'image/png' as const,
    bytes: still.data.length,
  }));

  const find = (id: string): RunSummary => {
    const found = kept.find((summary) => summary.id === id);
    if (!found) throw new FullhouseError('no-run', `Run "${id}" does not exist.`);
    return found;
  };
  const done = { done: true } as const;

  /** The list of nodes uses live samples only; a static scenario sends its last minutes once. */
  const sendRecent = (): void => {
    if (scenario && options.isWatched) {
      let sentMs = 0;
      const send = (): void => {
        const untilMs = Date.now() - scenario.startedMs;
        if (untilMs > sentMs) server.push('samples', scenario.samples(sentMs, untilMs));
        nodes = nodes.map((node) => (node.state === 'live' ? { ...node, lastSampleMs: Date.now() } : node));
        server.push('nodes', [...nodes]);
        sentMs = Math.max(sentMs, Math.ceil(untilMs / 1000) * 1000);
      };
      send();
      setInterval(send, 1000);
      return;
    }
    if (scenario?.fleet) server.push('samples', scenario.samples(scenario.lengthMs - recentMs, scenario.lengthMs));
  };

  const samplesIn = (fromMs: number, toMs: number): { batch: SampleBatch; nextMs: null } => ({
    batch: scenario
      ? scenario.samples(fromMs - scenario.startedMs, Math.min(scenario.lengthMs, toMs - scenario.startedMs + 1))
      : { keys: [], key: [], timeMs: [], value: [] },
    nextMs: null,
  });

  const handlers: Handlers<EngineCallName> = {
    ...fleetHandlers({
      nodes: () => nodes,
      change: (next) => {
        nodes = next;
        server.push('nodes', [...nodes]);
      },
      push: (name, payload) => server.push(name, payload),
    }),
    'secrets.name': () => done,
    ...libraryHandlers({
      find,
      all: () => kept,
      put: (...rows) => {
        kept = kept.map((summary) => rows.find(({ id }) => id === summary.id) ?? summary);
      },
    }),
    ...planHandlers(
      () => nodes,
      (name, payload) => server.push(name, payload),
    ),
    ...snapshotHandlers(events),
    ...clockPageHandlers(),
    ...prometheusHandlers(({ name, payload }) => server.push(name, payload)),
    ...delayHandlers({
      nodes: () => nodes,
      push: (name, payload) => server.push(name, payload),
      nowMs: scenario ? scenario.startedMs + scenario.lengthMs : Date.now(),
      delay: options.delay,
    }),
    ...preflightHandlers((name, look) => server.push(name, look)),
    'engine.state': () => {
      setTimeout(sendRecent, 0);
      return {
        version: '0.1.0',
        runsFolder: '/runs',
        nodes: [...nodes],
        jobs: run ? [...jobsOf(run)] : [],
        run,
        events: run ? events : [],
        stills: run ? stills : [],
      };
    },
    ...kubernetesAnswers,
    ...incidentHandlers(options.incidents ?? []),
    'browserViewers.offer': () => done,
    'browserViewers.report': () => done,
    'lab.start': () => nodes[0] as NodeView,
    'lab.stop': () => done,
    'lab.conditions': () => ({}),
    'publish.start': () => ({ job: 'publish-1', warnings: [] }),
    'publish.publishers': ({ offset, limit }) => ({
      total: publishersOfJob,
      publishers: publishersAfter(publishersOfJob, performance.now() / 1000).slice(offset, offset + limit),
    }),
    'publish.stop': () => done,
    'signal.whep': (input) => {
      if (options.player === 'playing') return media.answer(input);
      throw new FullhouseError('no-media', 'The fake engine has no media.');
    },
    ...(options.player === 'connecting' && { 'player.address': () => new Promise<never>(() => undefined) }),
    ...(options.player === 'playing' && {
      'player.address': () => ({ protocol: 'whep', url: 'http://127.0.0.1/', available: ['whep'] }) as const,
    }),
    'publish.relay': () => {
      throw new FullhouseError('no-media', 'The fake engine has no media.');
    },
    'publish.relayData': () => ({}),
    'publish.room': () => {
      throw new FullhouseError('no-media', 'The fake engine has no media.');
    },
    'publish.figures': () => done,
    'signal.whip': () => {
      throw new FullhouseError('no-media', 'The fake engine has no media.');
    },
    'signal.end': ({ session }) => {
      media.end(session);
      return done;
    },
    'plan.check': ({ plan }) => checkPlan(plan),
    'runs.start': ({ allowNodes = [] }) => {
      options.onStart?.(allowNodes);
      throw new FullhouseError('busy', 'The fake engine starts nothing.');
    },
    'runs.stopJob': () => ({ present: 0 }),
    'runs.stopAll': () => {
      if (run) run = { ...run, state: 'stopping', figures: { ...run.figures, present: 412 } };
      server.push('run', run);
      return { present: 412 };
    },
    'runs.series': () => ({ series: scenario ? summariesOf(scenario) : [] }),
    'runs.setLayout': ({ layout }) => {
      if (run) run = { ...run, layout };
      return done;
    },
    'runs.note': ({ text, timeMs, author }) => {
      const event = noteEvent({
        id: events.length + 100,
        text,
        timeMs: timeMs ?? 0,
        author,
        isKept: run === null,
      });
      events.push(event);
      if (run) server.push('event', event);
      return event;
    },
    'runs.saveStill': () => {
      throw new FullhouseError('no-run', 'The fake engine saves nothing.');
    },
    'runs.stillData': ({ id }) => ({
      mime: 'image/png',
      data: options.stills?.[id - 1]?.data ?? new Uint8Array(),
    }),
    'runs.viewers': ({ offset, limit, state }) => {
      const rows = viewerRows((run ?? (scenario && runOf(scenario)))?.figures, run === null).filter(
        (row) => !state || row.state === state,
      );
      return { total: rows.length, viewers: rows.slice(offset, offset + limit) };
    },
    'runs.viewer': ({ viewer }) => viewerDetailOf(viewerRows(run?.figures)[viewer - 1]),
    'runs.list': () => kept,
    'runs.open': ({ run: id }) => {
      if (!scenario?.ended) throw new FullhouseError('damaged', `"${find(id).name}" cannot be read here.`);
      const { foreignPlan } = options;
      const saved = runOf(scenario);
      return { run: foreignPlan ? { ...saved, plan: foreignPlan } : saved, events, stills, isForeign: !!foreignPlan };
    },
    // Fake runs are short, and read sample by sample.
    'runs.distribution': ({ distribution, fromMs, toMs, columns }) =>
      fakeDistribution(distribution, fromMs, toMs, columns),
    'runs.overview': () => noOverview,
    'watch.state': () => ({
      ...{ fromMs: options.isWatched ? (scenario?.startedMs ?? null) : null, toMs: null },
      ...{ bytes: 0, problem: null },
    }),
    'watch.nodes': () => [],
    'watch.overview': () => noOverview,
    'watch.samples': ({ fromMs, toMs }) => samplesIn(fromMs, toMs),
    'watch.save': () => ({ run: find(kept[0]?.id ?? '').id }),
    'runs.samples': ({ fromMs, toMs }) => samplesIn(fromMs, toMs),
    'estimate.of': () => {
      if (!scenario) throw new FullhouseError('no-run', 'There is no such run here.');
      return estimateOfScenario(scenario);
    },
    'runs.rename': ({ run: id, name }) => {
      const renamed = { ...find(id), name };
      kept = kept.map((summary) => (summary.id === id ? renamed : summary));
      return renamed;
    },
    'runs.delete': ({ run: id }) => {
      deleted.set(id, find(id));
      kept = kept.filter((summary) => summary.id !== id);
      server.push('runsChanged', {});
      return done;
    },
    'runs.undelete': ({ run: id }) => {
      const back = deleted.get(id);
      if (!back) throw new FullhouseError('no-run', `There is no deleted run "${id}".`);
      kept = [...kept, back];
      server.push('runsChanged', {});
      return back;
    },
  };
  const server = serveEngine(wire, engineCalls, handlers);
  return server;
}

/** Figures of all samples of a scenario, as the engine would read them from its file. */
function summariesOf(scenario: Scenario): SeriesSummary[] {
  const { keys, key, timeMs, value } = scenario.samples(0, scenario.lengthMs);
  return keys.flatMap(({ node, series }, place) => {
    const at = [...key.keys()].filter((row) => key[row] === place);
    const values = Float64Array.from(at, (row) => value[row] ?? 0);
    const figures = figuresOf(values);
    const timeOf = (index: number): number => timeMs[at[index] ?? 0] ?? 0;
    return figures
      ? [
          {
            ...{ node, series, ...figures },
            firstMs: timeOf(0),
            lastMs: timeOf(values.length - 1),
            maxMs: timeOf(values.indexOf(figures.max)),
          },
        ]
      : [];
  });
}
