import type { JobState, Phase, PhaseName } from '../../domain/run';

/** One tester's part of a pull, as last seen. */
export interface JobSeen {
  readonly state: JobState;
  readonly waiting: number;
  readonly connecting: number;
  readonly connected: number;
  readonly present: number;
}

/** A pull and what has happened to it; times are Unix ms. */
export interface PullSeen {
  readonly startedMs: number;
  readonly viewers: number;
  readonly ratePerSecond: number;
  /** Time at full house; 0: until stopped. */
  readonly holdMs: number;
  /** When everybody had arrived. */
  readonly fullMs?: number;
  /** Since when nobody watches any more, though they had all arrived. */
  readonly emptySinceMs?: number;
  /** When they were asked to leave. */
  readonly leaveMs?: number;
  /** Part of an audience whose director says when it leaves. */
  readonly isDirected?: boolean;
  readonly jobs: readonly JobSeen[];
}

/** What has to be done with a pull now. `force`: close the sockets without a word; `kill`: end the testers' processes. */
export type PullStep = 'wait' | 'full' | 'leave' | 'force' | 'kill' | 'gone';

/** Bounds of a pull, so that everything that starts also ends. */
export const courseBounds = {
  /** Arrivals may take this many times the planned time, and this much more. */
  arrivalFactor: 3,
  arrivalSlackMs: 60_000,
  /** A house that has emptied by itself is held this much longer: so the record shows that it was empty, and for how long. */
  emptyMs: 5000,
  forceAfterMs: 15_000,
  killAfterMs: 22_000,
} as const;

const over = (job: JobSeen): boolean =>
  (job.state === 'ended' || job.state === 'failed') && job.present === 0;
const settled = (job: JobSeen): boolean =>
  job.state === 'failed' ||
  job.state === 'ended' ||
  (job.state !== 'starting' && job.waiting === 0 && job.connecting === 0);

/** Nobody of it is on the way, in or out. */
export function isSettled(pull: PullSeen): boolean {
  return pull.leaveMs === undefined ? pull.jobs.every(settled) : pull.jobs.every(over);
}

/** When a pull gives up waiting for its arrivals. */
export function arrivalsEndMs(pull: PullSeen): number {
  const plannedMs = (pull.viewers / pull.ratePerSecond) * 1000;
  return pull.startedMs + plannedMs * courseBounds.arrivalFactor + courseBounds.arrivalSlackMs;
}

/** Decides a pull's next step from what is known of it. */
export function nextStep(nowMs: number, pull: PullSeen): PullStep {
  const holding = pull.fullMs !== undefined && pull.leaveMs === undefined;
  const isLost = pull.jobs.every((job) => job.state === 'failed');
  if (pull.jobs.every(over) && (!holding || isLost)) return 'gone';
  if (pull.leaveMs !== undefined) {
    const waitedMs = nowMs - pull.leaveMs;
    if (waitedMs >= courseBounds.killAfterMs) return 'kill';
    return waitedMs >= courseBounds.forceAfterMs ? 'force' : 'wait';
  }
  if (!isSettled(pull) && nowMs < arrivalsEndMs(pull))
    return pull.fullMs === undefined ? 'wait' : holdStep(nowMs, pull);
  if (pull.isDirected) return pull.fullMs === undefined ? 'full' : 'wait';
  if (pull.jobs.every((job) => job.connected === 0)) {
    // Nobody got in: there is nothing to hold.
    if (pull.fullMs === undefined) return 'leave';
    if (nowMs - (pull.emptySinceMs ?? nowMs) >= courseBounds.emptyMs) return 'leave';
  }
  return pull.fullMs === undefined ? 'full' : holdStep(nowMs, pull);
}

function holdStep(nowMs: number, pull: PullSeen): PullStep {
  return !pull.isDirected && pull.holdMs > 0 && nowMs >= (pull.fullMs ?? nowMs) + pull.holdMs
    ? 'leave'
    : 'wait';
}

/** Phases that have viewers. */
export type ViewerPhase = Exclude<PhaseName, 'prepare' | 'baseline'>;

/** The phase of a run with these pulls and directed audiences: arriving wins over holding, holding over leaving. */
export function phaseOf(
  all: readonly PullSeen[],
  directed: ReadonlyArray<'ramp' | 'hold' | 'drain'> = [],
): ViewerPhase {
  // Whoever is part of a directed audience comes and goes without the run's doing so.
  const pulls = all.filter((pull) => !pull.isDirected);
  for (const phase of ['ramp', 'hold'] as const) if (directed.includes(phase)) return earlier(phase, pulls);
  return pulls.length > 0 ? phaseOfPulls(pulls) : 'drain';
}

function earlier(phase: 'ramp' | 'hold', pulls: readonly PullSeen[]): 'ramp' | 'hold' {
  return phase === 'ramp' || (pulls.length > 0 && phaseOfPulls(pulls) === 'ramp') ? 'ramp' : 'hold';
}

function phaseOfPulls(pulls: readonly PullSeen[]): ViewerPhase {
  if (pulls.some((pull) => pull.fullMs === undefined && pull.leaveMs === undefined)) return 'ramp';
  return pulls.some((pull) => pull.leaveMs === undefined) ? 'hold' : 'drain';
}

/**
 * The phases that a verdict looks at. With several pulls the house was full only while all of them were in at once, from the last
 * to become full to the first to leave; before that it is one long ramp.
 */
export function judgedPhases(phases: readonly Phase[], pulls: readonly PullSeen[]): readonly Phase[] {
  // A course of its own has as many ramps and holds as it has; they are all looked at.
  if (pulls.length < 2 || pulls.some((pull) => pull.isDirected)) return phases;
  const startMs = Math.min(...pulls.map((pull) => pull.startedMs));
  const leaveMs = Math.min(...pulls.map((pull) => pull.leaveMs ?? Number.POSITIVE_INFINITY));
  const fullMs = Math.max(...pulls.map((pull) => pull.fullMs ?? Number.POSITIVE_INFINITY));
  const before = phases.filter(({ name }) => name === 'prepare' || name === 'baseline');
  if (fullMs < leaveMs)
    return [
      ...before,
      { name: 'ramp', startMs, endMs: fullMs },
      { name: 'hold', startMs: fullMs, ...(Number.isFinite(leaveMs) ? { endMs: leaveMs } : {}) },
    ];
  return [...before, { name: 'ramp', startMs, ...(Number.isFinite(leaveMs) ? { endMs: leaveMs } : {}) }];
}

/** When the last pull leaves by itself, as far as it can be told now; undefined when one of them has no end of its own. */
export function endsMs(
  all: readonly PullSeen[],
  directed: ReadonlyArray<number | undefined> = [],
): number | undefined {
  const pulls = all.filter((pull) => !pull.isDirected);
  const known = directed.filter((ms) => ms !== undefined);
  if (known.length < directed.length) return undefined;
  if (pulls.length === 0) return known.length > 0 ? Math.round(Math.max(...known)) : undefined;
  if (pulls.some((pull) => pull.holdMs === 0 && pull.leaveMs === undefined)) return undefined;
  return Math.round(
    Math.max(
      ...known,
      ...pulls.map(
        (pull) =>
          pull.leaveMs ??
          (pull.fullMs ?? pull.startedMs + (pull.viewers / pull.ratePerSecond) * 1000) + pull.holdMs,
      ),
    ),
  );
}

/** Viewers that a pull wants at this moment: the planned line of arrivals. */
export function wantedViewers(nowMs: number, pull: PullSeen, viewers: number): number {
  if (pull.leaveMs !== undefined && nowMs >= pull.leaveMs) return 0;
  const share = ((nowMs - pull.startedMs) / 1000) * (pull.ratePerSecond / pull.viewers);
  return Math.round(viewers * Math.min(1, Math.max(0, share)));
}
