import type { NodeRole } from '../model/node';
import type { Plan } from '../model/plan';

/** No stream of this name was pulled; a plan has to name one. */
const noStream = 'none';

interface NodeWithoutLoad {
  readonly name: string;
  readonly role: NodeRole;
  readonly settings: Plan['nodes'][string];
}

/**
 * The plan shown for a run that is data alone: the nodes as they would be added, each serving something that is
 * published externally. No viewers were requested, so nothing is expected, and the plan can't be run again as it is.
 */
export function planWithoutLoad(name: string, nodes: readonly NodeWithoutLoad[]): Plan {
  const names = (role: NodeRole): string[] => nodes.filter((node) => node.role === role).map((node) => node.name);
  const [first = nodes[0]?.name ?? noStream] = names('origin');
  return {
    name,
    nodes: Object.fromEntries(nodes.map((node) => [node.name, node.settings])),
    // Named here, a node takes part: its charts are the run's, not those of a node that is only observed.
    publish: names('origin').map((node) => ({ stream: noStream, node, source: 'external' })),
    pull: {
      stream: noStream,
      from: first,
      by: names('tester').length > 0 ? names('tester') : [first],
      protocol: 'whep',
      viewers: 1,
      ratePerSecond: 1,
      holdMs: 0,
    },
    expect: {},
  };
}
