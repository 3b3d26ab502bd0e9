import type { ConsentItem, NewNode } from './consent';

/** `nodes.load.kubeconfig: read the kubeconfig "kc.yaml" of this machine` */
export const itemLine = ({ path, text }: ConsentItem): string => `${path}: ${text}`;

/** `origin (http://10.0.0.9:8081, ssh://qa@10.0.0.9), to which the stored httpPassword is sent` */
export const newNodeLine = ({ name, addresses, secrets = [] }: NewNode): string =>
  `${name} (${addresses.join(', ')})` +
  (secrets.length > 0
    ? `, to which the stored ${secrets.join(' and ')} ${secrets.length > 1 ? 'are' : 'is'} sent`
    : '');

/** All addresses of new nodes, each once. */
export const addressesOf = (newNodes: readonly NewNode[]): readonly string[] => [
  ...new Set(newNodes.flatMap(({ addresses }) => addresses)),
];
