import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Kubeconfig } from './kubeconfigFile';
import { variable } from '../base/variables';

const account = '/var/run/secrets/kubernetes.io/serviceaccount';
const tokenFile = join(account, 'token');

/** Whether this process runs in a pod with a service account. */
export const isInCluster = (): boolean => existsSync(tokenFile);

/** The login of the pod's service account. */
export function inCluster(): Kubeconfig {
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
