import type { NodeRemedy, NodeView } from '../../domain/node';
import { hasAgent, isBuiltIn } from './rowText';

/** Something that can be done with a node from its row. */
export interface NodeAction {
  readonly id: 'edit' | 'reconnect' | 'hostKey' | 'removeAgent' | 'remove' | 'yaml';
  readonly text: string;
  readonly tone: 'plain' | 'danger';
  readonly run: () => void;
}

/** What the view does; a row only says which. */
export interface NodeDeeds {
  readonly edit: (node: NodeView, focus?: 'ssh' | 'secret') => void;
  readonly reconnect: (node: NodeView) => void;
  readonly hostKey: (node: NodeView) => void;
  readonly removeAgent: (node: NodeView) => void;
  /** At once: the notice that follows can undo it. */
  readonly remove: (nodes: readonly NodeView[]) => void;
  readonly copyYaml: (node: NodeView) => void;
}

/** The entries of a row's menu. What this machine has by itself is neither edited nor removed. */
export function nodeActions(node: NodeView, deeds: NodeDeeds): readonly NodeAction[] {
  const plain = (id: NodeAction['id'], text: string, run: () => void): NodeAction => ({
    id,
    text,
    tone: 'plain',
    run,
  });
  if (isBuiltIn(node)) return [plain('yaml', 'Copy as YAML', () => deeds.copyYaml(node))];
  return [
    plain('edit', 'Edit', () => deeds.edit(node)),
    plain('reconnect', 'Reconnect', () => deeds.reconnect(node)),
    ...(node.hostKey ? [plain('hostKey', 'Look at its host key', () => deeds.hostKey(node))] : []),
    plain('yaml', 'Copy as YAML', () => deeds.copyYaml(node)),
    ...(hasAgent(node.settings)
      ? [plain('removeAgent', 'Remove agent…', () => deeds.removeAgent(node))]
      : []),
    { id: 'remove', text: 'Remove node', tone: 'danger', run: () => deeds.remove([node]) },
  ];
}

/** What the button at the end of a row does. */
export function applyRemedy(node: NodeView, remedy: NodeRemedy, deeds: NodeDeeds): void {
  switch (remedy) {
    case 'add-ssh':
      return deeds.edit(node, 'ssh');
    case 'enter-secret':
      return deeds.edit(node, 'secret');
    case 'trust-key':
    case 'compare-keys':
      return deeds.hostKey(node);
    case 'reconnect':
      return deeds.reconnect(node);
    case 'edit':
      return deeds.edit(node);
  }
}
