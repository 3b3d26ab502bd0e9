import { estimateSearch } from './searchEstimate';
import { audiencesOf } from '../model/distribution';
import type { Audience, Plan } from '../model/plan';
import { publisherGroups } from '../model/publisherGroup';

/** From the first arrival to the end of the hold; undefined if it never ends, or if that depends on measurements. */
export function lengthMs(
  pull: Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>,
): number | undefined {
  // The length of a search is unknown; stages have a planned length.
  if (pull.search) return undefined;
  if (pull.stages) return pull.holdMs;
  return pull.holdMs === 0 ? undefined : rampUpMs(pull) + pull.holdMs;
}

/** From the first arrival to the last, at the target rate. */
export function rampUpMs(pull: Pick<Audience, 'viewers' | 'ratePerSecond'>): number {
  return (1000 * pull.viewers) / pull.ratePerSecond;
}

/** The size of a plan, for a list of plans. */
export interface PlanSize {
  /** Peak viewers of all audiences combined. */
  readonly viewers: number;
  /** Publishers of a plan without an audience. */
  readonly publishers?: number;
  /** Length of the longest audience; absent if one never ends. */
  readonly lengthMs?: number;
  /** A search: its length is an average, and its viewers are the upper bound. */
  readonly isSearch?: true;
}

export function sizeOf(plan: Plan): PlanSize {
  const audiences = audiencesOf(plan);
  const viewers = audiences.reduce((sum, audience) => sum + audience.viewers, 0);
  const groups = publisherGroups(plan);
  const lengths = [
    ...audiences.map((pull) => (pull.search ? estimateSearch(pull.search, pull.ratePerSecond).ms : lengthMs(pull))),
    ...groups.map(({ publishers, search, ratePerSecond, holdMs }) =>
      search ? estimateSearch(search, ratePerSecond).ms : lengthMs({ viewers: publishers, ratePerSecond, holdMs }),
    ),
  ];
  const known = lengths.filter((length) => length !== undefined);
  return {
    viewers,
    ...(groups.length > 0 ? { publishers: groups.reduce((sum, { publishers }) => sum + publishers, 0) } : {}),
    ...(known.length === lengths.length ? { lengthMs: Math.round(Math.max(...known)) } : {}),
    ...([...audiences, ...groups].some(({ search }) => search) ? { isSearch: true } : {}),
  };
}
