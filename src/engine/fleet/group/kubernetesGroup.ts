import type { TesterSettings } from '../../../domain/model/nodeSettings';
import type { ClusterOwner } from '../../../domain/kubernetes/owner';
import type { RemoteNodeOptions } from '../fleetKit';
import { KubernetesSource } from './kubernetesSource';
import { TesterGroup } from './testerGroup';

/** A tester group whose members are pods. */
export function kubernetesGroup(
  options: RemoteNodeOptions,
  settings: TesterSettings,
  owner: ClusterOwner,
): TesterGroup {
  const { id, clock, versions } = options;
  const { replicas = 1, namespace, context, atLeast } = settings;
  const place = [context, namespace].filter((part) => part !== undefined).join('/');
  const source = new KubernetesSource({ id, settings, owner, version: versions['fullhouse'] ?? 'unknown', clock });
  return new TesterGroup(
    {
      ...options,
      reach: `Kubernetes${place === '' ? '' : ` ${place}`}, ${replicas} ${replicas === 1 ? 'pod' : 'pods'}`,
      host: `pods of ${id}`,
      ...(atLeast === undefined ? {} : { atLeast }),
    },
    settings,
    source,
  );
}
