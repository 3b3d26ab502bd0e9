import { setAgentIdle } from './links/aloneFor';
import type { NodeView } from '../domain/node';
import { keepNothing } from '../domain/redaction';
import type { JobView } from '../domain/run';
import { secretsWarning } from '../domain/plan/planSecrets';
import { audiencesOf } from '../domain/shares';
import { FullhouseError, type Handlers } from '../contract/calls';
import type { AnyCalls } from '../contract/engine';
import type { FleetNode } from './fleet/node';
import type { Fleet } from './fleet/fleet';
import type { Publications } from './fleet/publications';
import type { CapacityTests } from './fleet/capacityTests';
import type { Probes } from './fleet/probe/probes';
import type { SecretBox } from './fleet/secretBox';
import { makeEstimateHandlers } from './estimate/handlers';
import { makeLibraryHandlers } from './library/handlers';
import { makeNodeHandlers } from './nodeHandlers';
import { makePreflightHandlers } from './preflight/handlers';
import type { Preflights } from './preflight/preflights';
import { makeShareHandlers } from './share/handlers';
import type { MetricsServer } from './share/metrics/metricsServer';
import type { Imports } from './share/prometheus/imports';
import type { Conductor } from './runs/conductor';
import type { HookGrants } from './runs/hookGrants';
import { makePlanHandlers } from './presets';
import type { HostLoadWatch } from './fleet/hostLoadWatch';
import { loadChecks } from './runs/loadCheck';
import { checkPlan } from './runs/planCheck';
import { planFacts } from './runs/planFacts';
import type { Schedules } from './schedule/schedules';
import type { SavedRuns } from './savedRuns/savedRuns';
import type { RunLibrary } from './store';

export interface HandlerParts {
  readonly fleet: Fleet;
  readonly publications: Publications;
  readonly conductor: Conductor;
  /** Runs that are being written. */
  readonly library: RunLibrary;
  readonly saved: SavedRuns;
  readonly version: string;
  readonly nodes: () => NodeView[];
  readonly jobs: () => JobView[];
  /** Measures in the background what this machine can do, unless that is known. */
  readonly testThisMachine: () => void;
  readonly openFiles: () => Promise<number | undefined>;
  readonly ports: () => Promise<number | undefined>;
  readonly runsChanged: () => void;
  readonly probes: Probes;
  readonly capacity: CapacityTests;
  /** What other programs take of the hosts. */
  readonly hostLoads: HostLoadWatch;
  readonly preflights: Preflights;
  readonly secrets: SecretBox;
  readonly imports: Imports;
  readonly metrics: MetricsServer;
  readonly nodesChanged: () => void;
  readonly presetsFolder: string;
  readonly schedules: Schedules;
  readonly hookGrants: HookGrants;
  readonly shutdown: () => Promise<void>;
}

const done = { done: true } as const;

/** What the engine does for each call of the contract. */
export function makeHandlers(parts: HandlerParts): Handlers<keyof AnyCalls> {
  const { fleet, publications, conductor, library, saved } = parts;

  /** A node by its name in the run under way, or by its id. */
  const nodeOf = (name: string): FleetNode => conductor.underWay?.boundNodes.get(name) ?? fleet.node(name);
  const changed = async <T>(value: T | Promise<T>): Promise<T> => {
    const done = await value;
    parts.runsChanged();
    return done;
  };

  return {
    ...makeNodeHandlers({ ...parts, nodeOf, changed: parts.nodesChanged }),
    ...makePlanHandlers(parts.presetsFolder),
    ...makePreflightHandlers(parts),
    ...makeEstimateHandlers(parts),
    ...makeLibraryHandlers(parts),
    ...makeShareHandlers(parts),

    'engine.state': () => ({
      version: parts.version,
      runsFolder: library.folder,
      nodes: parts.nodes(),
      jobs: parts.jobs(),
      run: conductor.view(),
      events: [...conductor.log().events],
      stills: [...conductor.log().stills],
    }),

    'lab.start': async () => {
      const lab = fleet.node('lab');
      await lab.start();
      return lab.view();
    },
    'lab.stop': async () => {
      const lab = fleet.node('lab');
      if ((conductor.underWay?.namesOf(lab).length ?? 0) > 0)
        throw new FullhouseError('in-use', 'The lab is the origin of the run under way; stop the run first.');
      await lab.stop();
      return done;
    },

    'lab.conditions': ({ stream, ...conditions }) => fleet.lab.conditions(stream, conditions),

    'publish.start': async ({ node, stream, source, by }) => {
      const origin = nodeOf(node);
      await origin.start();
      const publisher = origin.server.makesSamples ? undefined : nodeOf(by ?? 'local');
      await publisher?.start();
      return { job: await publications.publishSample(origin, stream, source, publisher) };
    },
    'publish.stop': async ({ job }) => {
      await publications.stop(job);
      return done;
    },
    'signal.whep': ({ node, stream, offerSdp }) => publications.signalWhep(nodeOf(node), stream, offerSdp),
    'signal.whip': async ({ node, stream, source, offerSdp }) => {
      const origin = nodeOf(node);
      await origin.start();
      return publications.signalWhip(origin, stream, source, offerSdp);
    },
    'signal.end': async ({ session }) => {
      await publications.endSession(session);
      return done;
    },

    'plan.check': async ({ plan }) => {
      const isHere = Object.values(plan.nodes).some((each) => 'tester' in each && each.tester === 'local');
      if (isHere && !conductor.underWay) parts.testThisMachine();
      const find = (name: string): FleetNode | undefined =>
        conductor.underWay?.boundNodes.get(name) ?? fleet.find(name);
      const facts = await planFacts(plan, {
        find,
        measured: (id) => parts.nodes().find((node) => node.id === id),
        openFiles: parts.openFiles,
        ports: parts.ports,
        capacityMbps: (id) => parts.capacity.of(id)?.mbps,
      });
      const { problems, checks, expectedMbps, expectedPacketsPerSecond } = checkPlan(plan, facts);
      const warning = secretsWarning(plan);
      const names = [...new Set(audiencesOf(plan).flatMap(({ from, by }) => [from, ...by]))];
      const told = [
        ...checks,
        ...loadChecks(
          parts.hostLoads,
          names.flatMap((name) => find(name)?.view() ?? []),
          plan.expect.cpu?.value,
        ),
        ...(warning === undefined ? [] : [{ good: false, sentence: warning }]),
      ];
      return { problems: [...problems], checks: [...told], expectedMbps, expectedPacketsPerSecond };
    },

    'runs.start': ({ plan, allowHooks }) => ({ run: conductor.start(plan, { allowHooks }) }),
    'hooks.grant': ({ plan }) => {
      parts.hookGrants.grant(plan);
      return done;
    },
    'schedules.list': () => [...parts.schedules.list()],
    'schedules.add': ({ plan, allowHooks = false }) => parts.schedules.add(plan, allowHooks),
    'schedules.remove': ({ schedule }) => {
      parts.schedules.remove(schedule);
      return done;
    },
    'runs.stopJob': async ({ job, force }) => {
      const left = await conductor.stopJob(job, force);
      if (left !== undefined) return { left };
      await publications.stop(job);
      return { left: 0 };
    },
    'runs.stopAll': async ({ force }) => {
      const left = await conductor.stopAll(force);
      // Last, so that nobody in the audience loses the stream before having left.
      await conductor.idle();
      await publications.stopAll();
      return { left };
    },
    'runs.note': ({ run, text, timeMs, author }) => {
      if (conductor.underWay?.id === run) return conductor.note(run, text, timeMs);
      if (timeMs === undefined)
        throw new FullhouseError('bad-note', 'Say which moment of the run the note is of.');
      return saved.call('writeNote', { run, text, timeMs, author });
    },
    'runs.keepStill': ({ run, cause, mime, data }) => conductor.keepStill(run, { cause, mime, data }),
    'runs.stillData': (input) => saved.call('still', input),
    'player.figures': ({ node, values, freezeMs }) => {
      conductor.player(node, values, freezeMs);
      return done;
    },
    'runs.viewers': async (page) => {
      const { run, offset, limit, state } = page;
      const live = await conductor.viewers(run);
      if (!live) return saved.call('viewers', page);
      const wanted = state ? live.filter((viewer) => viewer.state === state) : live;
      return { total: wanted.length, viewers: wanted.slice(offset, offset + limit) };
    },
    'runs.viewer': ({ run, job, viewer }) => conductor.viewer(run, job, viewer),

    'runs.list': async () =>
      (await saved.call('list', {})).map((row) =>
        library.isWritten(row.id) ? library.summary(row.id) : row,
      ),
    'runs.open': async ({ run }) => {
      const opened = await saved.call('open', { run });
      return { ...opened, run: { ...opened.run, readOnly: conductor.underWay?.id !== run } };
    },
    'runs.samples': (range) => saved.call('samples', range),
    'runs.overview': (range) => saved.call('overview', range),
    'runs.series': async (input) => ({ series: await saved.call('series', input) }),
    'runs.setLayout': ({ run, layout }) => {
      conductor.setLayout(run, layout);
      return done;
    },
    'runs.rename': async ({ run, name }) => {
      const summary = library.isWritten(run)
        ? library.rename(run, name)
        : await saved.call('rename', { run, name });
      conductor.renamed(run, name);
      return changed(summary);
    },
    'runs.delete': async ({ run }) => {
      if (library.isWritten(run)) library.delete(run);
      await saved.call('delete', { run });
      conductor.forget(run);
      return changed(done);
    },
    'runs.undelete': (input) => changed(saved.call('undelete', input)),

    'runs.import': (input) => changed(saved.call('import', input)),
    'runs.export': ({ run, kind, path, isRedacted }) =>
      saved.call('export', { run, kind, path, choice: isRedacted ? keepNothing : undefined }),
    'agents.setIdle': ({ seconds }) => {
      setAgentIdle(seconds);
      return done;
    },
    'engine.shutdown': async () => {
      await parts.shutdown();
      return done;
    },
  };
}
