import { readFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import { defaultExpectations } from '../domain/plan/plan';
import type { JobView } from '../domain/run';
import type { Sample } from '../domain/series';
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
import type { Wire } from '../contract/wire';
import { everySecond, systemClock } from './clock';
import { Emitter } from './emitter';
import { CostMeter } from './fleet/costMeter';
import { TesterMeasurements } from './fleet/testerMeasurements';
import { localAgentBinary } from './links/localAgent';
import { ownMachine } from './telemetry/ownMachine';
import { CapacityTests } from './fleet/capacityTests';
import { Fleet } from './fleet/fleet';
import { FleetFile } from './fleet/fleetFile';
import { HostKeyDesk } from './fleet/hostKeyDesk';
import { HostLoadWatch } from './fleet/hostLoadWatch';
import { isRemote, thisMachine } from './fleet/node';
import { Probes } from './fleet/probe/probes';
import { Publications } from './fleet/publications';
import { SecretBox } from './fleet/secretBox';
import { makeHandlers } from './handlers';
import { openHostKeys } from './links/ssh/hostKeys';
import { SessionsOf } from './portSessions';
import { MaskedBorder, maskingLibrary } from './secrets/maskedBorder';
import { Preflights } from './preflight/preflights';
import { Conductor } from './runs/conductor';
import { HookGrants } from './runs/hookGrants';
import { batchOf } from './samples';
import { LatestSamples } from './share/metrics/latest';
import { liveMetrics } from './share/metrics/liveMetrics';
import { MetricsServer } from './share/metrics/metricsServer';
import { Imports } from './share/prometheus/imports';
import { Schedules } from './schedule/schedules';
import { presetsFolderOf } from './presets';
import { SavedRuns } from './savedRuns/savedRuns';
import type { StartReader } from './savedRuns/startReader';
import { noRunLibrary, openRunLibrary } from './store';
import { readThisHost } from './telemetry/hostReader';
import { parseOpenFilesLimit } from './telemetry/procParse';
import { LocalPrograms, consoleRoot } from './telemetry/localPrograms';
import { ourMachineKey } from './telemetry/ownProcesses';
import { sampleHost } from './telemetry/thisHost';

export interface EngineOptions {
  /** Absent: nothing is recorded, and no folder is made or cleaned up. */
  readonly runsFolder?: string;
  /** Folder of built agents, with one folder per platform in it. */
  readonly agentFolder: string;
  /** Folder of the lab's sample media. */
  readonly samplesFolder: string;
  /** Starts the processes in which saved runs are read. */
  readonly startReader: StartReader;
  /** Version of Fullhouse. */
  readonly version: string;
  /** Versions of what it runs in, e.g. electron; they go into each run's fingerprint. */
  readonly versions?: Readonly<Record<string, string>>;
  /** Takes sentences for people who look after the program. */
  readonly log?: (sentence: string) => void;
  /** Keeps the nodes that people add; without it they are forgotten with the engine. */
  readonly fleetFile?: string;
  /** The app's own trusted host keys; default: beside the runs, and none without them. */
  readonly knownHostsFile?: string;
  /** Fingerprints of host keys that are trusted when they are not known yet, as the command line says it. */
  readonly acceptHostKeys?: readonly string[];
  /** Default: `~/.ssh`. */
  readonly sshFolder?: string;
  /** Where the lab serves WHIP and WHEP; by default a free port of loopback. */
  readonly labHttp?: string;
  /** Variables that `$env:NAME` may read; by default those of the process whose names begin with FULLHOUSE_. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
  /** How long hosts are measured before the first viewer of a run; default 3 s. */
  readonly baselineMs?: number;
  /** Folder with preflight rules of one's own; by default there are none. */
  readonly rulesFolder?: string;
}

export type AnyEngineClient = EngineClient<keyof AnyCalls>;

export interface Engine {
  /** The engine in this process, with every call. */
  readonly client: AnyEngineClient;
  readonly saved: SavedRuns;
  /**
   * Answers a window's port, which may make the engine's calls, or the shell's, which may make all. To be called when the port has
   * closed: the returned function, which also ends the media sessions that were signalled over it.
   */
  serve(wire: Wire, kind: 'window' | 'shell'): () => void;
  /** Stops the run, ends every agent and closes the files. Resolves when their processes are gone. */
  shutdown(force?: boolean): Promise<void>;
  /** Process ids of the agents that run now. */
  agentPids(): number[];
  /** Where the file of a run lies now; see `RunLibrary.path`. */
  runFile(run: string): string;
}

type EventListeners = { [E in EngineEventName]: Emitter<EngineEvents[E]> };

/** A tick that is so late tells that this process did not run. */
const leastPauseMs = 2500;

/** How long news is collected before it is told, so that a burst crosses as one message. */
const gatherMs = { samples: 100, state: 500 } as const;

/** Puts the engine together. It does nothing by itself but look at this host once a second. */
export function createEngine(options: EngineOptions): Engine {
  const clock = systemClock;
  const secrets = new SecretBox(process.env, options.variables);
  const { log: write = (sentence: string) => console.error(sentence) } = options;
  const log = (sentence: string): void => write(secrets.mask.text(sentence));
  const { version } = options;
  const { runsFolder } = options;
  const library = maskingLibrary(
    runsFolder === undefined
      ? noRunLibrary()
      : openRunLibrary(runsFolder, {
          ...(options.fleetFile === undefined ? {} : { dataFolder: dirname(options.fleetFile) }),
          onProblem: ({ run, sentence }) => conductor.trouble(run, sentence),
        }),
    secrets.mask,
  );
  const saved = new SavedRuns({
    folder: runsFolder,
    startReader: options.startReader,
    beforeJob: () => library.flush(),
    elsewhere: () => library.elsewhere,
  });
  const hostKeys = new HostKeyDesk(
    openHostKeys({
      ownFile:
        options.knownHostsFile ?? (runsFolder === undefined ? undefined : join(runsFolder, 'known_hosts')),
      sshFolder: options.sshFolder,
    }),
    { sshFolder: options.sshFolder, accepted: options.acceptHostKeys },
  );
  const fleet = new Fleet({
    agentFolder: options.agentFolder,
    samplesFolder: options.samplesFolder,
    versions: { fullhouse: version, node: process.versions.node, ...options.versions },
    labHttp: options.labHttp ?? '127.0.0.1:0',
    clock,
    secrets,
    hostKeys,
    file: new FleetFile(options.fleetFile, log),
  });
  const own = ownMachine({ fullhouse: version });
  const measurements = new TesterMeasurements({
    path: options.fleetFile === undefined ? undefined : join(dirname(options.fleetFile), 'testers.json'),
    binary: localAgentBinary(options.agentFolder),
    now: clock.now,
    problem: log,
  });
  const costs = new CostMeter();
  const probes = new Probes(fleet, hostKeys, clock);
  const capacity = new CapacityTests(fleet, clock);
  const publications = new Publications();
  const preflights = new Preflights({
    now: clock.now,
    rulesFolder: options.rulesFolder,
    bind: (plan) => fleet.bind(plan.nodes, conductor.underWay?.boundNodes),
    measured: (node) => measurements.of(node.view().machine ?? (node.host === thisMachine ? own : undefined)),
  });
  const machine = ourMachineKey();
  const ours = (): readonly number[] | undefined => fleet.own.on(machine);
  const localPrograms = new LocalPrograms(cpus().length, () => ours() ?? [], consoleRoot());
  const hostLoads = new HostLoadWatch(clock.now, (host) =>
    host === thisMachine
      ? localPrograms.measure()
      : fleet.nodes
          .filter(isRemote)
          .find((node) => node.host === host)
          ?.programs(),
  );
  const conductor: Conductor = new Conductor({
    hostLoads,
    baselineMs: options.baselineMs,
    fleet,
    publications,
    secrets,
    library,
    saved,
    version,
    now: clock.now,
    problem: log,
    preflight: (plan, nodes) => preflights.recent(plan, nodes),
  });
  const imports = new Imports({
    ...{ library, saved, version, now: clock.now },
    runsChanged: () => listeners.runsChanged.emit({}),
  });
  const latest = new LatestSamples();
  const metrics = new MetricsServer({
    now: clock.now,
    families: () =>
      liveMetrics({
        ...{ version, nodes: nodes(), jobs: jobs(), run: conductor.view() },
        values: latest.fresh(clock.now()),
      }),
  });
  const hookGrants = new HookGrants();
  const schedules = new Schedules({ clock, conductor, problem: log });
  const listeners: EventListeners = {
    samples: new Emitter(),
    nodes: new Emitter(),
    jobs: new Emitter(),
    run: new Emitter(),
    event: new Emitter(),
    still: new Emitter(),
    runsChanged: new Emitter(),
    schedules: new Emitter(),
    probe: probes.view,
    capacity: capacity.news,
    preflight: preflights.news,
    keepSecrets: secrets.keep,
    keepNamedSecrets: secrets.keepNamed,
    prometheusImport: imports.progress,
    metrics: metrics.news,
  };

  const nodes = (): EngineEvents['nodes'] =>
    fleet.nodes.map((node) => {
      const view = node.view();
      const machine = view.machine ?? (node.role === 'tester' && node.host === thisMachine ? own : undefined);
      const load = hostLoads.before(view, defaultExpectations.cpu?.value);
      return {
        ...{ ...view, machine, capacity: capacity.of(node.id) },
        ...(node.role === 'tester' ? { measured: measurements.of(machine) } : {}),
        ...(load && load.state !== 'quiet' ? { load } : {}),
      };
    });
  const jobs = (): JobView[] => [...conductor.jobs(), ...publications.jobs((node) => conductor.nameOf(node))];

  let waitingSamples: Sample[] = [];
  const tellSamples = gathered(gatherMs.samples, () => {
    const batch = batchOf(waitingSamples);
    waitingSamples = [];
    listeners.samples.emit(batch);
  });
  const tellState = gathered(gatherMs.state, () => {
    listeners.nodes.emit(nodes());
    listeners.jobs.emit(jobs());
    listeners.run.emit(conductor.view());
  });
  conductor.samples.on((samples) => {
    waitingSamples.push(...samples);
    latest.take(samples);
    const run = conductor.view();
    if (run && run.state !== 'ended') costs.take(run, samples);
    tellSamples();
  });
  conductor.changed.on(tellState);
  conductor.changed.on(() => {
    // The self-test is no load that a run should find here.
    if (conductor.underWay) measurements.close();
  });
  conductor.event.on((event) => listeners.event.emit(event));
  conductor.still.on((still) => listeners.still.emit(still));
  conductor.runsChanged.on(() => {
    const run = conductor.view();
    if (run?.state === 'ended')
      for (const { node, cost } of costs.costs(run)) {
        const machine = run.nodes.find(({ id }) => id === node)?.machine;
        if (machine) measurements.take(machine, cost);
      }
    listeners.run.emit(conductor.view());
    listeners.runsChanged.emit({});
  });
  schedules.changed.on((all) => listeners.schedules.emit([...all]));
  publications.changed.on(tellState);
  capacity.news.on(tellState);
  hostLoads.changed.on(tellState);
  fleet.news.on(({ node, news }) => {
    if (news.kind === 'host') hostLoads.take(node.host, news.timeMs, news.values);
    if (news.kind === 'state' && (news.state === 'idle' || news.state === 'failed'))
      publications.forget(node);
    if (news.kind !== 'pulls') tellState();
  });

  let tickedMs = clock.now();
  const stopTicking = everySecond(clock, (nowMs) => {
    const pausedMs = nowMs - tickedMs - 1000;
    const stepMs = clock.step();
    if (stepMs !== 0) conductor.clockStepped(stepMs);
    if (!conductor.underWay) clock.follow();
    tickedMs = clock.now();
    if (pausedMs >= leastPauseMs) {
      conductor.paused(pausedMs);
      // What came in meanwhile is read first: until then everything looks silent.
      return;
    }
    // A second that goes wrong must not end the engine: whoever can't be told to stop goes on.
    try {
      fleet.tick(nowMs);
      conductor.tick(nowMs);
    } catch (error) {
      log(`A second of the run went wrong: ${(error as Error).message}`);
    }
  });
  const stopSampling = sampleHost({
    clock,
    read: () => readThisHost(ours()),
    onSample: ({ timeMs, values, waits }) => {
      hostLoads.take(thisMachine, timeMs, values);
      conductor.host(timeMs, values);
      for (const node of fleet.nodes) {
        const waited = node.pid === undefined ? undefined : waits.get(node.pid);
        if (waited !== undefined)
          node.news.emit({ kind: 'host', timeMs, values: { processWaitPercent: waited } });
      }
    },
    onProblem: log,
  });

  let closed: Promise<void> | undefined;
  const shutdown = (force = false): Promise<void> => {
    if (force && closed) void conductor.stopAll(true);
    closed ??= (async () => {
      schedules.close();
      await conductor.stopAll(force);
      await conductor.idle();
      stopTicking();
      stopSampling();
      probes.close();
      imports.close();
      await metrics.stop();
      capacity.close();
      measurements.close();
      preflights.close();
      await fleet.shutdown(force);
      saved.close();
    })();
    return closed;
  };

  const border = new MaskedBorder(secrets.mask, (id) => {
    const node = fleet.find(id);
    return node && fleet.writtenOf(node);
  });
  const calls = makeHandlers({
    fleet,
    publications,
    conductor,
    library,
    saved,
    version,
    nodes,
    jobs,
    testThisMachine: () => measurements.testThisMachine(own, tellState),
    openFiles: async () =>
      process.platform === 'linux'
        ? parseOpenFilesLimit(await readFile('/proc/self/limits', 'utf8'))
        : undefined,
    ports: readPortRange,
    runsChanged: () => listeners.runsChanged.emit({}),
    probes,
    capacity,
    preflights,
    schedules,
    hookGrants,
    // The samples' neighbours, in a clone and in a packaged app alike.
    presetsFolder: presetsFolderOf(options.samplesFolder),
    secrets,
    imports,
    metrics,
    nodesChanged: tellState,
    hostLoads,
    shutdown: () => shutdown(),
  });
  const handlers = border.handlers(calls);

  const on = <E extends EngineEventName>(
    name: E,
    listener: (payload: EngineEvents[E]) => void,
  ): (() => void) => {
    const emitter: Emitter<EngineEvents[E]> = listeners[name];
    return emitter.on((payload) => listener(border.event(name, payload)));
  };

  return {
    saved,
    client: { call: (name, input) => callHere(handlers, name, input), on },
    serve: (wire, kind) => {
      const sessions = new SessionsOf(publications, log);
      const own = sessions.watching(handlers);
      const served =
        kind === 'shell'
          ? serveEngine(wire, { ...engineCalls, ...shellCalls }, own)
          : serveEngine<EngineCallName>(wire, engineCalls, hookGrants.guarding(own));
      // What belongs into the keychain is told to the main process alone.
      const heard = (Object.keys(engineEvents) as EngineEventName[]).filter(
        (name) => kind === 'shell' || !Object.hasOwn(secretEvents, name),
      );
      const subscriptions = heard.map((name) => on(name, (payload) => served.push(name, payload)));
      return () => {
        for (const end of subscriptions) end();
        sessions.end();
      };
    },
    shutdown,
    runFile: (run) => library.path(run),
    agentPids: () => fleet.nodes.flatMap((node) => node.pid ?? []),
  };
}

/** A call within the process passes the same check of its input as one from another. */
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

/** Calls `tell` once, `ms` after the first of several wishes. */
function gathered(ms: number, tell: () => void): () => void {
  let waiting = false;
  return () => {
    if (waiting) return;
    waiting = true;
    systemClock.after(ms, () => {
      waiting = false;
      tell();
    });
  };
}

async function readPortRange(): Promise<number | undefined> {
  if (process.platform !== 'linux') return undefined;
  const [first, last] = (await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'))
    .trim()
    .split(/\s+/)
    .map(Number);
  return first === undefined || last === undefined ? undefined : last - first + 1;
}
