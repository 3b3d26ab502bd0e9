import type { ConsentKind } from '../model/consentKind';
import type { ConsentItem, NewNode } from './consent';

/** Titles of the items of each kind, where a person reads them. */
const kindTitles: Readonly<Record<ConsentKind, string>> = {
  program: 'Programs',
  file: 'Files',
  secret: 'Secrets',
  network: 'Network',
  cluster: 'Clusters',
};

/** What a plan does of one kind. */
export interface ItemGroup {
  readonly title: string;
  readonly items: readonly ConsentItem[];
}

/** Items by kind, in the same order everywhere. */
export const itemGroups = (items: readonly ConsentItem[]): readonly ItemGroup[] =>
  (Object.keys(kindTitles) as ConsentKind[])
    .map((kind) => ({ title: kindTitles[kind], items: items.filter((item) => item.kind === kind) }))
    .filter((group) => group.items.length > 0);

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
