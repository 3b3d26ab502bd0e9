import type { PlanConsent } from '../../../domain/consent/consent';
import { contactsOf, sourceContact, turnContact } from '../../../domain/consent/contacts';
import { audiencesOf } from '../../../domain/model/distribution';
import type { NodeSettings } from '../../../domain/model/nodeSettings';
import type { Plan } from '../../../domain/model/plan';
import { isRtspSource } from '../../../domain/plan/rtspSource';

/** A node of a plan, or another party, and where it is contacted. */
export interface ContactRow {
  readonly name: string;
  readonly addresses: readonly string[];
  /** Stored secrets that are sent there. */
  readonly secrets: readonly string[];
  /** Where it is if it has no address. */
  readonly place: string;
  /** The fleet has no node with these settings. */
  readonly isNew: boolean;
}

/** Every party that a plan contacts, new ones first. */
export function contactRows(plan: Plan, { items, newNodes }: PlanConsent): readonly ContactRow[] {
  const addressed = new Map<string, Set<string>>();
  const add = (name: string, addresses: readonly string[]): void => {
    const known = addressed.get(name) ?? new Set();
    addressed.set(name, known);
    for (const address of addresses) known.add(address);
  };
  for (const [name, settings] of Object.entries(plan.nodes))
    add(
      name,
      contactsOf(`nodes.${name}`, settings).map(({ address }) => address),
    );
  for (const { turn } of audiencesOf(plan))
    if (turn?.url !== undefined) add('TURN server', [turnContact('turn', turn.url).address]);
  for (const { source, stream } of plan.publish)
    if (isRtspSource(source)) add(`source of ${stream}`, [sourceContact('source', source).address]);
  for (const { name, addresses } of newNodes) add(name, addresses);
  // A node without an address, e.g. pods of a cluster, is new if any of its fields has to be allowed.
  const isNew = (name: string): boolean =>
    newNodes.some((node) => node.name === name) ||
    items.some(({ path }) => path === `nodes.${name}` || path.startsWith(`nodes.${name}.`));
  const placeOf = (settings: NodeSettings | undefined): string =>
    settings && 'tester' in settings && settings.tester === 'kubernetes' ? 'pods of a cluster' : 'this machine';
  return [...addressed]
    .map(([name, addresses]) => ({
      ...{ name, addresses: [...addresses], isNew: isNew(name) },
      secrets: newNodes.find((node) => node.name === name)?.secrets ?? [],
      place: placeOf(plan.nodes[name]),
    }))
    .sort((a, b) => Number(b.isNew) - Number(a.isNew));
}
