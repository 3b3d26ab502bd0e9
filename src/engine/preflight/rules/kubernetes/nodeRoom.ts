import { eligibleNodes, podsOn } from '../../../../domain/kubernetes/eligibleNodes';
import { clusterFact } from '../../reading/clusterFacts';
import { fail, pass, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ofPods, onCluster } from './onCluster';

export const nodeRoom: PreflightRule = {
  id: 'kubernetes.node-room',
  title: 'CPU and memory of the nodes',
  checks:
    'Allocatable CPU, memory and pods of the nodes that nodeSelector and tolerations allow, against the requests.',
  why: 'A pod that fits on no node stays unschedulable until the wait of the run ends.',
  good: 'room for all pods, also beside the pods of others, which this rule does not count',
  source: 'Kubernetes: Reserve Compute Resources; Taints and Tolerations',
  applies: onCluster,
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node }) => {
      const all = clusterFact(facts, 'nodes');
      const nodes = eligibleNodes(all, pods);
      const room = nodes.reduce((sum, each) => sum + podsOn(each, pods), 0);
      const on = `${whole(nodes.length)} of ${whole(all.length)} nodes accept the pods of ${node}`;
      if (nodes.length === 0)
        return fail(`${on}: nodeSelector or tolerations match none.`, 'Check nodeSelector and tolerations.');
      return room < pods.replicas
        ? fail(
            `${on}, with room for ${whole(room)} of ${whole(pods.replicas)}${pods.hostNetwork ? '; hostNetwork allows one per node' : ''}.`,
            `replicas: ${Math.max(1, room)}`,
          )
        : pass(`${on}, with room for ${whole(room)} without other pods.`);
    })(context),
};
