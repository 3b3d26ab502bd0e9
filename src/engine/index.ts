import { inputFault, serveEngine, type EngineClient, type Handlers } from '../contract/calls';
import {
  engineCalls,
  engineEvents,
  shellCalls,
  type AnyCalls,
  type CallInput,
  type CallOutput,
  type EngineCallName,
  type EngineEventName,
  type EngineEvents,
} from '../contract/engine';
import { secretEvents } from '../contract/nodeCalls';
import {
  delayPageCalls,
  viewerPageCalls,
  viewerPageEvents,
  type DelayPageCall,
  type ViewerPageCall,
} from '../contract/viewerPage';
import type { Wire } from '../contract/wire';
import { makeHandlers } from './api/handlers';
import type { PageScope } from './browsers/viewerPageServer';
import { DelayDoor } from './delayDoor';
import { inTime } from './base/clock';
import type { Emitter } from './base/emitter';
import { ConsentGrants } from './consent/consentGrants';
import { EngineState } from './engineState';
import { Events } from './events';
import { presetsFolderOf } from './library/presets';
import type { EngineOptions } from './options';
import { watchRunsFolder } from './library/runsFolderWatch';
import { makeParts } from './parts';
import { SessionsOf } from './portSessions';
import { Imports } from './prometheus/import/imports';
import { LatestSamples } from './prometheus/metrics/latest';
import { liveMetrics } from './prometheus/metrics/liveMetrics';
import type { MetricFamily } from './prometheus/metrics/metricFamily';
import { MetricsServer } from './prometheus/metrics/metricsServer';
import { RunHistograms } from './prometheus/metrics/runHistograms';
import type { SavedRuns } from './savedRuns/savedRuns';
import { MaskingBoundary } from './secrets/maskingBoundary';
import { startDiskSampling, startSampling, startTicking } from './ticking';
import { ViewerDoor } from './viewerDoor';

/** The files of this console are not waited for longer: their disk may not answer. */
const savedWithinMs = 2000;

export type { EngineOptions } from './options';
export type AnyEngineClient = EngineClient<keyof AnyCalls>;

export interface Engine {
  /** The engine in this process, with all calls. */
  readonly client: AnyEngineClient;
  readonly saved: SavedRuns;
  /**
   * Serves a window's port, which may make the engine's calls, or the shell's, which may make all. The returned function
   * is to be called when the port has closed: it also ends the media sessions that were signalled over the port.
   */
  serve(wire: Wire, kind: 'window' | 'shell'): () => void;
  /**
   * Serves the page of a browser that we started, which may only do what that is for: see `ViewerDoor` and `DelayDoor`.
   */
  serveViewerPage(wire: Wire, scope: PageScope): () => void;
  /** Stops the run, stops all agents and closes the files. Resolves when their processes are gone. */
  shutdown(force?: boolean): Promise<void>;
  /** All current figures as metrics; with `ended` also those of a run that has ended. */
  metricFamilies(which?: { readonly ended: boolean }): readonly MetricFamily[];
  /** Process ids of the running agents. */
  agentPids(): number[];
  /** Where the file of a run is now; see `RunRecorder.path`. */
  runFile(run: string): string;
}

/** Builds the engine. On its own it only reads this host's figures once a second. */
export function createEngine(options: EngineOptions): Engine {
  const parts = makeParts({ ...options, serveViewerPage: (...page) => engine.serveViewerPage(...page) });
  const { clock, secrets, version, recorder, saved, fleet, runManager } = parts;
  const state = new EngineState(parts);
  const imports = new Imports({
    ...{ recorder, saved, version, clock },
    runsChanged: () => events.runsChanged(),
  });
  const latest = new LatestSamples();
  runManager.samples.on((samples) => latest.take(samples));
  const histograms = new RunHistograms();
  runManager.distributions.on((report) => histograms.take(report));
  const families = (which?: { readonly ended: boolean }): MetricFamily[] =>
    liveMetrics(
      {
        ...{ version, nodes: state.nodes(), jobs: state.jobs(), run: runManager.view() },
        ...{ values: latest.fresh(clock.now()), histograms: (run) => histograms.of(run) },
      },
      which,
    );
  const metrics = new MetricsServer({ now: clock.now, families });
  const events = new Events(parts, state, { prometheusImport: imports.progress, metrics: metrics.states });
  const stops = [startTicking(parts), startSampling(parts), startDiskSampling(parts)];
  if (options.runsFolder !== undefined)
    stops.push(
      watchRunsFolder({
        clock,
        folder: options.runsFolder,
        ownRun: () => runManager.view()?.id,
        onChange: events.runsChanged,
      }),
    );

  let closed: Promise<void> | undefined;
  const shutdown = (force = false): Promise<void> => {
    if (force && closed) void runManager.stopAll(true);
    closed ??= (async () => {
      parts.schedules.close();
      parts.delayTests.cancel();
      await runManager.stopAll(force);
      await parts.delayTests.close();
      await runManager.idle();
      for (const stop of stops) stop();
      parts.browsers.close();
      parts.probes.close();
      imports.close();
      await metrics.stop();
      await parts.clockPage.stop();
      parts.capacity.close();
      parts.measurements.close();
      parts.preflights.close();
      await fleet.shutdown(force);
      await parts.watching?.close();
      await parts.incidents.close();
      saved.close();
      await recorder.close();
      const { ownRuns, known, fleetFile, measurements, incidents } = parts;
      const files = [ownRuns, known, fleetFile, measurements, incidents];
      await inTime(clock, Promise.all(files.map((file) => file.whenSaved())), savedWithinMs);
    })();
    return closed;
  };

  const consentGrants = new ConsentGrants(parts.gate, clock);
  const border = new MaskingBoundary(
    secrets.mask,
    (id) => {
      const node = fleet.find(id);
      return node && fleet.writtenOf(node);
    },
    () => parts.incidents.rules,
  );
  const calls = makeHandlers({
    ...parts,
    ...{ imports, metrics, consentGrants, shutdown: () => shutdown() },
    nodes: () => state.nodes(),
    jobs: () => state.jobs(),
    testThisMachine: () => parts.measurements.testThisMachine(parts.own, events.sendState),
    runsChanged: events.runsChanged,
    nodesChanged: events.sendState,
    // The samples' neighbours, in a clone and in a packaged app alike.
    presetsFolder: presetsFolderOf(options.samplesFolder),
  });
  const handlers = border.handlers(calls);

  const on = <E extends EngineEventName>(name: E, listener: (payload: EngineEvents[E]) => void): (() => void) => {
    const emitter: Emitter<EngineEvents[E]> = events.emitters[name];
    return emitter.on(border.listener(name, listener));
  };

  const engine: Engine = {
    saved,
    client: { call: (name, input) => callHere(handlers, name, input), on },
    serve: (wire, kind) => {
      const sessions = new SessionsOf(parts);
      const own = sessions.watching(handlers);
      const served =
        kind === 'shell'
          ? serveEngine(wire, { ...engineCalls, ...shellCalls }, own)
          : serveEngine<EngineCallName>(wire, engineCalls, consentGrants.guarding(own));
      // Secrets for the keychain are sent to the main process only.
      const heard = (Object.keys(engineEvents) as EngineEventName[]).filter(
        (name) => kind === 'shell' || !Object.hasOwn(secretEvents, name),
      );
      const subscriptions = heard.map((name) => on(name, served.push.bind(undefined, name)));
      return () => {
        for (const end of subscriptions) end();
        sessions.end();
      };
    },
    serveViewerPage: (wire, scope) => {
      const sessions = new SessionsOf(parts);
      const own = sessions.watching(handlers);
      const door =
        'test' in scope ? new DelayDoor(parts, scope.test, sessions) : new ViewerDoor(parts, scope, sessions);
      const served =
        door instanceof DelayDoor
          ? serveEngine<DelayPageCall>(wire, delayPageCalls, door.guarding(own))
          : serveEngine<ViewerPageCall>(wire, viewerPageCalls, door.guarding(own));
      const send = <E extends EngineEventName>(name: E, payload: EngineEvents[E]): void => {
        const heard = door.heard(name, payload);
        if (heard !== undefined) served.push(name, heard);
      };
      const subscriptions = viewerPageEvents.map((name) => on(name, (payload) => send(name, payload)));
      return () => {
        for (const end of subscriptions) end();
        sessions.end();
      };
    },
    shutdown,
    runFile: (run) => recorder.path(run),
    metricFamilies: families,
    agentPids: () => fleet.nodes.flatMap((node) => node.pid ?? []),
  };
  return engine;
}

/** Calls within the process have the same input validation as calls from another. */
async function callHere<C extends keyof AnyCalls>(
  handlers: Handlers<keyof AnyCalls>,
  name: C,
  input: CallInput<C>,
): Promise<CallOutput<C>> {
  const { input: schema } = { ...engineCalls, ...shellCalls }[name];
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw inputFault(name, parsed.error);
  return handlers[name](parsed.data as CallInput<C>);
}
