import { FullhouseError, type Handlers } from '../../src/contract/calls';
import type { kubernetesCalls } from '../../src/contract/kubernetesCalls';
import { neededPermissions } from '../../src/domain/kubernetes/access';

/** Two contexts; the user of `staging` may not list nodes, that of `production` nothing. */
export const kubernetesAnswers: Handlers<keyof typeof kubernetesCalls> = {
  'kubernetes.contexts': ({ kubeconfig }) => {
    if (kubeconfig === '/absent')
      throw new FullhouseError('bad-kubeconfig', 'There is no kubeconfig at /absent. Set its path.');
    return {
      current: 'staging',
      contexts: [
        { name: 'staging', cluster: 'staging', namespace: 'load' },
        { name: 'production', cluster: 'production', namespace: 'default' },
      ],
    };
  },
  'kubernetes.check': ({ context = 'staging', namespace = 'load' }) => {
    const isStaging = context === 'staging';
    const purposes = [...new Set(neededPermissions.map(({ purpose }) => purpose))];
    const rows = purposes.map((purpose) => {
      const ownPermissions = neededPermissions.filter((permission) => permission.purpose === purpose);
      const isAllowed = isStaging && ownPermissions.every(({ ofCluster }) => !ofCluster);
      return {
        purpose,
        isAllowed,
        isOptional: ownPermissions.every(({ isOptional }) => isOptional === true),
        missing: isAllowed ? [] : ownPermissions.map(({ verb, resource }) => `${verb} ${resource}`),
      };
    });
    return { cluster: context, namespace, version: 'v1.33.4', rows, canRun: isStaging };
  },
};
