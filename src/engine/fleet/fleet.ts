import type { PlanNode } from '../../domain/plan';
import { FullhouseError } from '../../contract/calls';
import { Emitter } from '../emitter';
import { AgentNode, type AgentNodeOptions, type NodeNews } from './agentNode';

export type FleetOptions = Pick<
  AgentNodeOptions,
  'agentFolder' | 'samplesFolder' | 'versions' | 'labHttp' | 'now'
>;

/** The nodes of this machine: the lab and the local tester are always there, a plan may need more of them. */
export class Fleet {
  readonly news = new Emitter<{ readonly node: AgentNode; readonly news: NodeNews }>();
  private readonly all: AgentNode[] = [];

  constructor(private readonly options: FleetOptions) {
    this.add('lab', 'local lab', { server: 'lab' });
    this.add('local', 'this machine', { tester: 'local' });
  }

  get nodes(): readonly AgentNode[] {
    return this.all;
  }

  /** Throws a sentence when there is no such node. */
  node(id: string): AgentNode {
    const found = this.all.find((node) => node.id === id);
    if (!found) throw new FullhouseError('no-node', `There is no node "${id}".`);
    return found;
  }

  /**
   * Finds a node for each of the plan's names: the one of that name, else one of its kind that no other name has taken,
   * else a new one. `taken` holds the names of a run under way.
   */
  bind(
    planNodes: Readonly<Record<string, PlanNode>>,
    taken: ReadonlyMap<string, AgentNode> = new Map(),
  ): Map<string, AgentNode> {
    const bound = new Map(taken);
    const isTaken = (node: AgentNode): boolean => [...bound.values()].includes(node);
    const open = Object.entries(planNodes).filter(([name]) => !bound.has(name));
    const roleOf = (plan: PlanNode): AgentNode['role'] => ('server' in plan ? 'origin' : 'tester');
    for (const [name, plan] of Object.entries(planNodes)) {
      const known = bound.get(name) ?? this.all.find((node) => node.id === name);
      if (known && known.role !== roleOf(plan))
        throw new FullhouseError(
          'bad-plan',
          `nodes.${name}: "${name}" is ${known.role === 'origin' ? 'an origin' : 'a tester'} already; use another name.`,
        );
      if (known && !isTaken(known)) bound.set(name, known);
    }
    for (const [name, plan] of open) {
      if (bound.has(name)) continue;
      const free = this.all.find((node) => node.role === roleOf(plan) && !isTaken(node));
      bound.set(name, free ?? this.add(name, name, plan));
    }
    return bound;
  }

  tick(nowMs: number): void {
    for (const node of this.all) node.tick(nowMs);
  }

  /** Ends every agent; resolves when all their processes are gone. */
  async shutdown(force = false): Promise<void> {
    await Promise.all(this.all.map((node) => node.stop(force)));
  }

  private add(id: string, name: string, plan: PlanNode): AgentNode {
    const node = new AgentNode({ ...this.options, id, name, plan, colourSlot: this.all.length + 1 });
    this.all.push(node);
    node.news.on((news) => this.news.emit({ node, news }));
    return node;
  }
}
