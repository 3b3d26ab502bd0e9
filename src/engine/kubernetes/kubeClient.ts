import { readTextFile } from '../base/readTextFile';
import { FullhouseError } from '../../contract/calls';
import type { Clock } from '../base/clock';
import { reasonNotRead } from '../store/failure';
import type { KubeLogin } from './kubeconfig';
import { maxKubeBytes } from './kubeconfigFile';
import type * as client from './library';
import { PluginLogin } from './pluginLogin';

/** Loaded on first use: it is large, and most consoles never need it. */
export const kubernetesClient = () => import('./library');

/** The official client for one login. */
export interface KubeClient {
  readonly library: typeof client;
  readonly config: client.KubeConfig;
  /** Present for a user whose credentials a program writes. */
  readonly plugin: PluginLogin | undefined;
}

/**
 * The client's own ways to get credentials are not used: it runs programs with the whole environment, without a limit of
 * time, and reads files of any size.
 */
export async function kubeClient({ context, cluster, user }: KubeLogin, clock: Clock): Promise<KubeClient> {
  if (user.authProvider !== undefined)
    throw new FullhouseError(
      'cluster-login',
      `The kubeconfig user "${user.name}" logs in by the auth-provider "${user.authProvider}", which kubectl no longer ` +
        'supports either. Use a plugin (exec), a token or a client certificate.',
    );
  const library = await kubernetesClient();
  const config = new library.KubeConfig();
  const { plugin: program, tokenFile, certFile, keyFile, ...plain } = user;
  const { caFile, ...reached } = cluster;
  const dataOf = (file: string | undefined, data: string | undefined): string | undefined =>
    file === undefined ? data : Buffer.from(textOf(user.name, file)).toString('base64');
  const known = { ...reached, caData: dataOf(caFile, reached.caData) };
  config.loadFromOptions({
    contexts: [context],
    clusters: [known],
    users: [{ ...plain, certData: dataOf(certFile, plain.certData), keyData: dataOf(keyFile, plain.keyData) }],
    currentContext: context.name,
  });
  const plugin = program && loginOf({ name: user.name, plugin: program }, known, clock);
  if (plugin || tokenFile !== undefined)
    config.addAuthenticator({
      isAuthProvider: () => true,
      applyAuthentication: async (_user, request) => {
        const found = plugin ? await plugin.credentials() : { token: textOf(user.name, tokenFile ?? '').trim() };
        const headers = (request.headers ??= {}) as Record<string, string>;
        if (found.token !== undefined) headers['Authorization'] = `Bearer ${found.token}`;
        if ('key' in found) Object.assign(request, { cert: found.certificate, key: found.key });
      },
    });
  return { library, config, plugin };
}

/** One login for all connections to a cluster: a program may ask the person each time. */
const logins = new Map<string, PluginLogin>();
const maxLogins = 50;

function loginOf(
  user: ConstructorParameters<typeof PluginLogin>[0],
  cluster: KubeLogin['cluster'],
  clock: Clock,
): PluginLogin {
  const key = JSON.stringify([user, cluster]);
  const known = logins.get(key);
  if (known) return known;
  const login = new PluginLogin(user, cluster, { clock });
  if (logins.size >= maxLogins) logins.clear();
  logins.set(key, login);
  return login;
}

/** A file that the kubeconfig names; a token is read for each request, since its owner renews it. */
function textOf(user: string, path: string): string {
  try {
    return readTextFile(path, maxKubeBytes);
  } catch (error) {
    throw new FullhouseError(
      'cluster-login',
      `The kubeconfig user "${user}" can't log in: the file ${path} can't be read: ${reasonNotRead(error)}.`,
      { cause: error },
    );
  }
}
