import type { NodeView } from '../domain/node';
import { keepNothing } from '../domain/redaction';
import type { JobView } from '../domain/run';
import { burdens } from '../domain/shares';
import { FullhouseError, type Handlers } from '../contract/calls';
import type { AnyCalls } from '../contract/engine';
import { listsStreams, thisMachine, type FleetNode } from './fleet/node';
import type { Fleet } from './fleet/fleet';
import type { Publications } from './fleet/publications';
import type { CapacityTests } from './fleet/capacityTests';
import type { Probes } from './fleet/probe/probes';
import type { SecretBox } from './fleet/secretBox';
import { exportRun } from './exportRun';
import { makeEstimateHandlers } from './estimate/handlers';
import { makeLibraryHandlers } from './library/handlers';
import { makeNodeHandlers } from './nodeHandlers';
import { makePreflightHandlers } from './preflight/handlers';
import type { Preflights } from './preflight/preflights';
import type { Annotator } from './share/annotate';
import { makeShareHandlers } from './share/handlers';
import type { MetricsServer } from './share/metrics/metricsServer';
import type { Imports } from './share/prometheus/imports';
import type { Conductor } from './runs/conductor';
import { makePlanHandlers } from './presets';
import { checkPlan } from './runs/planCheck';
import type { Schedules } from './schedule/schedules';
import { overviewBatch } from './overviewBatch';
import { readKept, type RunLibrary, type RunReader } from './store';

export interface HandlerParts {
  readonly fleet: Fleet;
  readonly publications: Publications;
  readonly conductor: Conductor;
  readonly library: RunLibrary;
  readonly version: string;
  readonly nodes: () => NodeView[];
  readonly jobs: () => JobView[];
  readonly openFiles: () => Promise<number | undefined>;
  readonly ports: () => Promise<number | undefined>;
  readonly runsChanged: () => void;
  readonly annotator: Annotator;
  readonly probes: Probes;
  readonly capacity: CapacityTests;
  readonly preflights: Preflights;
  readonly secrets: SecretBox;
  readonly imports: Imports;
  readonly metrics: MetricsServer;
  readonly nodesChanged: () => void;
  readonly presetsFolder: string;
  readonly schedules: Schedules;
  readonly shutdown: () => Promise<void>;
}

const done = { done: true } as const;
const mostSamples = 200_000;

/** What the engine does for each call of the contract. */
export function makeHandlers(parts: HandlerParts): Handlers<keyof AnyCalls> {
  const { fleet, publications, conductor, library, annotator } = parts;

  /** A node by its name in the run under way, or by its id. */
  const nodeOf = (name: string): FleetNode => conductor.underWay?.boundNodes.get(name) ?? fleet.node(name);
  const reading = <T>(run: string, read: (reader: RunReader) => T): T => readKept(library, run, read);
  const changed = <T>(value: T): T => {
    parts.runsChanged();
    return value;
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
      const found = (name: string): FleetNode | undefined =>
        conductor.underWay?.boundNodes.get(name) ?? fleet.find(name);
      const testers = [...burdens(plan).keys()];
      const each = <T>(read: (view: NodeView, node: FleetNode) => T | undefined): Map<string, T> =>
        new Map(
          testers.flatMap((name): Array<[string, T]> => {
            const node = found(name);
            const value = node && read(node.view(), node);
            return value === undefined ? [] : [[name, value]];
          }),
        );
      const here = await parts.openFiles();
      const origin = found(plan.pull.from);
      const isLocal = (name: string): boolean => (found(name)?.host ?? thisMachine) === thisMachine;
      const openFiles = each((view, node) =>
        node.host === thisMachine ? here : view.machine?.openFilesLimit,
      );
      // A tester of the plan that nobody has added yet runs here, if it says so.
      for (const name of testers) if (here !== undefined && isLocal(name)) openFiles.set(name, here);
      const { problems, checks, expectedMbps, expectedPacketsPerSecond } = checkPlan(plan, {
        stream: origin?.streams.find((stream) => stream.stream === plan.pull.stream),
        names: new Map(testers.map((name) => [name, found(name)?.view().name ?? name])),
        viewerLimits: each((view) => view.viewerLimit),
        openFiles,
        ports: testers.some(isLocal) ? await parts.ports() : undefined,
        isSilent: origin?.running === true && !listsStreams(origin),
        capacityMbps: origin && parts.capacity.of(origin.id)?.mbps,
      });
      return { problems: [...problems], checks: [...checks], expectedMbps, expectedPacketsPerSecond };
    },

    'runs.start': ({ plan, allowHooks }) => ({ run: conductor.start(plan, { allowHooks }) }),
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
      return annotator.write(run, { text, timeMs, author });
    },
    'runs.keepStill': ({ run, cause, mime, data }) => conductor.keepStill(run, { cause, mime, data }),
    'runs.stillData': ({ run, id }) => reading(run, (reader) => reader.stillData(id)),
    'player.figures': ({ node, values, freezeMs }) => {
      conductor.player(node, values, freezeMs);
      return done;
    },
    'runs.viewers': async ({ run, offset, limit, state }) => {
      const live = await conductor.viewers(run);
      if (!live) return reading(run, (reader) => reader.viewers(offset, limit, state));
      const wanted = state ? live.filter((viewer) => viewer.state === state) : live;
      return { total: wanted.length, viewers: wanted.slice(offset, offset + limit) };
    },

    'runs.list': () => library.list(),
    'runs.open': ({ run }) =>
      reading(run, (reader) => {
        const view = reader.view();
        return {
          run: { ...view, readOnly: conductor.underWay?.id !== run },
          events: annotator.marked(reader.events()),
          stills: reader.stills(),
        };
      }),
    'runs.samples': ({ run, fromMs, toMs }) =>
      reading(run, (reader) => reader.samples(fromMs, toMs, mostSamples)),
    'runs.overview': ({ run, fromMs, toMs, columns, series }) =>
      reading(run, (reader) =>
        overviewBatch(reader.overview(fromMs, toMs, columns, series && new Set(series))),
      ),
    'runs.rename': ({ run, name }) => {
      const summary = library.rename(run, name);
      conductor.renamed(run, name);
      return changed(summary);
    },
    'runs.delete': ({ run }) => {
      library.delete(run);
      conductor.forget(run);
      return changed(done);
    },
    'runs.undelete': ({ run }) => changed(library.undelete(run)),

    'runs.import': ({ path }) => changed(library.importFile(path)),
    'runs.export': ({ run, kind, path, isRedacted }) =>
      exportRun(library, run, kind, path, isRedacted ? keepNothing : undefined),
    'engine.shutdown': async () => {
      await parts.shutdown();
      return done;
    },
  };
}
