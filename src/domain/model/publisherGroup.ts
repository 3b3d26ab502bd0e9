import { z } from 'zod';
import { audiencesOf, viewersPerTester } from './distribution';
import { publisherRate, type Audience, type Plan, type PlanPublish } from './plan';
import type { PlanSearch } from './audienceValues';
import { count, immutable } from './schema';
import { derivedOfSearch } from './searchBound';

/** Publishers that are the load of a plan themselves, since it has no audience. */
export interface PublisherGroup {
  readonly publication: PlanPublish;
  /** The tester that runs them. */
  readonly by: string;
  readonly publishers: number;
  readonly ratePerSecond: number;
  /** From the last one on; 0: until stopped. With a search an upper bound of its length. */
  readonly holdMs: number;
  /** The search for the most publishers, of which `publishers` is the upper bound. */
  readonly search?: PlanSearch;
}

type Load = Pick<Plan, 'pull' | 'also' | 'publish'>;

/** A plan whose load is an audience. */
export type PullPlan = Plan & { readonly pull: Audience };

export const hasAudience = (plan: Plan): plan is PullPlan => plan.pull !== undefined;

/** The publishers of a plan without an audience; none of other plans, whose publishers only serve their viewers. */
export function publisherGroups(plan: Load): readonly PublisherGroup[] {
  if (audiencesOf(plan).length > 0) return [];
  return plan.publish.flatMap((publication) => {
    const { by, publishers, holdMs, search, ratePerSecond = publisherRate } = publication;
    if (by !== undefined && search) {
      const { viewers, ...derived } = derivedOfSearch(search, ratePerSecond);
      return [{ publication, by, publishers: viewers, ...derived, search }];
    }
    if (by === undefined || publishers === undefined || holdMs === undefined) return [];
    return [{ publication, by, publishers, ratePerSecond, holdMs }];
  });
}

/** Whether the load of a plan is its publishers alone. */
export const publishesOnly = (plan: Load): boolean => publisherGroups(plan).length > 0;

/** `viewers`, or `publishers` of a plan without an audience: what its figures count. */
export const clientsOf = (plan: Load): 'viewers' | 'publishers' => (publishesOnly(plan) ? 'publishers' : 'viewers');

/** The servers under test, each once: those that an audience pulls from, or those that publishers alone publish to. */
export function originNames(plan: Load): readonly string[] {
  const names = [
    ...audiencesOf(plan).map(({ from }) => from),
    ...publisherGroups(plan).map(({ publication }) => publication.node),
  ];
  return [...new Set(names)];
}

/** The first server under test. */
export const firstOrigin = (plan: Load): string => originNames(plan)[0] ?? '';

/** The testers that generate the load, each once. */
export function loadTesters(plan: Load): readonly string[] {
  return [...new Set([...audiencesOf(plan).flatMap(({ by }) => by), ...publisherGroups(plan).map(({ by }) => by)])];
}

/** Viewers, or publishers alone, of each tester. */
export function clientsPerTester(plan: Load): ReadonlyMap<string, number> {
  const all = new Map(viewersPerTester(plan));
  for (const { by, publishers } of publisherGroups(plan)) all.set(by, (all.get(by) ?? 0) + publishers);
  return all;
}

/** Peak viewers of a plan, or its publishers alone. */
export function loadSize(plan: Load): number {
  return [
    ...audiencesOf(plan).map(({ viewers }) => viewers),
    ...publisherGroups(plan).map((each) => each.publishers),
  ].reduce((sum, size) => sum + size, 0);
}

const publisherProblem = z.object({ sentence: z.string(), count });
/** Why so many publishers failed: a sentence as their tester reports it. */
export type PublisherProblem = Readonly<z.infer<typeof publisherProblem>>;

/** What a busy machine or a tester without resources may cause too. */
const mayBeOfTester = /within \d|timed out|not respond|open files|local port|memory/i;

/** Problems that only the server causes: it refused or closed the connection. */
export const ofServer = (problems: readonly PublisherProblem[]): readonly PublisherProblem[] =>
  problems.filter(({ sentence }) => !mayBeOfTester.test(sentence));

/** Publishers of a run without an audience, as last reported: when their hold ended, or now. */
export const publishedGroup = immutable(
  z.object({
    stream: z.string(),
    /** The server, and the tester that publishes: their names in the run. */
    node: z.string(),
    by: z.string(),
    requested: count,
    live: count,
    livePeak: count,
    failed: count,
    /** Why publishers failed: sentences as their tester reports them, the most frequent first. */
    problems: z.array(publisherProblem).optional(),
  }),
);
export type PublishedGroup = z.infer<typeof publishedGroup>;
