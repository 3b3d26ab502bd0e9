import type { FailureCause } from '../../../domain/failure/causes';
import type { JobFailure } from '../../../contract/viewerSchemas';
import { drained } from '../../load/drained';
import type { PullSample } from '../../load/driver';

/** What happened to the viewers of members that have ended: counters that only grow. */
export interface LostCounts {
  readonly failed: number;
  readonly stalls: number;
  readonly freezeCount: number;
  readonly freezeDurationMs: number;
  readonly reconnects: number;
  readonly replaced: number;
  readonly failures: readonly JobFailure[];
  /** Viewers that failed because their member ended. */
  readonly onTester: number;
}

const nothing: LostCounts = {
  failed: 0,
  stalls: 0,
  freezeCount: 0,
  freezeDurationMs: 0,
  reconnects: 0,
  replaced: 0,
  failures: [],
  onTester: 0,
};

/** Cause of the failures of viewers whose tester has ended. */
const lostCause: FailureCause = 'tester-lost';

/** A member's share of a job. */
export class MemberPart {
  /** Its state by the last report that was merged; absent before the first. */
  latest: PullSample | undefined;
  /** Reports that are merged into the next sample of the group. */
  taken: PullSample[] = [];
  lost: LostCounts = nothing;
  /** The member has ended, and there is no replacement yet. */
  isLost = false;
  /** The member was given the order. False where its answer was lost: it is asked again if it has no such job. */
  isAsked = true;
  /** The order to disconnect that the member has accepted. */
  leaveTaken: 'properly' | 'by force' | undefined;

  constructor(
    /** Viewers of the job before its own. */
    readonly offset: number,
    readonly viewers: number,
  ) {}

  get isOver(): boolean {
    return this.isLost || this.latest?.state === 'ended';
  }

  /** Viewers that occupy the member. */
  get present(): number {
    return this.isOver ? 0 : this.viewers;
  }

  /** Takes the report of a second; one without the job ends it, if the member had it. */
  take(sample: PullSample | undefined): void {
    if (this.isLost) return;
    if (!sample) {
      if (this.latest && this.latest.state !== 'ended') this.latest = drained(this.latest);
      return;
    }
    this.latest = sample;
    this.taken.push(sample);
  }

  /**
   * The member has ended with its viewers: its last counts stay, and the viewers that it still had have failed. Returns
   * their number.
   */
  lose(timeMs: number, reason: string): number {
    const { latest, lost, viewers, offset } = this;
    if (this.isOver) return 0;
    this.isLost = true;
    const ended = this.leaveTaken !== undefined;
    const remaining = latest
      ? latest.waiting + latest.connecting + latest.connected + (latest.reconnecting ?? 0)
      : viewers;
    const count = ended ? 0 : remaining;
    const failure: JobFailure = {
      stage: 'media',
      cause: lostCause,
      count,
      example: { viewer: 1, timeMs, detail: reason },
    };
    this.lost = {
      failed: lost.failed + (latest?.failed ?? 0) + count,
      stalls: lost.stalls + (latest?.stalls ?? 0),
      freezeCount: lost.freezeCount + (latest?.freezeCount ?? 0),
      freezeDurationMs: lost.freezeDurationMs + (latest?.freezeDurationMs ?? 0),
      reconnects: lost.reconnects + (latest?.reconnects ?? 0),
      replaced: lost.replaced + (latest?.replaced ?? 0),
      failures: [
        ...lost.failures,
        ...(latest?.failures ?? []).map((failure) => numberedFrom(failure, offset)),
        ...(count > 0 ? [numberedFrom(failure, offset)] : []),
      ],
      onTester: lost.onTester + count,
    };
    this.latest = undefined;
    return count;
  }

  /** A replacement of the member takes the same share. */
  replace(): void {
    this.isLost = false;
    this.leaveTaken = undefined;
  }
}

/** A failure with its viewer's number in the whole job. */
export function numberedFrom(failure: JobFailure, offset: number): JobFailure {
  return { ...failure, example: { ...failure.example, viewer: failure.example.viewer + offset } };
}
