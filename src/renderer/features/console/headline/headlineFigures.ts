import { formatAxisTime } from '../../../../domain/text/timeFormat';
import { formatFigure } from '../../../../domain/text/numberFormat';
import type { Phase, RunView } from '../../../../domain/model/run';
import { chosen, grouped, percentOf } from '../../../ui/format/numbers';

/** Below this share of the planned rate, connections are behind. */
const behindShare = 0.9;

/** Name of the current phase, numbered if a run has several of its kind: `ramp 2 of 2`. */
export function phaseChip(run: Pick<RunView, 'state' | 'phases'>): string {
  if (run.state === 'stopping') return 'stopping';
  const current = run.phases.find((phase) => phase.endMs === undefined) ?? run.phases.at(-1);
  if (!current) return 'preparing';
  const alike = run.phases.filter((phase: Phase) => phase.name === current.name);
  return alike.length > 1 ? `${current.name} ${alike.indexOf(current) + 1} of ${alike.length}` : current.name;
}

/** `9 connecting`, `origin counts 740` */
export function viewersSide(run: Pick<RunView, 'figures'>): readonly string[] {
  const { connecting, originViewers } = run.figures;
  return [
    connecting > 0 ? `${grouped(connecting)} connecting` : '',
    originViewers === undefined ? '' : `origin counts ${grouped(originViewers)}`,
  ].filter(Boolean);
}

export function rateIsBehind({ rateTarget, rateAchieved }: RunView['figures']): boolean {
  return rateTarget > 0 && rateAchieved < behindShare * rateTarget;
}

export interface DegradedFigure {
  readonly count: number;
  readonly percent: string | undefined;
  /** The limit, and the origin's count. */
  readonly notes: readonly string[];
  readonly isOver: boolean;
}

/** Degraded viewers now, or the peak of the run once it has ended. */
export function degradedFigure(run: Pick<RunView, 'figures' | 'plan' | 'state'>): DegradedFigure {
  const { figures, plan, state } = run;
  const hasEnded = state === 'ended';
  const count = hasEnded ? figures.degradedPeak : figures.degraded;
  const percent = hasEnded ? figures.degradedPercentPeak : percentOf(figures.degraded, figures.connected);
  const limit = plan.expect.degraded;
  const origin = figures.originDegraded;
  return {
    count,
    percent: percent === undefined || count === 0 ? undefined : `${formatFigure(percent, 'tenths')} %`,
    isOver: limit !== undefined && percent !== undefined && percent > limit.value,
    notes: [
      limit ? `limit ${chosen(limit.value)} %` : 'no limit',
      !hasEnded && origin !== undefined ? `origin counts ${grouped(origin)}` : '',
    ].filter(Boolean),
  };
}

/** Time left, if the run has a known end: `≈ 2:56 left`, `of 5:00`. */
export function endNote(run: Pick<RunView, 'startedMs' | 'endsMs'>, nowMs: number): readonly string[] {
  if (run.endsMs === undefined) return ['until stopped'];
  const left = Math.max(0, run.endsMs - nowMs);
  return [`≈ ${formatAxisTime(left)} left`, `of ${formatAxisTime(run.endsMs - run.startedMs)}`];
}
