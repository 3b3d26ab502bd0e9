import type { JobState, Phase, PhaseName } from '../../domain/model/run';

/** One tester's part of a pull, as last reported. */
export interface PullJobState {
  readonly state: JobState;
  readonly waiting: number;
  readonly connecting: number;
  readonly connected: number;
  readonly present: number;
}

/** A pull and its progress; times are Unix ms. */
export interface PullState {
  readonly startedMs: number;
  readonly viewers: number;
  readonly ratePerSecond: number;
  /** Hold time; 0: until stopped. */
  readonly holdMs: number;
  /** When all viewers had connected or failed. */
  readonly fullMs?: number;
  /** Since when no viewer is connected any more, though the ramp was complete. */
  readonly emptySinceMs?: number;
  /** When its viewers were ordered to disconnect. */
  readonly leaveMs?: number;
  /** Part of an audience whose controller decides when it ends. */
  readonly isControlled?: boolean;
  readonly jobs: readonly PullJobState[];
}

/**
 * The next step of a pull. `force`: close the sockets without an orderly shutdown; `kill`: end the testers' processes.
 */
export type PullStep = 'wait' | 'full' | 'leave' | 'force' | 'kill' | 'gone';

/** Limits of a pull, so that everything that starts also ends. */
export const profileBounds = {
  /** The ramp may take this many times the planned time, plus this. */
  arrivalFactor: 3,
  arrivalSlackMs: 60_000,
  /** A pull that has lost all viewers is held this much longer: so the record shows that, and for how long. */
  emptyMs: 5000,
  forceAfterMs: 15_000,
  killAfterMs: 22_000,
} as const;

const over = (job: PullJobState): boolean => (job.state === 'ended' || job.state === 'failed') && job.present === 0;
const settled = (job: PullJobState): boolean =>
  job.state === 'failed' ||
  job.state === 'ended' ||
  (job.state !== 'starting' && job.waiting === 0 && job.connecting === 0);

/** No viewer of it is connecting or disconnecting. */
export function isSettled(pull: PullState): boolean {
  return pull.leaveMs === undefined ? pull.jobs.every(settled) : pull.jobs.every(over);
}

/** When a pull gives up waiting for the end of its ramp. */
function rampTimeoutMs(pull: PullState): number {
  const plannedMs = (pull.viewers / pull.ratePerSecond) * 1000;
  return pull.startedMs + plannedMs * profileBounds.arrivalFactor + profileBounds.arrivalSlackMs;
}

/** Decides a pull's next step. */
export function nextStep(nowMs: number, pull: PullState): PullStep {
  const holding = pull.fullMs !== undefined && pull.leaveMs === undefined;
  const isLost = pull.jobs.every((job) => job.state === 'failed');
  if (pull.jobs.every(over) && (!holding || isLost)) return 'gone';
  if (pull.leaveMs !== undefined) {
    const waitedMs = nowMs - pull.leaveMs;
    if (waitedMs >= profileBounds.killAfterMs) return 'kill';
    return waitedMs >= profileBounds.forceAfterMs ? 'force' : 'wait';
  }
  if (!isSettled(pull) && nowMs < rampTimeoutMs(pull))
    return pull.fullMs === undefined ? 'wait' : holdStep(nowMs, pull);
  if (pull.isControlled) return pull.fullMs === undefined ? 'full' : 'wait';
  if (pull.jobs.every((job) => job.connected === 0)) {
    // No viewer connected: there is nothing to hold.
    if (pull.fullMs === undefined) return 'leave';
    if (nowMs - (pull.emptySinceMs ?? nowMs) >= profileBounds.emptyMs) return 'leave';
  }
  return pull.fullMs === undefined ? 'full' : holdStep(nowMs, pull);
}

function holdStep(nowMs: number, pull: PullState): PullStep {
  return isHoldOver(nowMs, pull) ? 'leave' : 'wait';
}

/** It ends as planned, also while none of its viewers is connected at that time. */
export function isHoldOver(nowMs: number, { isControlled, holdMs, fullMs }: PullState): boolean {
  return !isControlled && holdMs > 0 && fullMs !== undefined && nowMs >= fullMs + holdMs;
}

/** Phases with viewers. */
export type ViewerPhase = Exclude<PhaseName, 'prepare' | 'baseline'>;

/** The phase of a run with these pulls and controlled audiences: ramp has priority over hold, hold over drain. */
export function phaseOf(
  all: readonly PullState[],
  controlled: ReadonlyArray<'ramp' | 'hold' | 'drain'> = [],
): ViewerPhase {
  // Parts of a controlled audience start and end while the run stays in its phase.
  const pulls = all.filter((pull) => !pull.isControlled);
  for (const phase of ['ramp', 'hold'] as const) if (controlled.includes(phase)) return earlier(phase, pulls);
  return pulls.length > 0 ? phaseOfPulls(pulls) : 'drain';
}

function earlier(phase: 'ramp' | 'hold', pulls: readonly PullState[]): 'ramp' | 'hold' {
  return phase === 'ramp' || (pulls.length > 0 && phaseOfPulls(pulls) === 'ramp') ? 'ramp' : 'hold';
}

function phaseOfPulls(pulls: readonly PullState[]): ViewerPhase {
  if (pulls.some((pull) => pull.fullMs === undefined && pull.leaveMs === undefined)) return 'ramp';
  return pulls.some((pull) => pull.leaveMs === undefined) ? 'hold' : 'drain';
}

/**
 * The phases for the verdict. With several pulls the ramp lasts until the last one is complete, and the hold until the
 * last one ends; one that never became complete changes neither. Each audience is judged at its own end.
 */
export function judgedPhases(phases: readonly Phase[], pulls: readonly PullState[]): readonly Phase[] {
  // A load profile may have several ramps and holds; all of them count.
  if (pulls.length < 2 || pulls.some((pull) => pull.isControlled)) return phases;
  const startMs = Math.min(...pulls.map((pull) => pull.startedMs));
  const leaveMs = Math.max(...pulls.map((pull) => pull.leaveMs ?? Number.POSITIVE_INFINITY));
  const fullMs = Math.max(...pulls.map((pull) => pull.fullMs ?? Number.NEGATIVE_INFINITY));
  const isFull = Number.isFinite(fullMs);
  const before = phases.filter(({ name }) => name === 'prepare' || name === 'baseline');
  if (isFull && fullMs < leaveMs)
    return [
      ...before,
      { name: 'ramp', startMs, endMs: fullMs },
      { name: 'hold', startMs: fullMs, ...(Number.isFinite(leaveMs) ? { endMs: leaveMs } : {}) },
    ];
  return [...before, { name: 'ramp', startMs, ...(Number.isFinite(leaveMs) ? { endMs: leaveMs } : {}) }];
}

/** When the hold of an audience ended; undefined while one of its pulls has not ended, or without any. */
export function holdEndMs(pulls: readonly PullState[]): number | undefined {
  const ends = pulls.flatMap(({ leaveMs }) => leaveMs ?? []);
  return ends.length > 0 && ends.length === pulls.length ? Math.max(...ends) : undefined;
}

/** When the last pull ends as planned, as far as it is known; undefined when one of them has no planned end. */
export function endsMs(
  all: readonly PullState[],
  controlled: ReadonlyArray<number | undefined> = [],
): number | undefined {
  const pulls = all.filter((pull) => !pull.isControlled);
  const known = controlled.filter((ms) => ms !== undefined);
  if (known.length < controlled.length) return undefined;
  if (pulls.length === 0) return known.length > 0 ? Math.round(Math.max(...known)) : undefined;
  if (pulls.some((pull) => pull.holdMs === 0 && pull.leaveMs === undefined)) return undefined;
  return Math.round(
    Math.max(
      ...known,
      ...pulls.map(
        (pull) =>
          pull.leaveMs ?? (pull.fullMs ?? pull.startedMs + (pull.viewers / pull.ratePerSecond) * 1000) + pull.holdMs,
      ),
    ),
  );
}

/** Target viewers of a pull at this time: the planned ramp. */
export function targetViewers(nowMs: number, pull: PullState, viewers: number): number {
  if (pull.leaveMs !== undefined && nowMs >= pull.leaveMs) return 0;
  const share = ((nowMs - pull.startedMs) / 1000) * (pull.ratePerSecond / pull.viewers);
  return Math.round(viewers * Math.min(1, Math.max(0, share)));
}
