import type { ClusterOwner } from '../../../domain/kubernetes/owner';
import type { TesterSettings } from '../../../domain/model/nodeSettings';
import { unknownHost } from '../../../domain/model/host';
import { agentIdleMs } from '../../links/idleTimeout';
import type { RemoteNodeOptions } from '../fleetKit';
import type { GroupSource } from './groupSource';
import { KubernetesSource } from './kubernetesSource';
import { SshGroupSource } from './sshGroupSource';
import { TesterGroup } from './testerGroup';

/** What a tester group needs besides its settings. */
export interface GroupOptions extends RemoteNodeOptions {
  readonly agentFolder: string;
  readonly samplesFolder: string;
  /** The owner of what is created in a cluster. */
  readonly clusterOwner: ClusterOwner;
}

/** Starts the members of a group in another way than its settings say; for tests. */
export type OpenSource = (options: GroupOptions, settings: TesterSettings) => GroupSource;

/** A tester group with the members that its settings name. */
export function openGroup(options: GroupOptions, settings: TesterSettings, openSource?: OpenSource): TesterGroup {
  const common = { ...options, host: unknownHost, atLeast: settings.atLeast };
  if (openSource) return new TesterGroup({ ...common, reach: 'tester group' }, settings, openSource(options, settings));
  const { agentFolder, samplesFolder, clusterOwner: owner, versions } = options;
  const version = versions['fullhouse'] ?? 'unknown';
  if (settings.tester === 'kubernetes') {
    const { id, clock } = options;
    const source = new KubernetesSource({ id, settings, owner, version, clock });
    return new TesterGroup({ ...common, reach: clusterReach(settings), endsWithRun: true }, settings, source);
  }
  const source = new SshGroupSource({ ...options, agentFolder, samplesFolder, version, idleMs: agentIdleMs }, settings);
  const { inventory } = settings;
  const reach = inventory === undefined ? `SSH, ${settings.hosts?.length ?? 0} hosts` : `SSH, ${inventory}`;
  return new TesterGroup({ ...common, reach, uninstall: () => source.uninstall() }, settings, source);
}

/** `Kubernetes staging/load, 20 pods` */
function clusterReach({ context, namespace, replicas = 1 }: TesterSettings): string {
  const place = [context, namespace].filter((part) => part !== undefined).join('/');
  return `Kubernetes${place === '' ? '' : ` ${place}`}, ${replicas} ${replicas === 1 ? 'pod' : 'pods'}`;
}
