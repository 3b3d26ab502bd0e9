import type { LostTester, ShortGroup } from '../../domain/evidence/evidence';
import type { FleetNode, NodeChange } from '../fleet/node';
import type { RunData } from './runData';

/** The members of tester groups that a run lacks: from its start, or lost and not replaced. */
export class GroupMembers {
  private readonly missing = new Map<string, LostTester>();
  private readonly short = new Map<string, ShortGroup>();

  constructor(private readonly data: RunData) {}

  /** Each with its reason. A run that ends with fewer members than it began with proves nothing about the origin. */
  get lost(): readonly LostTester[] {
    return [...this.missing.values()];
  }

  /** Groups that began with fewer members than they have. */
  get shortGroups(): readonly ShortGroup[] {
    return [...this.short.values()];
  }

  take(node: FleetNode, { name, member, timeMs, sentence }: Extract<NodeChange, { kind: 'message' }>): void {
    for (const group of this.data.nodes.namesOf(node)) {
      const key = `${group} ${member ?? ''}`;
      if (name === 'group-short') this.short.set(group, { node: group, sentence });
      else if (name === 'member-ready') this.missing.delete(key);
      else if (name === 'member-lost' && this.isNeeded(group))
        this.missing.set(key, { node: group, timeMs, sentence: `${group}: ${sentence}.` });
    }
  }

  /** Whether viewers of the group are still to be pulled, or are not yet disconnecting. */
  private isNeeded(group: string): boolean {
    const { pulls, isClosing } = this.data;
    const groupPulls = pulls.list.filter(({ plan }) => plan.by.includes(group));
    return !isClosing && (groupPulls.length === 0 || groupPulls.some(({ leaveMs }) => leaveMs === undefined));
  }
}
