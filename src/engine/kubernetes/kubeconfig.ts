import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import type { KubeContexts } from '../../domain/kubernetes/clusterCheck';
import { defaultNamespace } from '../../domain/kubernetes/names';
import { expanded } from '../base/expandedPath';
import { FullhouseError } from '../../contract/calls';
import { type KubeCluster, type Kubeconfig, type KubeContext, type KubeUser, readKubeconfig } from './kubeconfigFile';
import { variable } from '../base/variables';

/** The cluster, context and user that settings name. */
export interface KubeLogin {
  readonly context: KubeContext;
  readonly cluster: KubeCluster;
  readonly user: KubeUser;
}

/** The login of the kubeconfig that the settings name, else of the one that kubectl would use. Contacts nothing. */
export function kubeLogin(settings: Pick<KubernetesSettings, 'kubeconfig' | 'context'>): KubeLogin {
  const config = loadKubeconfig(settings.kubeconfig);
  const name = settings.context ?? config.currentContext;
  const context = config.contexts.find((context) => context.name === name);
  if (settings.context !== undefined && !context)
    throw new FullhouseError(
      'bad-kubeconfig',
      `The kubeconfig has no context "${settings.context}". It has: ${contextsText(config, settings.kubeconfig)}.`,
    );
  const cluster = context && config.clusters.find((cluster) => cluster.name === context.cluster);
  if (!context || !cluster)
    throw new FullhouseError(
      'bad-kubeconfig',
      `The kubeconfig has no current context. Choose one. It has: ${contextsText(config, settings.kubeconfig)}.`,
    );
  const user = config.users.find((user) => user.name === context.user) ?? { name: context.user };
  return { context, cluster, user };
}

/** The contexts of a kubeconfig. */
export function contextsOf(kubeconfig: string | undefined): KubeContexts {
  const config = loadKubeconfig(kubeconfig);
  const current = config.currentContext;
  return {
    ...(current ? { current } : {}),
    contexts: config.contexts.map(({ name, cluster, namespace }) => ({
      name,
      cluster,
      namespace: namespace ?? defaultNamespace,
    })),
  };
}

function loadKubeconfig(kubeconfig: string | undefined): Kubeconfig {
  const paths = filesOf(kubeconfig);
  if (paths.length === 0 && isInCluster()) return inCluster();
  if (paths.length === 0) throw missing(join('~', '.kube', 'config'));
  const all = paths.map((path) => {
    if (!existsSync(path)) throw missing(path);
    return readKubeconfig(path);
  });
  // As kubectl: the first file that names something has precedence.
  return {
    currentContext: all.find(({ currentContext }) => currentContext)?.currentContext,
    clusters: all.flatMap(({ clusters }) => clusters),
    contexts: all.flatMap(({ contexts }) => contexts),
    users: all.flatMap(({ users }) => users),
  };
}

function filesOf(kubeconfig: string | undefined): readonly string[] {
  if (kubeconfig !== undefined) return [expanded(kubeconfig)];
  const named = (variable('KUBECONFIG') ?? '').split(delimiter).filter((path) => path !== '');
  if (named.length > 0) return named;
  const usual = join(homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

const missing = (path: string): FullhouseError =>
  new FullhouseError(
    'bad-kubeconfig',
    `There is no kubeconfig at ${path}. Set its path, or log in to the cluster first.`,
  );

/** The contexts of the user's own kubeconfig by name, of any other file their number: it may be another user's. */
function contextsText({ contexts }: Kubeconfig, named: string | undefined): string {
  if (contexts.length === 0) return 'none';
  return named === undefined
    ? contexts.map(({ name }) => name).join(', ')
    : `${contexts.length} ${contexts.length === 1 ? 'context' : 'contexts'}`;
}

const account = '/var/run/secrets/kubernetes.io/serviceaccount';
const tokenFile = join(account, 'token');

/** Whether this process runs in a pod with a service account. */
const isInCluster = (): boolean => existsSync(tokenFile);

/** The login of the pod's service account. */
function inCluster(): Kubeconfig {
  const name = 'inCluster';
  const [host, port] = [variable('KUBERNETES_SERVICE_HOST') ?? '', variable('KUBERNETES_SERVICE_PORT') ?? '443'];
  const namespaceFile = join(account, 'namespace');
  const namespace = existsSync(namespaceFile) ? readFileSync(namespaceFile, 'utf8').trim() : undefined;
  return {
    currentContext: name,
    clusters: [
      {
        ...{ name, caFile: join(account, 'ca.crt'), skipTLSVerify: false },
        server: `https://${host.includes(':') ? `[${host}]` : host}:${port}`,
      },
    ],
    contexts: [{ name, cluster: name, user: name, ...(namespace ? { namespace } : {}) }],
    users: [{ name, tokenFile }],
  };
}
