import type { NodeFix, NodeView } from '../../../domain/model/node';
import type { MenuItem } from '../../ui/menu';
import { hasAgent, isBuiltIn } from '../../parts/nodes/rowText';

/** An action for a node in its row. */
interface NodeAction {
  readonly id: 'edit' | 'reconnect' | 'hostKey' | 'removeAgent' | 'remove' | 'yaml';
  readonly text: string;
  readonly tone: 'plain' | 'danger';
  readonly run: () => void;
}

/** Implemented by the view; a row only selects one. */
export interface NodeCommands {
  readonly edit: (node: NodeView, focus?: 'ssh' | 'secret') => void;
  readonly reconnect: (node: NodeView) => void;
  readonly hostKey: (node: NodeView) => void;
  readonly removeAgent: (node: NodeView) => void;
  /** Immediate: the notice that follows can undo it. */
  readonly remove: (nodes: readonly NodeView[]) => void;
  readonly copyYaml: (node: NodeView) => void;
}

/** The entries of a row's menu. Built-in nodes can't be edited or removed. */
function nodeActions(node: NodeView, commands: NodeCommands): readonly NodeAction[] {
  const plain = (id: NodeAction['id'], text: string, run: () => void): NodeAction => ({
    id,
    text,
    tone: 'plain',
    run,
  });
  if (isBuiltIn(node)) return [plain('yaml', 'Copy as YAML', () => commands.copyYaml(node))];
  return [
    plain('edit', 'Edit', () => commands.edit(node)),
    plain('reconnect', 'Reconnect', () => commands.reconnect(node)),
    ...(node.hostKey ? [plain('hostKey', 'Show host key', () => commands.hostKey(node))] : []),
    plain('yaml', 'Copy as YAML', () => commands.copyYaml(node)),
    ...(hasAgent(node.settings) ? [plain('removeAgent', 'Remove agent…', () => commands.removeAgent(node))] : []),
    { id: 'remove', text: 'Remove node', tone: 'danger', run: () => commands.remove([node]) },
  ];
}

/** The same as entries of a menu. */
export function nodeMenuItems(node: NodeView, commands: NodeCommands): readonly MenuItem[] {
  return nodeActions(node, commands).map(({ id, text, tone, run }) => ({
    id,
    text,
    isDanger: tone === 'danger',
    testId: `node-action-${id}`,
    run,
  }));
}

/** Action of the button at the end of a row. */
export function applyFix(node: NodeView, fix: NodeFix, commands: NodeCommands): void {
  switch (fix) {
    case 'add-ssh':
      return commands.edit(node, 'ssh');
    case 'enter-secret':
      return commands.edit(node, 'secret');
    case 'trust-key':
    case 'compare-keys':
      return commands.hostKey(node);
    case 'reconnect':
      return commands.reconnect(node);
    case 'edit':
      return commands.edit(node);
  }
}
