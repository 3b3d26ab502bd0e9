/** Names of machines, as in `NodeView.host`. */

/** The machine that the console runs on. */
export const thisMachine = 'this-machine';
/** An unknown machine: two nodes on it need not share one. */
export const unknownHost = 'unknown';

/** For display: `this machine`, or the address of its nodes. */
export function hostName(host: string): string {
  return host === thisMachine ? 'this machine' : host.replace(/^host /, '');
}

/** The other nodes on a node's machine. */
export function sharingHost<Node extends { readonly id: string; readonly host: string }>(
  node: Node,
  nodes: readonly Node[],
): readonly Node[] {
  if (node.host === unknownHost) return [];
  return nodes.filter(({ id, host }) => host === node.host && id !== node.id);
}
