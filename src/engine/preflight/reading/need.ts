import type { Cluster } from '../../kubernetes/cluster';
import type { HttpLink } from '../../links/http/httpLink';
import type { ConfigName } from './configs';

/**
 * Programs that rules may run on a node, with exactly these arguments. Each is quick, reads only, and needs no root.
 */
export const commands = {
  java: ['java', '-version'],
  timedatectl: ['timedatectl', 'show'],
  chronyc: ['chronyc', '-n', 'tracking'],
  df: ['df', '-Pk'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type CommandName = keyof typeof commands;

/** Figures that servers report over HTTP, for rules; read from the node's configured address. */
export const apis = {
  'wcs ports': '/?action=stat&format=json&groups=port_stats',
} as const satisfies Readonly<Record<string, string>>;

export type ApiName = keyof typeof apis;

/** The text of a response. Rejects with the link's message. */
export function readApi(http: HttpLink, name: ApiName, signal: AbortSignal): Promise<string> {
  return http.text({ url: apis[name], signal });
}

/** What rules read of a cluster. */
export const clusterReadings = {
  quotas: (cluster: Cluster) => cluster.quotas(),
  networkPolicies: (cluster: Cluster) => cluster.networkPolicies(),
  nodes: (cluster: Cluster) => cluster.nodes(),
} as const;
export type ClusterReading = keyof typeof clusterReadings;

/** One reading that a rule needs. Nothing else is ever read, and nothing is changed. */
export type Need =
  /** One file, by absolute path. */
  | { readonly file: string }
  /** All files of a shell pattern, e.g. those of every CPU. */
  | { readonly files: string }
  /** A program with fixed arguments, see `commands`. */
  | { readonly command: CommandName }
  /** A configuration file of the server at any path, see `reading/configs.ts`. */
  | { readonly config: ConfigName }
  /** The server's own processes: arguments and limits. */
  | { readonly process: 'server' }
  /** What the server reports over HTTP, see `apis`; needs no connection to its host. */
  | { readonly api: ApiName }
  /** Objects of the cluster of testers, see `clusterReadings`. */
  | { readonly cluster: ClusterReading };
