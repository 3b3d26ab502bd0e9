import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { NodeView } from '../../domain/model/node';
import type { AlertRule } from '../../domain/incidents/rules';
import { planWithoutLoad } from '../../domain/run/planWithoutLoad';
import { itemLine } from '../../domain/consent/consentText';
import { parseNodes, PlanError } from '../../domain/plan/planYaml';
import { parseDuration } from '../../domain/plan/quantity';
import { errorText } from '../../domain/text/errorText';
import { formatDuration } from '../../domain/text/timeFormat';
import type { Engine } from '../../engine';
import { systemClock } from '../../engine/base/clock';
import { readAlertRules } from '../../engine/incidents/ruleFile';
import { requireSpace } from '../../engine/store/diskSpace';
import { reasonNotRead } from '../../engine/store/failure';
import { command, form } from '../command';
import { commandEngine, reportUnknownKeys } from '../commandEngine';
import { consentOptions, consentTo } from '../consent';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { defaultOut, file, folder, forHow, otherwise, out, planOptions, runName, withDefault } from '../options';
import { print, printStatus } from '../print';
import { prometheusOptions, rangeOf, type TimeRange } from '../prometheusOptions';
import { onStopSignal } from '../stopSignals';
import { UsageError } from '../usageError';

const { yes, 'accept-host-key': acceptHostKey, 'allow-hooks': allowHooks } = planOptions;
const { from, to } = prometheusOptions;

/** The longest time of a timer. */
const longestMs = 24 * 86_400_000;
/** The first figures of a node take a second or two. */
const shortestMs = 5000;

export const watch = command({
  name: 'watch',
  options: {
    ...{ out: withDefault(out, defaultOut), yes, 'accept-host-key': acceptHostKey, from, to },
    for: forHow,
    nodes: file('nodes to watch: a file that starts with "nodes:", as exported by Nodes'),
    history: otherwise(folder('folder in which all that is watched is recorded'), 'watched in the folder of --out'),
    name: runName,
    alerts: otherwise(file('alert rules as in docs/incidents.md'), 'the default rules'),
    'allow-hooks': allowHooks,
  },
  forms: [
    form(
      '--nodes NODES.yaml [--for 24h] [--alerts RULES.yaml] [--out DIR] [--history DIR] [--name NAME]',
      'watch nodes without load, and save what they reported as a run',
    ),
    form(
      '--from TIME --to TIME [--history DIR] [--out DIR] [--name NAME]',
      'save an earlier range of what was watched as a run',
    ),
  ],
  examples: ['watch --nodes nodes.yaml --for 24h', 'watch --from 2026-11-21T03:00:00Z --to 2026-11-21T03:30:00Z'],
  exitCodes: { pass: 'a run was saved' },
  read: ({ values }) => {
    const folders = { out: values.out, history: values.history ?? join(values.out, 'watched') };
    const common = { ...folders, name: values.name, yes: values.yes, acceptHostKeys: values['accept-host-key'] };
    const alerts = { alerts: values.alerts, allowHooks: values['allow-hooks'] };
    if (values.from !== undefined || values.to !== undefined) {
      if ((values.nodes ?? values.for ?? values.alerts) !== undefined)
        throw new UsageError('--from and --to save an earlier range; they need neither --nodes, --for nor --alerts.');
      return { ...common, ...alerts, nodes: undefined, forMs: undefined, range: rangeOf(values.from, values.to) };
    }
    if (values.nodes === undefined)
      throw new UsageError('Specify what to watch: --nodes NODES.yaml; or an earlier range: --from TIME --to TIME.');
    const forMs = values.for === undefined ? undefined : parseDuration(values.for);
    if (values.for !== undefined && (forMs === undefined || forMs < shortestMs || forMs > longestMs))
      throw new UsageError(`--for "${values.for}" is not a duration from 5 s to 24 days; write it like 30m or 24h.`);
    return { ...common, ...alerts, nodes: values.nodes, forMs, range: undefined };
  },
  run: runWatch,
});

interface WatchInput {
  /** Undefined: an earlier range is saved. */
  readonly nodes: string | undefined;
  readonly forMs: number | undefined;
  readonly range: TimeRange | undefined;
  readonly out: string;
  readonly history: string;
  readonly name: string | undefined;
  /** File of alert rules; undefined: the default ones. */
  readonly alerts: string | undefined;
  /** Webhooks and commands of the alert rules are allowed. */
  readonly allowHooks: boolean;
  readonly yes: boolean;
  readonly acceptHostKeys: readonly string[];
}

async function runWatch(input: WatchInput, installation: Installation): Promise<number> {
  const { nodes: path, acceptHostKeys, alerts } = input;
  const yaml = path === undefined ? undefined : readText(path);
  if (path !== undefined && yaml === undefined) return exitCodes.notStarted;
  // Read once: what is piped can't be read again.
  const alertRules = alerts === undefined ? undefined : usableRules(alerts);
  if (alerts !== undefined && alertRules === undefined) return exitCodes.notStarted;
  const engine = commandEngine(installation, {
    ...(alertRules === undefined ? {} : { alertRules }),
    runsFolder: resolve(input.out),
    watchFolder: resolve(input.history),
    isWatchReadOnly: input.range !== undefined,
    acceptHostKeys,
    ...(path === undefined ? {} : { consent: consentOptions({ plan: path, sets: [] }) }),
  });
  try {
    if (input.range) return await save(engine, input, input.range);
    const { problem } = await engine.client.call('watch.state', {});
    // It has been reported.
    if (problem !== null || !isUsable(input.out)) return exitCodes.notStarted;
    if (!(await allowed(engine, input)) || !(await added(engine, input, yaml ?? ''))) return exitCodes.notStarted;
    const fromMs = systemClock.now();
    const isStopped = await watched(engine, input.forMs);
    const code = await save(engine, input, { fromMs, toMs: Math.max(fromMs + 1, systemClock.now()) });
    return isStopped && input.forMs !== undefined && code === exitCodes.pass ? exitCodes.stopped : code;
  } finally {
    await engine.shutdown(true);
  }
}

/** Whether runs can be saved there: known before a day of watching. */
function isUsable(out: string): boolean {
  try {
    requireSpace(resolve(out), 0);
    return true;
  } catch (error) {
    printStatus(`${errorText(error)} Choose another folder by --out.`);
    return false;
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    printStatus(`The nodes in ${path} can't be read: ${reasonNotRead(error)}. A file of them starts with "nodes:".`);
    return undefined;
  }
}

/** The alert rules of a file; undefined if it can't be used, which is said. */
function usableRules(path: string): readonly AlertRule[] | undefined {
  try {
    return readAlertRules(path);
  } catch (error) {
    printStatus(`The alert rules in ${path} can't be used: ${errorText(error)}`);
    return undefined;
  }
}

/** Whether everything that the alert rules start or call is allowed; else it is printed. */
async function allowed({ client }: Engine, { alerts = '', allowHooks }: WatchInput): Promise<boolean> {
  const { notAllowed, notAllowedDigest: digest } = await client.call('incidents.rules', {});
  if (notAllowed.length === 0) return true;
  if (allowHooks) {
    await client.call('incidents.allow', { digest });
    return true;
  }
  printStatus(`${alerts} starts programs or calls addresses. Read each line; to allow all of them, add --allow-hooks:`);
  for (const item of notAllowed) printStatus(`  ${itemLine(item)}`);
  return false;
}

/** Adds the nodes of the file, once the person has allowed their addresses. */
async function added(engine: Engine, { nodes: path = '', yes }: WatchInput, yaml: string): Promise<boolean> {
  try {
    const nodes = Object.entries(parseNodes(yaml)).map(([name, settings]) => ({
      ...{ name, settings },
      role: 'tester' in settings ? ('tester' as const) : ('origin' as const),
    }));
    const allowed = await consentTo(
      engine,
      planWithoutLoad(path, nodes),
      { allowHooks: false, yes },
      { scope: 'nodes' },
    );
    if (!allowed) return false;
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    printStatus(`${path}: ${error.message}`);
    return false;
  }
  const { remarks } = await engine.client.call('nodes.import', { yaml });
  for (const remark of remarks) printStatus(remark);
  return true;
}

/** Watches for a time, or until a signal; resolves with whether it was one. */
async function watched(engine: Engine, forMs: number | undefined): Promise<boolean> {
  const startedMs = systemClock.monotonic();
  const states = new Set<string>();
  let hasReportedKeys = false;
  const printed = new Map<string, string>();
  const endIncidents = engine.client.on('incidents', ({ changes: news }) => {
    for (const { change, incident } of news) {
      const sentence = change === 'resolved' ? (incident.ended ?? incident.began) : incident.began;
      // An update may be something else with the same cause, e.g. the restart behind an outage.
      if (change === 'updated' && printed.get(incident.id) === incident.began) continue;
      printed.set(incident.id, incident.began);
      printStatus(`${passed(startedMs)}  ${sentence}`);
    }
  });
  const endNodes = engine.client.on('nodes', (nodes) => {
    for (const line of firstStates(states, nodes)) printStatus(`${passed(startedMs)}  ${line}`);
    if (!hasReportedKeys && nodes.some(({ hostKey }) => hostKey?.state === 'unknown')) {
      hasReportedKeys = true;
      reportUnknownKeys(nodes);
    }
  });
  printStatus(
    forMs === undefined
      ? 'Watching until it is stopped (Ctrl-C); what is reported is saved as a run then.'
      : `Watching for ${formatDuration(forMs)}.`,
  );
  return new Promise((done) => {
    const end = (isStopped: boolean): void => {
      cancel();
      endSignals();
      endIncidents();
      endNodes();
      done(isStopped);
    };
    const cancel = forMs === undefined ? () => undefined : systemClock.after(forMs, () => end(false));
    const endSignals = onStopSignal(() => end(true));
  });
}

/** A line for each node that responds or fails for the first time; what happens later is an incident. */
function firstStates(known: Set<string>, nodes: readonly NodeView[]): string[] {
  return nodes.flatMap(({ id, state, problem, software }) => {
    if (known.has(id) || state === 'idle' || state === 'starting') return [];
    known.add(id);
    return [problem ?? `${id}: ${state === 'live' ? software : state}`];
  });
}

const passed = (startedMs: number): string => formatDuration(systemClock.monotonic() - startedMs);

async function save(engine: Engine, { name, out: folderOfRuns }: WatchInput, range: TimeRange): Promise<number> {
  const { run } = await engine.client.call('watch.save', { ...range, ...(name === undefined ? {} : { name }) });
  print(engine.runFile(run));
  printStatus(`A report of it: fullhouse report ${run}${folderOfRuns === defaultOut ? '' : ` (in ${folderOfRuns})`}`);
  return exitCodes.pass;
}
