import type { NodeView } from '../model/node';
import { audiencesOf } from '../model/distribution';
import type { Plan } from '../model/plan';

/**
 * Why a run can't use a node now, with what to do; undefined if it can, or if unknown. The run itself starts agents of
 * this machine, and one whose host still responds over SSH.
 */
export function unreachable(node: NodeView): string | undefined {
  if (node.state !== 'failed' && node.state !== 'stale') return undefined;
  const { settings, name, problem } = node;
  const isStartedHere =
    node.builtIn === true ||
    (settings && ('tester' in settings ? settings.tester === 'local' : settings.server === 'lab'));
  if (isStartedHere) return undefined;
  // A run starts the members again.
  if (node.group && node.state === 'failed') return undefined;
  const hostAnswers = node.links?.some(({ kind, state }) => kind === 'ssh' && state === 'live') ?? false;
  if (node.role === 'tester' && node.state === 'failed' && hostAnswers) return undefined;
  const what = node.state === 'failed' ? `${name} can't be used` : `${name} has stopped responding`;
  // Many sentences about a node start with its name, which is already here.
  const reason = problem?.replace(`${name}: `, '').replace(/\.$/, '');
  const why = reason === undefined ? '' : `: ${reason}`;
  const other = node.role === 'origin' ? 'pull from another node' : 'choose another tester';
  return `${what}${why}. Reconnect it in Nodes, or ${other}.`;
}

/** A node that a plan needs for its load, and the field that names it. */
export interface NeededNode {
  /** The plan's name of the node. */
  readonly name: string;
  readonly path: string;
}

/** The nodes without which a plan can run no viewer, each once. Excludes nodes that are only observed. */
export function neededNodes(plan: Plan): readonly NeededNode[] {
  const needed = new Map<string, NeededNode>();
  const add = (name: string, path: string): void => {
    if (!needed.has(name)) needed.set(name, { name, path });
  };
  audiencesOf(plan).forEach(({ from, by }, place) => {
    const path = place === 0 ? 'pull' : `also.${place - 1}`;
    add(from, `${path}.from`);
    by.forEach((name, index) => add(name, `${path}.by.${index}`));
  });
  plan.publish.forEach(({ node, by, source }, index) => {
    if (source === 'external') return;
    add(node, `publish.${index}.node`);
    if (by !== undefined) add(by, `publish.${index}.by`);
  });
  return [...needed.values()];
}
