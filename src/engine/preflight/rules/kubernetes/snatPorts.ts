import { fail, pass, usesUdp, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ofPods, onCluster } from './onCluster';
import { spreadOf, spreadText } from './spread';

/** Ports from 1024 on that a node's address has towards one address and port. */
const ports = 64_512;

export const snatPorts: PreflightRule = {
  id: 'kubernetes.snat-ports',
  title: 'Ports behind the address of a node',
  checks: 'Viewers per node against the ports of one address, where the CNI translates the addresses of pods.',
  why: 'Viewers of one node share its address towards the server: without a free port their first packet is dropped.',
  good: `at most half of ${whole(ports)} viewers per node to one address and port, or hostNetwork: true`,
  source: 'Linux: nf_nat; Kubernetes: IP Masquerade Agent',
  applies: (context) => onCluster(context) && usesUdp(context),
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node, viewers }) => {
      if (pods.hostNetwork) return pass(`The pods of ${node} use the network of their nodes, without translation.`);
      const { perNode, nodes } = spreadOf(facts, pods, viewers);
      const read = `${whole(perNode)} viewers of ${node} run ${spreadText(nodes)}`;
      const fix = 'Use more nodes, or hostNetwork: true.';
      if (perNode > ports) return fail(`${read}, more than its ${whole(ports)} ports to one address.`, fix);
      return perNode > ports / 2
        ? warn(`${read}, more than half of its ${whole(ports)} ports to one address.`, fix)
        : pass(`${read}, enough ports to one address.`);
    })(context),
};
