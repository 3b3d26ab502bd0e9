import { hasPublisher, type NodeView } from '../../domain/model/node';
import type { Plan } from '../../domain/model/plan';
import { clientsPerTester, firstOrigin, loadTesters, originNames } from '../../domain/model/publisherGroup';
import { audiencesOf } from '../../domain/model/distribution';
import { enforcedLimit, testerCapacity } from '../../domain/tester/viewerLimit';
import { neededNodes, unreachable } from '../../domain/node/unreachable';
import { listsStreams, thisMachine, type FleetNode } from '../fleet/node';
import type { PlanFacts } from './planCheck';

/** Sources of facts about a plan. */
export interface FactSources {
  /** A node by the plan's name, if the fleet has it. */
  readonly find: (name: string) => FleetNode | undefined;
  /** A tester's machine and the measured cost of its viewers. */
  readonly measured: (nodeId: string) => Pick<NodeView, 'machine' | 'measured'> | undefined;
  /** Max open files of a process of this machine. */
  readonly openFiles: () => Promise<number | undefined>;
  readonly ports: () => Promise<number | undefined>;
  /** The latest iperf3 result of a node, Mbit/s. */
  readonly capacityMbps: (nodeId: string) => number | undefined;
}

/** What is known of a plan's nodes before any of them is started. */
export async function planFacts(
  plan: Plan,
  { find, measured, openFiles, ports, capacityMbps }: FactSources,
): Promise<PlanFacts> {
  const { pull } = plan;
  const testers = [...clientsPerTester(plan).keys()];
  const firstName = firstOrigin(plan);
  const each = <T>(
    names: readonly string[],
    read: (view: NodeView, node: FleetNode) => T | undefined,
  ): Map<string, T> =>
    new Map(
      names.flatMap((name): Array<[string, T]> => {
        const node = find(name);
        const value = node && read(node.view(), node);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const here = await openFiles();
  const origin = find(firstName);
  const isLocal = (name: string): boolean => (find(name)?.host ?? thisMachine) === thisMachine;
  const files = each(testers, (view, node) => (node.host === thisMachine ? here : view.machine?.openFilesLimit));
  // A tester of the plan that was not added yet runs here, if the plan declares that.
  for (const name of testers) if (here !== undefined && isLocal(name)) files.set(name, here);
  const [stream, ...otherStreams] = audiencesOf(plan).map((pull) =>
    find(pull.from)?.streams.find((served) => served.stream === pull.stream && hasPublisher(served)),
  );
  return {
    stream,
    otherStreams,
    names: each([...testers, ...originNames(plan)], ({ name }) => name),
    unreachable: each(
      neededNodes(plan).map(({ name }) => name),
      unreachable,
    ),
    viewerLimits: each(testers, enforcedLimit),
    capacities: each(testers, (view, { id }) =>
      pull ? testerCapacity({ ...view, ...measured(id) }, pull.protocol, stream?.bitrateKbps) : undefined,
    ),
    openFiles: files,
    ports: testers.some(isLocal) ? await ports() : undefined,
    isSilent: origin?.running === true && !listsStreams(origin),
    canPublish: origin !== undefined && canPublish(origin.view(), plan),
    capacityMbps: origin && capacityMbps(origin.id),
  };
}

/** A lab publishes samples itself; elsewhere an agent among the plan's testers does. */
function canPublish(origin: NodeView, plan: Plan): boolean {
  if (origin.server === 'lab') return true;
  const hasAgent = loadTesters(plan).some((name) => {
    const settings = plan.nodes[name];
    return settings !== undefined && 'tester' in settings && settings.tester !== 'wcs';
  });
  return hasAgent && (origin.can?.publish.some((protocol) => protocol === 'whip' || protocol === 'rtmp') ?? false);
}
