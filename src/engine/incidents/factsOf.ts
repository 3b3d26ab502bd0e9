import type { NodeFacts } from '../../domain/incidents/nodeFacts';
import { thisMachine, unknownHost } from '../../domain/model/host';
import { hasPublisher, type MachineFingerprint } from '../../domain/model/node';
import { listsStreams, type FleetNode } from '../fleet/node';

const identities = new WeakMap<FleetNode, number>();
let lastIdentity = 0;

/** A node whose settings are changed is another one under its name. */
function identityOf(node: FleetNode): number {
  const known = identities.get(node);
  if (known !== undefined) return known;
  lastIdentity += 1;
  identities.set(node, lastIdentity);
  return lastIdentity;
}

/** What is known of a node now, for its incidents. `own` is this machine, `isOurs` whether this console publishes a stream there. */
export function factsOf(node: FleetNode, own: MachineFingerprint, isOurs: (stream: string) => boolean): NodeFacts {
  const view = node.view();
  const { boot, processes, certificateExpiresMs } = node.serverFacts ?? {};
  const machine = view.machine ?? (node.host === thisMachine ? own : undefined);
  return {
    ...{ id: node.id, identity: identityOf(node), role: node.role, state: node.state, problem: view.problem },
    // What its settings lack is no loss, and the row of the node says it.
    ...(view.fix === 'enter-secret' ? { state: 'starting' as const } : {}),
    host: node.host === unknownHost ? undefined : node.host,
    lastSampleMs: view.lastSampleMs,
    software: node.state === 'live' ? view.software : undefined,
    // Without the numbering of processes, which differs in each container.
    ...{
      boot: boot?.split(' ', 1)[0],
      processes: processes?.length === 0 ? undefined : processes,
      certificateExpiresMs,
    },
    // Whole minutes of uncertainty say nothing about a second.
    clockOffsetMs: view.clock && view.clock.uncertaintyMs < 500 ? view.clock.offsetMs : undefined,
    memoryBytes: machine?.memoryBytes,
    ...(node.state === 'live' && view.streamCount !== undefined && listsStreams(node)
      ? {
          streams: node.streams.map(({ stream, source }) => ({
            ...{ stream, hasPublisher: hasPublisher({ source }) },
            ...(isOurs(stream) ? { isOurs: true } : {}),
          })),
        }
      : {}),
  };
}
