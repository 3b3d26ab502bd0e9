/** Names of machines, as `NodeView.host` has them. */

/** The machine that the console runs on. */
export const thisMachine = 'this-machine';
/** A machine of which nothing is known: two nodes with it need not share one. */
export const unknownHost = 'unknown';

/** For people: `this machine`, or the address that its nodes are reached by. */
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
