import { appName, clusterLabels, managedBy } from '../../../../domain/kubernetes/names';
import { selects } from '../../../../domain/kubernetes/objects';
import { clusterFact } from '../../reading/clusterFacts';
import { pass, warn, type PreflightRule } from '../../rule';
import { ofPods, onCluster } from './onCluster';

const labels = { [clusterLabels.name]: appName, [clusterLabels.managedBy]: managedBy };

export const networkPolicies: PreflightRule = {
  id: 'kubernetes.network-policy',
  title: 'Network policies',
  checks: 'NetworkPolicies that select the pods and restrict their egress.',
  why: 'Viewers whose packets a policy drops fail by a timeout, which looks like a fault of the server.',
  good: 'none that selects the pods, or one that allows the address and the media ports of the server',
  source: 'Kubernetes: Network Policies',
  applies: onCluster,
  needs: [{ cluster: 'networkPolicies' }],
  judge: (facts, context) =>
    ofPods((_pods, { node, origin }) => {
      const restricting = clusterFact(facts, 'networkPolicies').filter(({ spec }) => {
        // Without types a policy is about egress if it has rules of it.
        const isOfEgress = spec?.policyTypes?.includes('Egress') ?? (spec?.egress?.length ?? 0) > 0;
        return isOfEgress && selects(spec?.podSelector, labels);
      });
      if (restricting.length === 0) return pass(`No network policy restricts the egress of the pods of ${node}.`);
      const names = restricting.map(({ metadata }) => metadata.name).join(', ');
      return warn(
        `The network policy ${names} restricts the egress of the pods of ${node}; it has to allow ${origin?.node ?? 'the server'} with its media ports over UDP.`,
      );
    })(context),
};
