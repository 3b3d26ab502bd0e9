import { readSmallFile } from '../base/smallFile';
import { FullhouseError } from '../../contract/calls';
import { systemClock } from '../base/clock';
import type { KubeLogin } from './kubeconfig';
import type * as client from './library';
import { PluginLogin, type PluginOptions } from './pluginLogin';

/** Loaded on first use: it is large, and most consoles never need it. */
export const kubernetesClient = () => import('./library');

/** The official client for one login. */
export interface KubeClient {
  readonly library: typeof client;
  readonly config: client.KubeConfig;
  /** Of a user whose credentials a program writes. */
  readonly plugin: PluginLogin | undefined;
}

/**
 * The client's own ways to get credentials are not used: it runs programs with the whole environment, without a limit of
 * time, and reads files of any size.
 */
export async function kubeClient(
  { context, cluster, user }: KubeLogin,
  options: PluginOptions = { wall: systemClock.wall },
): Promise<KubeClient> {
  if (user.authProvider !== undefined)
    throw new FullhouseError(
      'cluster-login',
      `The kubeconfig user "${user.name}" logs in by the auth-provider "${user.authProvider}", which kubectl no longer ` +
        'supports either. Use a plugin (exec), a token or a client certificate.',
    );
  const library = await kubernetesClient();
  const config = new library.KubeConfig();
  const { plugin: program, tokenFile, ...plain } = user;
  config.loadFromOptions({ contexts: [context], clusters: [cluster], users: [plain], currentContext: context.name });
  const plugin = program && loginOf({ name: user.name, plugin: program }, cluster, options);
  if (plugin || tokenFile !== undefined)
    config.addAuthenticator({
      isAuthProvider: () => true,
      applyAuthentication: async (_user, request) => {
        const found = plugin ? await plugin.credentials() : { token: tokenIn(user.name, tokenFile ?? '') };
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
  options: PluginOptions,
): PluginLogin {
  const key = JSON.stringify([user, cluster]);
  const known = logins.get(key);
  if (known) return known;
  const login = new PluginLogin(user, cluster, options);
  if (logins.size >= maxLogins) logins.clear();
  logins.set(key, login);
  return login;
}

/** Read for each request: its owner renews it. */
function tokenIn(user: string, path: string): string {
  try {
    return readSmallFile(path).trim();
  } catch (error) {
    throw new FullhouseError(
      'cluster-login',
      `The kubeconfig user "${user}" can't log in: its token file ${path} can't be read: ${(error as Error).message}.`,
      { cause: error },
    );
  }
}
