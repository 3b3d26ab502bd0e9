/** What a kubeconfig does with this machine to log in to the cluster that a node names. */
export interface ClusterAccess {
  /** Address of the API server. */
  readonly server: string;
  /** Another server that its requests pass. */
  readonly proxy?: string;
  readonly context: string;
  /** That of the node, else of the context. */
  readonly namespace: string;
  readonly user: string;
  /** A program that is run for its credentials. */
  readonly plugin?: {
    readonly command: readonly [string, ...string[]];
    readonly variables: Readonly<Record<string, string>>;
  };
  /** Files that are read for its credentials, e.g. a client certificate. */
  readonly files: readonly string[];
}

/** A kubeconfig that can't be used, and why: one sentence that quotes nothing of it. */
export interface UnusableAccess {
  readonly fault: string;
}
