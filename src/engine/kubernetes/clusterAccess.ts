import type { ClusterAccess, UnusableAccess } from '../../domain/consent/clusterAccess';
import { defaultNamespace } from '../../domain/kubernetes/names';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import { FullhouseError } from '../../contract/calls';
import { kubeLogin } from './kubeconfig';

/** What a login to the cluster that the settings name does with this machine. Reads the kubeconfig only. */
export function clusterAccess(
  settings: Pick<KubernetesSettings, 'kubeconfig' | 'context' | 'namespace'>,
): ClusterAccess | UnusableAccess {
  try {
    const { cluster, context, user } = kubeLogin(settings);
    const { server, proxyUrl, caFile } = cluster;
    const { plugin, tokenFile, certFile, keyFile } = user;
    return {
      server,
      ...(proxyUrl === undefined ? {} : { proxy: proxyUrl }),
      context: context.name,
      namespace: settings.namespace ?? context.namespace ?? defaultNamespace,
      user: user.name,
      ...(plugin ? { plugin: { command: plugin.command, variables: plugin.variables } } : {}),
      files: [caFile, tokenFile, certFile, keyFile].flatMap((file) => file ?? []),
    };
  } catch (error) {
    if (error instanceof FullhouseError) return { fault: error.message };
    throw error;
  }
}
