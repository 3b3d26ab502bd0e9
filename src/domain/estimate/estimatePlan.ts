import { optionRows, type AudienceOptions } from '../model/options';
import { usedOptions } from '../plan/optionRules';
import { longestName } from '../plan/planNames';
import type { PlanStage } from '../model/audienceValues';
import type { Audience } from '../model/plan';
import type { PullPlan } from '../model/publisherGroup';
import { segmentsOf, totalTimeMs } from '../stages/loadProfile';

/** A requested calibration load. */
export interface SmallLoad {
  /** Maximum number of viewers. */
  readonly maxViewers: number;
  /** Number of evenly spaced sizes up to it. */
  readonly sizes: number;
  /** How long each is held. */
  readonly holdMs: number;
}

/** The share of the plan's audience that an estimate needs, and the minimum for a meaningful one. */
const usualShare = 0.1;
const fewestViewers = 10;
export const defaultLoad: Omit<SmallLoad, 'maxViewers'> = { sizes: 5, holdMs: 20_000 };
/** Ramp time of each size: connecting costs more than watching, and a node in use must not be disturbed. */
const rampUpMs = 4000;
/** A node in use is protected long before it degrades; percent, for so long. */
export const guards = { degraded: 5, failed: 5, cpu: 70, forMs: 5000 } as const;

/** A tenth of the audience, but enough to measure anything. */
export function defaultMaxViewers({ pull }: Pick<PullPlan, 'pull'>): number {
  return Math.min(pull.viewers, Math.max(fewestViewers, Math.round(pull.viewers * usualShare)));
}

/**
 * A plan's nodes and stream with a calibration load instead of its own: even steps to `maxViewers`, each held, then a
 * ramp-down. It stops when viewers degrade or fail, or the origin's CPU exceeds 70 %, unless the plan has its own stop
 * conditions. Schedule, hooks and further audiences of the plan are dropped.
 */
export function estimatePlan(plan: PullPlan, { maxViewers, sizes, holdMs }: SmallLoad): PullPlan {
  const by = Math.max(1, Math.ceil(maxViewers / sizes));
  const ratePerSecond = Math.max(1, Math.ceil((by * 1000) / rampUpMs));
  const stages: readonly PlanStage[] = [{ kind: 'step', viewers: maxViewers, by, holdMs, ratePerSecond }];
  const { stream, from, by: testers, weights, protocol } = plan.pull;
  const pull: Audience = {
    stream,
    from,
    by: testers,
    ...(weights && { weights }),
    protocol,
    ...calibratedOptions(plan.pull),
    viewers: maxViewers,
    ratePerSecond,
    holdMs: totalTimeMs(segmentsOf(stages)),
    stages,
  };
  return {
    name: `Estimate for ${plan.name}`.slice(0, longestName),
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

const calibratedOptions = (pull: Audience): AudienceOptions =>
  Object.fromEntries(
    usedOptions(pull)
      .filter((name) => optionRows[name].isCalibrated)
      .map((name) => [name, pull[name]]),
  );
