import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { DelayView } from '../../../contract/delayCalls';
import type { DelayTable } from '../../../domain/delay/table';
import { isOriginSettings, type OriginSettings } from '../../../domain/model/nodeSettings';
import { audiencesOf } from '../../../domain/model/distribution';
import type { NodeView } from '../../../domain/model/node';
import type { Plan } from '../../../domain/model/plan';
import { videoCodecs } from '../../../domain/model/videoCodecs';
import { errorText } from '../../../domain/text/errorText';
import type { Engine } from '../../../engine';
import { findChromium, noChromium } from '../../../engine/base/chromium';
import { systemClock, waitUntil } from '../../../engine/base/clock';
import { readDelayTable, tableExtension } from '../../../engine/delay/delayTables';
import { requireSpace } from '../../../engine/store/diskSpace';
import { commandEngine, reportUnknownKeys } from '../../commandEngine';
import { consentOptions, consentTo } from '../../consent';
import { exitCodes } from '../../exitCodes';
import type { Installation } from '../../installation';
import { print, printJson, printStatus } from '../../print';
import { probed, typedPassword } from '../../probed';
import { readPlan, standardInput } from '../../readPlan';
import { onStopSignal, StoppedBySignal } from '../../stopSignals';
import type { DelayInput } from './delayInput';
import { UsageError } from '../../usageError';
import { reportDelays } from './reportDelays';

/** The server at this machine that the agent provides. */
const lab = 'lab';
/** A node that has just been added responds by then, or its problem is known. */
const knownWithinMs = 20_000;

const isPlan = (subject: string): boolean => subject === standardInput || /\.ya?ml$/i.test(subject);

/** A server, and the plan that is its load. */
interface Server {
  readonly node: string;
  readonly under?: { readonly plan: Plan; readonly allowHooks: boolean; readonly allowNodes: string[] };
}

/** Measures a server, or prints or compares kept tables. */
export async function runDelay(input: DelayInput, installation: Installation): Promise<number> {
  try {
    const [first, second] = await Promise.all(input.tables.map(readDelayTable));
    const before = input.before === undefined ? undefined : await readDelayTable(input.before);
    if (first) return reportDelays(second ?? first, second ? first : before, input);
    return await measure(input, before, installation);
  } catch (error) {
    if (error instanceof StoppedBySignal || error instanceof UsageError) throw error;
    printStatus(errorText(error));
    return exitCodes.notStarted;
  }
}

/** Measures in a Chromium of this machine, which the engine starts. */
async function measure(input: DelayInput, before: DelayTable | undefined, installation: Installation): Promise<number> {
  const { subject, acceptHostKeys, sets, out } = input;
  if (!input.listsPaths && findChromium() === undefined) {
    printStatus(
      `Delay is read from pictures, for which this command needs a browser. ${noChromium} The app measures without one: Delay test.`,
    );
    return exitCodes.notStarted;
  }
  if (!isPlan(subject) && subject !== lab && statSync(subject, { throwIfNoEntry: false })?.isFile()) {
    printStatus(`${subject} is a file, but no plan (*.yaml) and no kept table (*${tableExtension}).`);
    return exitCodes.notStarted;
  }
  const plan = isPlan(subject) ? await readPlan({ plan: subject, sets }, printStatus) : undefined;
  if (isPlan(subject) && !plan) return exitCodes.notStarted;
  requireSpace(resolve(out), 0);
  const engine = commandEngine(installation, {
    runsFolder: resolve(out),
    acceptHostKeys,
    consent: consentOptions({ plan: plan ? subject : standardInput, sets }),
  });
  let isStopped = false;
  let stop: (why: StoppedBySignal) => void = () => undefined;
  // Until the test has started: afterwards it ends with what was measured.
  const stopped = new Promise<never>((_, reject) => (stop = reject));
  stopped.catch(() => undefined);
  const forget = onStopSignal(() => {
    isStopped = true;
    stop(new StoppedBySignal('Stopped before anything was measured.'));
    void engine.client.call('delays.cancel', {});
  });
  try {
    const finding = plan ? originOf(engine, plan, input) : typedServer(engine, input);
    const server = await Promise.race([finding, stopped]);
    if (!server) return exitCodes.notStarted;
    if (input.listsPaths) return await Promise.race([listPaths(engine, server.node, input), stopped]);
    if (isStopped) return exitCodes.stopped;
    const { table, problem } = await measured(engine, server, input);
    if (problem !== undefined) printStatus(problem);
    if (!table) return isStopped ? exitCodes.stopped : exitCodes.notStarted;
    return reportDelays(table, before, input, isStopped);
  } finally {
    forget();
    await engine.shutdown(true);
  }
}

/** The server at an address that the person typed; undefined if there is none, which is printed. */
async function typedServer(engine: Engine, input: DelayInput): Promise<Server | undefined> {
  const { subject } = input;
  if (subject === lab) return { node: lab };
  printStatus(`Probing ${subject} ...`);
  const server = { ...input, address: subject };
  const view = await probed(engine, server, false);
  reportUnknownKeys(view.hostKey ? [{ hostKey: view.hostKey } as NodeView] : []);
  const [found] = view.origins;
  if (!found) {
    const reasons = view.rows.flatMap(({ state, label, detail }) =>
      state === 'failed' ? [`${label}: ${detail ?? 'it failed'}`] : [],
    );
    const why = reasons.slice(0, 3).join('; ').replace(/[^.]$/, '$&.');
    printStatus(
      [
        `No server that Fullhouse knows was found at ${subject}.`,
        why,
        `"fullhouse probe ${subject}" lists what was tried.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    );
    return undefined;
  }
  const password = typedPassword(server);
  const { id } = await engine.client.call('nodes.add', {
    name: view.suggestedName,
    settings: found.settings,
    secrets: password === undefined ? {} : { httpPassword: password },
  });
  return { node: id };
}

/** The origin of a plan, added once its addresses are allowed; undefined without consent, which is printed. */
async function originOf(engine: Engine, plan: Plan, input: DelayInput): Promise<Server | undefined> {
  const [audience] = audiencesOf(plan);
  const name = audience?.from ?? plan.publish[0]?.node;
  const settings = name === undefined ? undefined : plan.nodes[name];
  if (name === undefined || !settings || !isOriginSettings(settings)) {
    printStatus(`${plan.name} names no origin: it needs an audience (pull.from), or a stream that is published.`);
    return undefined;
  }
  const isLoaded = input.viewers !== undefined;
  const allowed = await consentTo(engine, plan, input, { scope: isLoaded ? 'run' : 'nodes' });
  if (!allowed) return undefined;
  const node = isLab(settings) ? lab : (await engine.client.call('nodes.add', { name, settings, secrets: {} })).id;
  return { node, ...(isLoaded ? { under: { plan, ...allowed } } : {}) };
}

const isLab = ({ server, url }: OriginSettings): boolean => server === 'lab' && url === undefined;

async function listPaths(engine: Engine, node: string, { viewers, json }: DelayInput): Promise<number> {
  if (node === lab) await engine.client.call('lab.start', {});
  let view: NodeView | undefined;
  const isKnown = async (): Promise<boolean> => {
    view = (await engine.client.call('engine.state', {})).nodes.find(({ id }) => id === node);
    return view?.can !== undefined || view?.state === 'failed';
  };
  await waitUntil(systemClock, isKnown, knownWithinMs);
  if (view?.can === undefined && view?.state === 'failed') {
    printStatus(view.problem ?? `${node} does not respond.`);
    return exitCodes.notStarted;
  }
  const { paths: all } = await engine.client.call('delays.paths', { node, encodes: [...videoCodecs] });
  const paths = all.filter(({ isUnderLoad }) => !isUnderLoad || viewers !== undefined);
  if (json) {
    printJson({ paths });
    return exitCodes.pass;
  }
  const width = Math.max(...paths.map(({ id }) => id.length));
  for (const { id, title } of paths) print(`${id.padEnd(width)}  ${title}`);
  return exitCodes.pass;
}

/** Resolves with the last state of the test. */
async function measured(engine: Engine, { node, under }: Server, input: DelayInput): Promise<DelayView> {
  const { client } = engine;
  const { measureMs, repeats, viewers, paths, name } = input;
  const order = {
    ...{ node, measureMs, repeats, startsBrowser: true as const },
    ...(name === undefined ? {} : { name }),
    ...(paths.length > 0 ? { paths: [...paths] } : {}),
  };
  return new Promise((resolve, reject) => {
    const said = new Set<string>();
    client.on('delays', (view) => {
      const unknown = input.expectations.find(
        ({ path }) => path !== undefined && view.rows.length > 0 && view.rows.every((row) => row.path.id !== path),
      );
      if (unknown) {
        void client.call('delays.cancel', {});
        const ids = view.rows.map(({ path }) => `"${path.id}"`).join(', ');
        reject(new UsageError(`--expect: "${unknown.path ?? ''}" is none of the measured paths: ${ids}.`));
      }
      for (const line of progressLines(view)) {
        if (said.has(line)) continue;
        said.add(line);
        printStatus(line);
      }
      if (view.state === 'ended') resolve(view);
    });
    const started = under
      ? client.call('delays.startUnderPlan', { ...order, ...under })
      : client.call('delays.start', { ...order, ...(viewers === undefined ? {} : { viewers }) });
    started.catch(reject);
  });
}

/** A line for each path that begins, and for each that failed. */
function progressLines({ now, rows, repeats }: DelayView): string[] {
  const current = now && rows[now.row];
  const of = repeats > 1 ? `repeat ${(now?.repeat ?? 0) + 1} of ${repeats}, ` : '';
  return [
    ...rows.flatMap(({ path, repeats: all }) =>
      all.flatMap((repeat, index) => ('failed' in repeat ? [`${path.title}, ${index + 1}: ${repeat.failed}`] : [])),
    ),
    ...(now && current ? [`${of}path ${now.row + 1} of ${rows.length}: ${current.path.title}`] : []),
  ];
}
