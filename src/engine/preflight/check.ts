import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { isOriginSettings } from '../../domain/model/nodeSettings';
import { traitsOf } from '../../domain/model/serverFamilies';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import type { Plan } from '../../domain/model/plan';
import type { TesterMeasured } from '../../domain/model/testerMeasured';
import type { PreflightNode, PreflightProgress } from '../../domain/preflight/progress';
import type { PreflightFinding, PreflightReport } from '../../domain/model/preflightReport';
import { FullhouseError } from '../../contract/calls';
import type { MachineIdentity } from '../../domain/preflight/sameMachine';
import { type Clock, inTime } from '../base/clock';
import { type FleetNode, thisMachine } from '../fleet/node';
import { OriginNode } from '../fleet/originNode';
import { addressOf, hostNameOf, isLoopback } from '../fleet/remoteBase';
import { WcsTester } from '../fleet/wcsTester';
import { judgeAll, type ReadNode } from './judgeNode';
import { rolesOf } from './nodeRoles';
import { type Need, readApi } from './reading/need';
import { readCluster } from './reading/clusterFacts';
import { type Answer, Facts, needKey } from './reading/facts';
import { placeOf } from './reading/shell';
import { readNode } from './reading/readNode';
import { type CheckContext, isAbout, type MachineCapacity, type PreflightRule } from './rule';
import { capacityNeeds, capacityOfMachine } from './text/machine';

export interface CheckOrder {
  readonly id: string;
  readonly plan: Plan;
  /** By plan name. */
  readonly nodes: ReadonlyMap<string, FleetNode>;
  /** Known cost of viewers on a tester. */
  readonly measured?: ((node: FleetNode) => TesterMeasured | undefined) | undefined;
  readonly rules: readonly PreflightRule[];
  /** Problems of custom rules, for the report. */
  readonly remarks: readonly PreflightFinding[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onProgress: (context: PreflightProgress) => void;
}

/** Checks all nodes of a plan in parallel; testers are judged once the origin's capacity is known. */
export async function runCheck(order: CheckOrder): Promise<PreflightReport> {
  const { plan, nodes, rules } = order;
  const contexts = rolesOf(plan, nodes, order.measured);
  const nodeStates = new Map<string, PreflightNode>();
  const read = new Map<string, ReadNode>();
  const rulesOf = (context: CheckContext): readonly PreflightRule[] => rules.filter((rule) => isAbout(rule, context));
  const all = (): PreflightFinding[] => [
    ...order.remarks,
    ...judgeAll(rules, new Map([...contexts.keys()].flatMap((name) => pairOf(read, name)))),
  ];
  const onProgress = (): void =>
    order.onProgress({ id: order.id, state: 'running', nodes: [...nodeStates.values()], findings: all() });
  const move = (name: string, change: Partial<PreflightNode>): void => {
    const before = nodeStates.get(name) ?? { node: name, state: 'waiting', rules: 0 };
    nodeStates.set(name, { ...before, ...change });
  };
  for (const [name, context] of contexts) move(name, { rules: rulesOf(context).length });
  onProgress();

  const capacities = new Map<string, Promise<MachineCapacity | undefined>>();
  const origins = new Set([...contexts.values()].flatMap(({ origin }) => (origin ? [origin.node] : [])));
  const originsRead = new Map<string, Promise<unknown>>();
  const checkNode = async (name: string, context: CheckContext): Promise<void> => {
    const node = nodes.get(name);
    if (!node) return;
    const rules = rulesOf(context);
    move(name, { state: 'reading' });
    onProgress();
    const reading = factsOf(name, node, rules, order);
    capacities.set(
      name,
      reading.then(({ facts }) => facts.maybe(capacityOfMachine)).catch(() => undefined),
    );
    const { facts, problem } = await reading;
    const { origin } = context;
    const capacity = origin && (await capacities.get(origin.node));
    const full = origin ? { ...context, origin: { ...origin, ...(capacity ? { capacity } : {}) } } : context;
    const identity = await identityOf(node, facts, order.clock);
    // Whether it shares the origin's machine is reported once both are known.
    if (origin && !origins.has(name)) await originsRead.get(origin.node)?.catch(() => undefined);
    read.set(name, { context: full, facts, identity });
    move(name, problem === undefined ? { state: 'judged' } : { state: 'unreadable', problem });
    onProgress();
  };
  // Origins first, so that their capacity is being read before a tester needs it.
  await Promise.all(
    [...contexts].map(([name, context]) => {
      const checks = checkNode(name, context);
      originsRead.set(name, checks);
      return checks;
    }),
  );
  return { timeMs: order.clock.now(), findings: all() };
}

const pairOf = <T>(map: ReadonlyMap<string, T>, key: string): Array<[string, T]> => {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
};

/** What could be read of a node; `problem` if its host is unreachable, so that only its API was read. */
async function factsOf(
  name: string,
  node: FleetNode,
  rules: readonly PreflightRule[],
  { signal, clock }: CheckOrder,
): Promise<{ readonly facts: Facts; readonly problem?: string }> {
  const { settings } = node;
  if (!isOriginSettings(settings) && settings.tester === 'kubernetes')
    return clusterFactsOf(
      name,
      settings,
      rules.flatMap((rule) => rule.needs),
      clock,
    );
  const needs = [...rules.flatMap((rule) => rule.needs), ...capacityNeeds, ...identityNeeds];
  const [host, apiResults] = await Promise.all([
    hostAnswers(name, node, needs, signal),
    apiAnswers(node, needs, signal),
  ]);
  return {
    facts: new Facts(name, new Map([...host.answers, ...apiResults])),
    ...(host.problem === undefined ? {} : { problem: host.problem }),
  };
}

async function clusterFactsOf(
  name: string,
  settings: KubernetesSettings,
  needs: readonly Need[],
  clock: Clock,
): Promise<{ readonly facts: Facts; readonly problem?: string }> {
  const readings = [...new Set(needs.flatMap((need) => ('cluster' in need ? [need.cluster] : [])))];
  const answers = [...(await readCluster(settings, readings, clock))];
  const [, first] = answers[0] ?? [];
  const isAbsent = answers.length > 0 && answers.every(([, answer]) => 'unread' in answer);
  return {
    facts: new Facts(name, new Map(answers.map(([reading, answer]) => [needKey({ cluster: reading }), answer]))),
    ...(isAbsent && first && 'unread' in first ? { problem: first.unread } : {}),
  };
}

async function hostAnswers(
  name: string,
  node: FleetNode,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<{ readonly answers: ReadonlyMap<string, Answer>; readonly problem?: string }> {
  const { settings } = node;
  const family = isOriginSettings(settings) ? settings.server : settings.tester === 'wcs' ? 'wcs' : undefined;
  const processName = settings.process ?? traitsOf(family).process;
  try {
    // Connecting takes time; a cancelled check does not wait for it.
    const place = await Promise.race([placeOf(node), aborted(signal)]);
    return { answers: await readNode(place, { who: name, settings, processName }, needs, signal) };
  } catch (error) {
    if (signal.aborted) throw error;
    const problem = (error as Error).message;
    const unread = needs.map((need): [string, Answer] => [needKey(need), { unread: problem }]);
    return { answers: new Map(unread), problem };
  }
}

async function apiAnswers(
  node: FleetNode,
  needs: readonly Need[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Answer>> {
  const names = [...new Set(needs.flatMap((need) => ('api' in need ? [need.api] : [])))];
  const answers = names.map(async (name): Promise<[string, Answer]> => {
    if (!(node instanceof OriginNode || node instanceof WcsTester))
      return [needKey({ api: name }), { unread: `${node.id} has no API to query.` }];
    const text = await readApi(node.http, name, signal).then(
      (answer): Answer => ({ text: answer }),
      (error: Error): Answer => ({ unread: error.message }),
    );
    return [needKey({ api: name }), text];
  });
  return new Map(await Promise.all(answers));
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const refuse = (): void => reject(new FullhouseError('cancelled', 'The preflight was cancelled.'));
    if (signal.aborted) refuse();
    signal.addEventListener('abort', refuse, { once: true });
  });
}

const bootIdFile = '/proc/sys/kernel/random/boot_id';

/** What has to be read of a node to identify its machine. */
const identityNeeds: readonly Need[] = [{ file: bootIdFile }];

/** Identifies a node's machine. A name that can't be resolved in time has no address. */
async function identityOf(node: FleetNode, facts: Facts, clock: Clock): Promise<MachineIdentity> {
  const bootId = facts.maybe((read) => read.file(bootIdFile).trim());
  return {
    host: node.host,
    addresses: await addressesOf(node, clock),
    ...(bootId ? { bootId } : {}),
  };
}

const lookupMs = 3000;

async function addressesOf(node: FleetNode, clock: Clock): Promise<readonly string[]> {
  if (node.host === thisMachine) return ownAddresses();
  const { settings } = node;
  const hosts = [settings.ssh?.replace(/^.*@/, ''), addressOf(settings)];
  const names = hosts.flatMap((url) => (url === undefined ? [] : (hostNameOf(url) ?? [])));
  const addresses = await Promise.all(names.map((name) => resolved(name, clock)));
  return [...new Set(addresses.flat())];
}

async function resolved(name: string, clock: Clock): Promise<readonly string[]> {
  const bare = name.replace(/^\[|\]$/g, '');
  if (isLoopback(name)) return ownAddresses();
  const results = await inTime(clock, lookup(bare, { all: true }), lookupMs);
  return (results ?? []).map(({ address }) => address);
}

/** Addresses of this machine without loopback, which is a different one on each machine. */
function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal }) => !internal)
    .map(({ address }) => address);
}
