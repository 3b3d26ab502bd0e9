import type { Audience, Plan } from '../../src/domain/model/plan';
import { hasAudience, type PullPlan } from '../../src/domain/model/publisherGroup';

/** A plan that a test knows to have an audience. */
export function pullPlan(plan: Plan): PullPlan {
  if (hasAudience(plan)) return plan;
  throw new Error(`The plan "${plan.name}" of this test has no audience.`);
}

/** The first audience of a plan that a test knows to have one. */
export const audienceIn = (plan: Plan): Audience => pullPlan(plan).pull;
