import type { NodeFacts } from '../../domain/incidents/nodeFacts';
import { thisMachine, unknownHost } from '../../domain/model/host';
import { hasPublisher, type MachineFingerprint } from '../../domain/model/node';
import { listsStreams, type FleetNode } from '../fleet/node';

/** What is known of a node now, for its incidents. `own` is this machine, `isOurs` whether this console publishes a stream there. */
export function factsOf(node: FleetNode, own: MachineFingerprint, isOurs: (stream: string) => boolean): NodeFacts {
  const view = node.view();
  const { boot, processes, certificateExpiresMs } = node.serverFacts ?? {};
  const machine = view.machine ?? (node.host === thisMachine ? own : undefined);
  return {
    ...{ id: node.id, role: node.role, state: node.state, problem: view.problem },
    // What its settings lack is no loss, and the row of the node says it.
    ...(view.fix === 'enter-secret' ? { state: 'starting' as const } : {}),
    host: node.host === unknownHost ? undefined : node.host,
    lastSampleMs: view.lastSampleMs,
    software: node.state === 'live' ? view.software : undefined,
    ...{ boot, processes: processes?.length === 0 ? undefined : processes, certificateExpiresMs },
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
