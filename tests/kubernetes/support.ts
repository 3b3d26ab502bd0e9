import type { Plan } from '../../src/domain/model/plan';
import type { TesterSettings } from '../../src/domain/model/nodeSettings';
import { roleBindingManifest, roleManifest } from '../../src/domain/kubernetes/access';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { imageArchive, imageTag, makeImages } from '../../scripts/image.mjs';
import { startCluster, type Cluster } from '../support/cluster/cluster';
import { agentFolder, later, planOf, samplesFolder } from '../integration/support';

export const namespace = 'load';

/** A cluster with our image, and a user with exactly the rights of our Role. */
export async function clusterForTesters(): Promise<Cluster> {
  await makeImages();
  const cluster = await startCluster();
  try {
    await cluster.importImage(imageArchive);
    await cluster.kubectl(['create', 'namespace', namespace]);
    // The strictest policy: our pods have to comply with it.
    await cluster.kubectl(['label', 'namespace', namespace, 'pod-security.kubernetes.io/enforce=restricted']);
    const binding = roleBindingManifest(namespace);
    for (const object of [
      roleManifest(namespace),
      { ...binding, subjects: binding.subjects.map((subject) => ({ ...subject, name: 'restricted' })) },
    ])
      await cluster.kubectl(['apply', '-f', '-'], JSON.stringify(object));
    return cluster;
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}

export interface Lab {
  /** The server for a plan. */
  readonly origin: Plan['nodes'][string];
  /** Viewers by its own count, a value a second. */
  readonly viewers: number[];
}

/** A lab on this machine that pods reach, ended by `cleanUp`. */
export async function labFor({ hostAddress }: Cluster): Promise<Lab> {
  const agent = await startLocalAgent({
    binary: localAgentBinary(agentFolder),
    role: 'lab',
    args: [
      ...['--network', '--http', `${hostAddress}:0`, '--media', `${hostAddress}:0`],
      ...['--samples', samplesFolder, '--idle-timeout', '60s'],
    ],
  });
  later(async () => void (await agent.end()));
  const link = await openAgentLink({
    address: () => agent.listening.address,
    token: agent.token,
    who: 'The lab',
    version: '0.1.0',
  });
  later(() => link.close());
  const viewers: number[] = [];
  link.onRecord((record) => {
    if (record.kind === 'sample')
      viewers.push((record.sample.lab?.streams ?? []).reduce((sum, { viewers: each }) => sum + each, 0));
  });
  const at = `http://${agent.listening.http ?? ''}`;
  return { origin: { server: 'generic', whep: `${at}/whep/{stream}`, whip: `${at}/whip/{stream}` }, viewers };
}

/** Testers in the cluster, small enough for its one node. */
export function podsOf(cluster: Cluster, over: Partial<TesterSettings> = {}): TesterSettings {
  return {
    tester: 'kubernetes',
    replicas: 4,
    namespace,
    kubeconfig: cluster.restrictedKubeconfig,
    image: imageTag,
    pullPolicy: 'Never',
    resources: { cpu: '50m', memory: '256Mi' },
    ...over,
  };
}

/** A run of a lab's stream by the pods. */
export function planWith(lab: Lab, load: TesterSettings, pull: Partial<Plan['pull']> = {}): Plan {
  return planOf(
    { by: ['load'], viewers: 400, ratePerSecond: 200, ...pull },
    {
      nodes: { origin: lab.origin, load, local: { tester: 'local' } },
      publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'local' }],
    },
  );
}

/** Names of the objects of testers that exist in the cluster. */
export async function objectsIn(cluster: Cluster): Promise<string[]> {
  const label = ['-l', 'app.kubernetes.io/managed-by=fullhouse'];
  const text = await cluster.kubectl([
    'get',
    'jobs,pods,secrets',
    '-n',
    namespace,
    ...label,
    '-o',
    'name',
    '--ignore-not-found',
  ]);
  return text.split('\n').filter((line) => line !== '');
}

/** Names of the pods. */
export async function podNames(cluster: Cluster): Promise<string[]> {
  const text = await cluster.kubectl(['get', 'pods', '-n', namespace, '-o', 'name']);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace('pod/', ''));
}
