import type { LineSubject } from '../charts/chartTraces';
import { audienceId } from '../model/audience';
import { audiencesOf } from '../model/distribution';
import type { NodeView } from '../model/node';
import type { Plan, Audience } from '../model/plan';
import { protocolNames } from '../model/protocols';
import { networkText } from './networkText';

/** An audience of a plan that has several. */
export interface NamedAudience {
  /** In place of a node's id where its figures are recorded: they are those of all testers together. */
  readonly id: string;
  /** Its label; else protocol and stream, and the network where these are the same. */
  readonly name: string;
  readonly pull: Audience;
}

/** The audiences of a plan; none if there is only one, whose figures are those of the testers. */
export function severalAudiences(plan: Pick<Plan, 'pull' | 'also'>): readonly NamedAudience[] {
  const all = allAudiences(plan);
  return all.length < 2 ? [] : all;
}

/** All audiences with their names, also if there is only one. */
export function allAudiences(plan: Pick<Plan, 'pull' | 'also'>): readonly NamedAudience[] {
  const pulls = audiencesOf(plan);
  const short = pulls.map(({ label, protocol, stream }) => label ?? `${protocolNames[protocol]} ${stream}`);
  const long = pulls.map(({ label, network }, place) => {
    const name = short[place] ?? '';
    const isUnique = short.indexOf(name) === short.lastIndexOf(name);
    return label !== undefined || isUnique ? name : `${name}, ${networkText(network) ?? 'real network'}`;
  });
  return pulls.map((pull, place) => {
    const name = long[place] ?? '';
    const before = long.slice(0, place).filter((other) => other === name).length;
    return { id: audienceId(place), name: before > 0 ? `${name} (${before + 1})` : name, pull };
  });
}

/**
 * The audiences whose percentiles are recorded under their own id, over all testers: several, or the only one if it has
 * several testers.
 */
export function audiencesWithPercentiles(plan: Pick<Plan, 'pull' | 'also'>): readonly NamedAudience[] {
  const several = severalAudiences(plan);
  const { pull } = plan;
  if (several.length > 0 || !pull || pull.by.length < 2) return several;
  return [{ id: audienceId(0), name: 'all testers', pull }];
}

/** The lines of a run's audiences if it has several, in the colours after those of its nodes. */
export function audienceLines(nodes: readonly NodeView[], plan: Plan | undefined): readonly LineSubject[] {
  if (!plan) return [];
  const lastSlot = Math.max(0, ...nodes.map(({ colourSlot }) => colourSlot));
  return severalAudiences(plan).map(({ id, name }, place) => ({ id, name, colourSlot: lastSlot + 1 + place }));
}
