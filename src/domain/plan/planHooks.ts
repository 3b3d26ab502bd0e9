import { audiencesOf } from '../model/distribution';
import type { Plan, PlanHook } from '../model/plan';

/** The programs that a plan starts and the addresses that it calls. */
export function hooksOf(plan: Plan): readonly PlanHook[] {
  return plan.hooks ?? [];
}

/** The programs whose output are the tokens of viewers. */
export const tokenCommandsOf = (plan: Plan): ReadonlyArray<readonly [string, ...string[]]> =>
  audiencesOf(plan).flatMap(({ tokens }) => (tokens?.command ? [tokens.command] : []));
