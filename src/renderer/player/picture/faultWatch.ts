import type { PictureFault } from '../../../domain/model/pictureFault';

/** A fault that has lasted for a second, or has ended after at least one. */
export interface FaultChange {
  readonly kind: PictureFault;
  readonly lengthMs: number;
  readonly isOver: boolean;
}

/** A fault in progress. */
export interface OpenFault {
  readonly kind: PictureFault;
  readonly lengthMs: number;
}

/** A shorter fault may be a cut of the content. */
const minFaultMs = 1000;

/** Follows the fault of the picture from one analysed frame to the next. Times in ms of any steady clock. */
export class FaultWatch {
  #since: { readonly kind: PictureFault; readonly startMs: number; isReported: boolean } | undefined;

  /** The fault of the frame displayed at `nowMs`, if any; returns what begins or ends with it. */
  take(kind: PictureFault | undefined, nowMs: number): readonly FaultChange[] {
    const before = this.#since;
    if (before && before.kind === kind) {
      const lengthMs = nowMs - before.startMs;
      if (before.isReported || lengthMs < minFaultMs) return [];
      before.isReported = true;
      return [{ kind, lengthMs, isOver: false }];
    }
    this.#since = kind && { kind, startMs: nowMs, isReported: false };
    return before?.isReported ? [{ kind: before.kind, lengthMs: nowMs - before.startMs, isOver: true }] : [];
  }

  /** The fault in progress, once it has lasted for a second. */
  open(nowMs: number): OpenFault | undefined {
    return this.#since?.isReported ? { kind: this.#since.kind, lengthMs: nowMs - this.#since.startMs } : undefined;
  }

  /** Playback was interrupted: what follows is another picture. */
  forget(): void {
    this.#since = undefined;
  }
}
