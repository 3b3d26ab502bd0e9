import type { ConsentItem, NewNode } from './consent';

/** `nodes.load.kubeconfig: read the kubeconfig "kc.yaml" of this machine` */
export const itemLine = ({ path, text }: ConsentItem): string => `${path}: ${text}`;

/** `origin (http://10.0.0.9:8081, ssh://qa@10.0.0.9)` */
export const newNodeLine = ({ name, addresses }: NewNode): string => `${name} (${addresses.join(', ')})`;

/** All addresses of new nodes, each once. */
export const addressesOf = (newNodes: readonly NewNode[]): readonly string[] => [
  ...new Set(newNodes.flatMap(({ addresses }) => addresses)),
];
