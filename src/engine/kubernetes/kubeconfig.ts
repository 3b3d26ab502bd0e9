import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { KubeConfig } from '@kubernetes/client-node';
import type { KubernetesSettings } from '../../domain/model/kubernetesSettings';
import type { KubeContexts } from '../../domain/kubernetes/clusterCheck';
import { defaultNamespace } from '../../domain/kubernetes/names';
import { FullhouseError } from '../../contract/calls';
import { readBoundedFile } from '../base/boundedFile';

/** Loaded on first use: it is large, and most consoles never need it. */
export const kubernetesClient = () => import('./library');

/** The kubeconfig that the settings name, else the one that kubectl would use, with their context selected. */
export async function loadKubeConfig(
  settings: Pick<KubernetesSettings, 'kubeconfig' | 'context'>,
): Promise<KubeConfig> {
  const client = await kubernetesClient();
  const config = new client.KubeConfig();
  const { context } = settings;
  const paths = filesOf(settings.kubeconfig);
  try {
    if (paths.length === 0 && existsSync(tokenOfPod)) config.loadFromCluster();
    else if (paths.length === 0) throw missing(join('~', '.kube', 'config'));
    else
      for (const [place, path] of paths.entries()) {
        if (!existsSync(path)) throw missing(path);
        readBoundedFile(path, maxConfigBytes);
        if (place === 0) config.loadFromFile(path);
        else {
          const other = new client.KubeConfig();
          other.loadFromFile(path);
          config.mergeConfig(other, true);
        }
      }
  } catch (error) {
    if (error instanceof FullhouseError) throw error;
    throw new FullhouseError(
      'bad-kubeconfig',
      `${paths.join(', ')} is not a usable kubeconfig: ${(error as Error).message}.`,
    );
  }
  if (context !== undefined) {
    if (!config.getContextObject(context))
      throw new FullhouseError(
        'bad-kubeconfig',
        `The kubeconfig has no context "${context}". It has: ${namesOf(config) || 'none'}.`,
      );
    config.setCurrentContext(context);
  }
  if (!config.getCurrentCluster())
    throw new FullhouseError(
      'bad-kubeconfig',
      `The kubeconfig has no current context. Choose one: ${namesOf(config) || 'it has none'}.`,
    );
  return config;
}

/** The contexts of a kubeconfig. */
export async function contextsOf(kubeconfig: string | undefined): Promise<KubeContexts> {
  const config = await loadKubeConfig({ kubeconfig });
  const current = config.getCurrentContext();
  return {
    ...(current ? { current } : {}),
    contexts: config.getContexts().map(({ name, cluster, namespace }) => ({
      name,
      cluster,
      namespace: namespace ?? defaultNamespace,
    })),
  };
}

/** A kubeconfig of hundreds of clusters. */
const maxConfigBytes = 4 * 1024 * 1024;

const tokenOfPod = '/var/run/secrets/kubernetes.io/serviceaccount/token';

function filesOf(kubeconfig: string | undefined): readonly string[] {
  if (kubeconfig !== undefined) return [kubeconfig.replace(/^~(?=[/\\])/, homedir())];
  const named = (process.env['KUBECONFIG'] ?? '').split(delimiter).filter((path) => path !== '');
  if (named.length > 0) return named;
  const usual = join(homedir(), '.kube', 'config');
  return existsSync(usual) ? [usual] : [];
}

const missing = (path: string): FullhouseError =>
  new FullhouseError(
    'bad-kubeconfig',
    `There is no kubeconfig at ${path}. Set its path, or log in to the cluster first.`,
  );

const namesOf = (config: KubeConfig): string =>
  config
    .getContexts()
    .map(({ name }) => name)
    .join(', ');
