import { quantityOf } from '../../../../domain/kubernetes/quantity';
import { pass, usesUdp, warn, type PreflightRule } from '../../rule';
import { whole } from '../../text/numbers';
import { ofPods, onCluster } from './onCluster';
import { spreadOf, spreadText } from './spread';

/** What kube-proxy sets: entries per core, and at least. */
const [perCore, least] = [32_768, 131_072];
/** A flow, and a second one while ICE checks further candidates. */
const flowsPerViewer = 2;

export const conntrackTable: PreflightRule = {
  id: 'kubernetes.conntrack',
  title: 'Connection tracking of the nodes',
  checks:
    "UDP flows per node against kube-proxy's default of nf_conntrack_max; the value itself can't be read by the API.",
  why: 'A node whose table is full drops packets of new connections of all its pods, and reports it only in its own log.',
  good: `two entries per viewer, with at most half of ${whole(perCore)} per core (min ${whole(least)}) used`,
  source: 'Kubernetes: kube-proxy (--conntrack-max-per-core, --conntrack-min)',
  applies: (context) => onCluster(context) && usesUdp(context),
  needs: [{ cluster: 'nodes' }],
  judge: (facts, context) =>
    ofPods((pods, { node, viewers }) => {
      const { perNode, nodes } = spreadOf(facts, pods, viewers);
      const cores = Math.min(...(nodes ?? []).map(({ status }) => quantityOf(status?.allocatable?.['cpu'] ?? '') ?? 0));
      const table = Math.max(least, Number.isFinite(cores) ? Math.floor(cores) * perCore : 0);
      const read = `${whole(perNode)} viewers of ${node} ${spreadText(nodes)} need ${whole(perNode * flowsPerViewer)} of ${whole(table)} entries, the default of kube-proxy`;
      return perNode * flowsPerViewer > table / 2
        ? warn(
            `${read}.`,
            `On the nodes: sudo sysctl -w net.netfilter.nf_conntrack_max=${2 ** Math.ceil(Math.log2(perNode * flowsPerViewer * 2))}`,
          )
        : pass(`${read}.`);
    })(context),
};
