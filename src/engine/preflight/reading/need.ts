import type { ApiName } from './apis';
import type { ClusterReading } from './clusterReadings';
import type { ConfigName } from './configs';
import type { CommandName } from './commands';
/** One reading that a rule needs. Nothing else is ever read, and nothing is changed. */
export type Need =
  /** One file, by absolute path. */
  | { readonly file: string }
  /** All files of a shell pattern, e.g. those of every CPU. */
  | { readonly files: string }
  /** A program with fixed arguments, see `reading/commands.ts`. */
  | { readonly command: CommandName }
  /** A configuration file of the server at any path, see `reading/configs.ts`. */
  | { readonly config: ConfigName }
  /** The server's own processes: arguments and limits. */
  | { readonly process: 'server' }
  /** What the server reports over HTTP, see `reading/apis.ts`; needs no connection to its host. */
  | { readonly api: ApiName }
  /** Objects of the cluster of testers, see `reading/clusterReadings.ts`. */
  | { readonly cluster: ClusterReading };
