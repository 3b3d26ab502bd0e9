import type { Plan, PlanPull, PlanStage } from '../plan/plan';
import { courseOf, wholeTimeMs } from '../stages/course';

/** A small load, as somebody wants it. */
export interface SmallLoad {
  /** Never more viewers than these. */
  readonly mostViewers: number;
  /** Sizes on the way there, evenly apart. */
  readonly sizes: number;
  /** How long each is held. */
  readonly holdMs: number;
}

/** The part of the audience that a plan is for which an estimate needs, and the fewest viewers that say something. */
const usualShare = 0.1;
const fewestViewers = 10;
export const usualLoad: Omit<SmallLoad, 'mostViewers'> = { sizes: 5, holdMs: 20_000 };
/** Each size arrives in so long: what a handshake costs is not what a viewer costs, and a node in use must not feel them. */
const arrivalMs = 4000;
/** A node in use is left alone long before it suffers; percent, for so long. */
export const guards = { degraded: 5, failed: 5, cpu: 70, forMs: 5000 } as const;

/** A tenth of the audience, but enough to see anything at all. */
export function usualMost({ pull }: Pick<Plan, 'pull'>): number {
  return Math.min(pull.viewers, Math.max(fewestViewers, Math.round(pull.viewers * usualShare)));
}

/**
 * A plan's nodes and stream with a small load in the place of its own: in even steps to `mostViewers`, each held, then everybody leaves. It gives up
 * when viewers degrade or fail, or the origin's CPU is over 70 %, unless the plan says when to give up. Schedule, hooks and further audiences are the plan's own business.
 */
export function estimatePlan(plan: Plan, { mostViewers, sizes, holdMs }: SmallLoad): Plan {
  const by = Math.max(1, Math.ceil(mostViewers / sizes));
  const ratePerSecond = Math.max(1, Math.ceil((by * 1000) / arrivalMs));
  const stages: readonly PlanStage[] = [{ kind: 'step', viewers: mostViewers, by, holdMs, ratePerSecond }];
  const { stream, from, by: testers, weights, protocol, realism } = plan.pull;
  const pull: PlanPull = {
    stream,
    from,
    by: testers,
    protocol,
    viewers: mostViewers,
    ratePerSecond,
    holdMs: wholeTimeMs(courseOf(stages)),
    stages,
    ...(weights && { weights }),
    ...(realism && { realism }),
  };
  return {
    name: `Estimate for ${plan.name}`.slice(0, 120),
    nodes: plan.nodes,
    publish: plan.publish,
    pull,
    expect: plan.expect,
    ...(plan.thresholds && { thresholds: plan.thresholds }),
    stopWhen:
      plan.stopWhen ??
      (['degraded', 'failed', 'cpu'] as const).map((what) => ({
        what,
        comparison: '>',
        value: guards[what],
        forMs: guards.forMs,
      })),
  };
}
