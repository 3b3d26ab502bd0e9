import { existsSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join } from 'node:path';
import type { Wire } from '../contract/wire';
import { runEventsOf } from '../domain/incidents/runEvents';
import { terminalLine } from '../domain/text/escape/terminal';
import { systemClock } from './base/clock';
import { takeSecretsFromVariables } from './base/secretPlace';
import { setLogTarget } from './base/log';
import { BrowserWindows } from './browserWindows';
import { Browsers } from './browsers/browsers';
import type { PageScope } from './browsers/viewerPageServer';
import { CapacityMeasurements } from './fleet/capacityMeasurements';
import { KnownAddresses } from './consent/knownAddresses';
import { PlanGate, permissionOf } from './consent/planGate';
import { DelayTables } from './delay/delayTables';
import { DelayTests } from './delay/delayTests';
import { Fleet } from './fleet/fleet';
import { FleetFile } from './fleet/fleetFile';
import { HostKeyStore } from './fleet/hostKeyStore';
import { HostLoadWatch } from './fleet/hostLoadWatch';
import { isRemote, thisMachine } from './fleet/node';
import { PlayerConnections } from './fleet/playerConnections';
import { Probes } from './fleet/probe/probes';
import { Publications } from './fleet/publications';
import { TesterMeasurements } from './fleet/testerMeasurements';
import { OwnRuns, recordingOwn } from './library/ownRuns';
import { IncidentFile } from './incidents/incidentFile';
import { Incidents } from './incidents/incidents';
import { AllowedActions } from './incidents/allowedActions';
import { RuleFile } from './incidents/ruleFile';
import { localAgentBinary } from './links/localAgent';
import { openHostKeys } from './links/ssh/hostKeys';
import type { EngineOptions } from './options';
import { Preflights } from './preflight/preflights';
import { RunManager } from './runs/runManager';
import { SavedRuns } from './savedRuns/savedRuns';
import { Schedules } from './schedule/schedules';
import { maskingRecorder } from './secrets/maskingBoundary';
import { SecretBox } from './secrets/secretBox';
import { Recorder } from './savedRuns/writing/recorder';
import { readThisHost } from './telemetry/hostReader';
import { localMachine } from './telemetry/localMachine';
import { LocalPrograms, consoleRoot } from './telemetry/localPrograms';
import { LocalTrees } from './telemetry/localTrees';
import { localMachineKey } from './telemetry/ownProcesses';
import { ClockPageServer } from './clockPage/clockPageServer';
import { VmafMeasurements } from './vmaf/vmafMeasurements';
import { Watching } from './watch/watching';

export type EngineParts = ReturnType<typeof makeParts>;

/** What the engine consists of, each part with those that it needs. */
export function makeParts(
  options: EngineOptions & { readonly serveViewerPage: (wire: Wire, scope: PageScope) => () => void },
) {
  const { clock = systemClock } = options;
  const secrets = new SecretBox(process.env, options.variables);
  takeSecretsFromVariables(options.variables !== undefined);
  const { log: write = (sentence: string) => console.error(terminalLine(sentence)), logLevel = 'warn' } = options;
  const mask = (sentence: string): string => secrets.mask.text(sentence);
  setLogTarget({ write, mask, limit: logLevel });
  const log = (sentence: string): void => write(mask(sentence), 'error');
  const { version } = options;
  const { runsFolder } = options;
  const ownRuns = new OwnRuns({
    path: besideFleet(options, 'own-runs'),
    // Files that exist once a console has been used.
    earlier: [options.fleetFile, besideFleet(options, testersFile)].some(
      (path) => path !== undefined && existsSync(path),
    )
      ? () => saved.call('planDigests', {})
      : undefined,
    problem: log,
  });
  const recorder = maskingRecorder(
    recordingOwn(
      new Recorder({
        folder: runsFolder,
        dataFolder: options.fleetFile && dirname(options.fleetFile),
        startWriter: options.startReader,
        clock,
        onProblem: (run, sentence) => runManager.trouble(run, sentence),
      }),
      ownRuns,
    ),
    secrets.mask,
  );
  const saved = new SavedRuns({
    folder: runsFolder,
    startReader: options.startReader,
    beforeJob: (run) => recorder.settle(run),
    elsewhere: () => recorder.elsewhere,
    clock,
  });
  const hostKeys = openHostKeyStore(options);
  const fleetFile = new FleetFile(options.fleetFile, log);
  const fleet = new Fleet({
    agentFolder: options.agentFolder,
    samplesFolder: options.samplesFolder,
    versions: { fullhouse: version, node: process.versions.node, ...options.versions },
    labHttp: options.labHttp ?? '127.0.0.1:0',
    clock,
    secrets,
    hostKeys,
    openGroupSource: options.openGroupSource,
    localAgents: options.localAgents,
    familiesFolder: options.familiesFolder,
    file: fleetFile,
  });
  const known = new KnownAddresses(options.knownAddressesFile ?? besideFleet(options, 'known_addresses'), log);
  const gate = new PlanGate(fleet, secrets, known, options.consent);
  const own = localMachine({ fullhouse: version });
  const measurements = new TesterMeasurements({
    path: besideFleet(options, testersFile),
    binary: localAgentBinary(options.agentFolder),
    clock,
    problem: log,
  });
  const probes = new Probes(fleet, hostKeys, clock, options.familiesFolder);
  const capacity = new CapacityMeasurements(fleet, clock);
  const publications = new Publications(localAgentBinary(options.agentFolder), clock);
  const playerConnections = new PlayerConnections((session, node) => publications.sessions.token(session, node), clock);
  const browserWindows = new BrowserWindows();
  const browsers = new Browsers(clock, options.viewerPageFolder, options.serveViewerPage);
  const vmaf = new VmafMeasurements();
  const clockPage = new ClockPageServer(clock);
  const preflights = new Preflights({
    clock,
    rulesFolder: options.rulesFolder,
    familiesFolder: options.familiesFolder,
    bind: ({ plan }) => fleet.bind(plan.nodes, runManager.activeRun?.boundNodes),
    measured: (node) => measurements.of(node.view().machine ?? (node.host === thisMachine ? own : undefined)),
  });
  const machine = localMachineKey();
  const ours = (): readonly number[] | undefined => fleet.own.on(machine);
  const localTrees = new LocalTrees(clock.now, ours, consoleRoot(), (pids) => fleet.own.setConsole(machine, pids));
  const localPrograms = new LocalPrograms(clock, cpus().length, () => ours() ?? [], consoleRoot());
  const hostLoads = new HostLoadWatch(clock.now, (host) =>
    host === thisMachine
      ? localPrograms.measure()
      : fleet.nodes
          .filter(isRemote)
          .find((node) => node.host === host)
          ?.programs(),
  );
  const runManager: RunManager = new RunManager({
    hostLoads,
    baselineMs: options.baselineMs,
    baselinesFolder: options.baselinesFolder,
    fleet,
    publications,
    browsers: {
      get hasWindow() {
        return browserWindows.isAny;
      },
      start: async (scope, tester) =>
        tester ? browsers.startOn(await tester.shell(), scope) : browsers.startHere(scope),
    },
    players: (node) => publications.sessions.players(node) + playerConnections.playersOf(node),
    secrets,
    recorder,
    saved,
    version,
    clock,
    problem: log,
    preflight: (plan, nodes) => preflights.recent(plan, nodes),
  });
  const delayTables = new DelayTables(
    options.runsFolder === undefined ? undefined : join(options.runsFolder, 'delays'),
    (table) => secrets.mask.value(table, ['delays']),
  );
  const delayTests = new DelayTests({
    clock,
    node: (name) => runManager.activeRun?.boundNodes.get(name) ?? fleet.node(name),
    runs: runManager,
    requireAllowed: (under) => void gate.allow(under.plan, permissionOf(under)),
    start: (plan, under) => runManager.startAlone(gate.allow(plan, permissionOf(under ?? {})), ofDelayTest),
    startBrowser: async (test) => ({ name: 'Chromium', end: await browsers.startHere({ test, by: 'this machine' }) }),
    tables: delayTables,
    problem: log,
  });
  const schedules = new Schedules({ clock, gate, runManager, problem: log });
  const incidents = new Incidents({
    ...{ clock, fleet, publications, runManager, own },
    file: new IncidentFile(besideFleet(options, 'incidents.json'), log, (each) =>
      secrets.mask.value(each, ['incident']),
    ),
    ruleFile: new RuleFile(besideFleet(options, 'alert-rules.yaml'), log, options.alertRules),
    secrets,
    allowed: new AllowedActions(besideFleet(options, 'allowed_alerts'), log, (text) => secrets.mask.text(text)),
  });
  const { watchFolder } = options;
  const watching =
    watchFolder === undefined
      ? undefined
      : new Watching({
          ...{ folder: watchFolder, startReader: options.startReader, clock, version, mask: secrets.mask },
          nodes: () => fleet.nodes.map((node) => node.view()),
          events: (fromMs, toMs) => runEventsOf(incidents.list(fromMs, toMs), fromMs, toMs),
          runs: { recorder, saved },
          retention: options.watchRetention,
          isReadOnly: options.isWatchReadOnly,
          problem: log,
        });
  if (watching) runManager.samplesById.on((samples) => watching.take(samples));
  return {
    ...{ clock, secrets, log, version, recorder, ownRuns, saved, fleet, gate, own, measurements, probes },
    ...{ localTrees, readHost: options.readHost ?? readThisHost },
    ...{ known, fleetFile, clockPage },
    capacity,
    ...{ publications, playerConnections, browsers, browserWindows, vmaf },
    ...{ preflights, hostLoads, runManager, delayTests, delayTables, schedules, incidents, watching },
  };
}

/** Why nothing is added to the run of a delay test. */
const ofDelayTest = 'The active run is the load of a delay test; wait for its end, or cancel it.';

const testersFile = 'testers.json';

/** A file in the folder of the app's data. */
const besideFleet = ({ fleetFile }: EngineOptions, name: string): string | undefined =>
  fleetFile === undefined ? undefined : join(dirname(fleetFile), name);

function openHostKeyStore({ knownHostsFile, runsFolder, sshFolder, acceptHostKeys }: EngineOptions): HostKeyStore {
  const ownFile = knownHostsFile ?? (runsFolder === undefined ? undefined : join(runsFolder, 'known_hosts'));
  return new HostKeyStore(openHostKeys({ ownFile, sshFolder }), { sshFolder, accepted: acceptHostKeys });
}
