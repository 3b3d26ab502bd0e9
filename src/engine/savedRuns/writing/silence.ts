import { performance } from 'node:perf_hooks';
import { FullhouseError } from '../../../contract/calls';
import { afterReading } from '../../base/clock';
import { seconds } from '../../base/sentences';

/** A write that takes longer is a fault of the disk. */
export const silentAfterMs = 2000;

/** A disk does not answer. */
export class DiskSilent extends FullhouseError {
  constructor(folder: string, silentMs?: number) {
    const what = silentMs === undefined ? 'does not answer' : `has not answered for ${seconds(roundMs(silentMs))}`;
    super('disk-silent', `The disk of ${folder} ${what}. Check the disk or its network.`);
  }
}

const roundMs = (ms: number): number => Math.round(ms / 1000) * 1000;

/** Watches the requests to the process that writes a run, one at a time: an unanswered one is reported once. */
export class Silence {
  private current: { readonly sinceMs: number; readonly giveUp: (error: DiskSilent) => void } | undefined;
  private limitMs = Infinity;
  private timer: NodeJS.Timeout | undefined;
  private toldSinceMs: number | undefined;

  constructor(
    private readonly folder: () => string,
    private readonly tell: (sentence: string) => void,
  ) {}

  get isSilent(): boolean {
    return this.toldSinceMs !== undefined;
  }

  /** The fault of a disk that is silent now. */
  fault(): DiskSilent {
    const sinceMs = this.current?.sinceMs ?? performance.now();
    return new DiskSilent(this.folder(), Math.max(silentAfterMs, performance.now() - sinceMs));
  }

  /** From now on a request is given up after so long, counted from now for the current one. */
  limit(ms: number): void {
    this.limitMs = ms;
    this.arm();
  }

  /** Resolves as `answer`; rejects with `DiskSilent` after the limit. */
  async during<T>(answer: Promise<T>): Promise<T> {
    const sinceMs = performance.now();
    const cancel = afterReading(silentAfterMs, () => {
      this.toldSinceMs ??= sinceMs;
      this.tell(
        `The disk of ${this.folder()} has not answered for ${seconds(silentAfterMs)}. Measurements are held in memory; check the disk or its network.`,
      );
    });
    const gaveUp = new Promise<never>((_, giveUp) => (this.current = { sinceMs, giveUp }));
    this.arm();
    try {
      return await Promise.race([answer, gaveUp]);
    } finally {
      cancel();
      clearTimeout(this.timer);
      this.current = undefined;
    }
  }

  /** The disk answered. */
  answered(isSaved: boolean): void {
    if (this.toldSinceMs === undefined) return;
    const silentMs = performance.now() - this.toldSinceMs;
    this.toldSinceMs = undefined;
    const rest = isSaved ? '; pending data is saved' : '';
    this.tell(`The disk of ${this.folder()} answers again after ${seconds(roundMs(silentMs))}${rest}.`);
  }

  /** Another disk is written from now on. */
  left(): void {
    this.toldSinceMs = undefined;
  }

  private arm(): void {
    clearTimeout(this.timer);
    if (this.current && this.limitMs < Infinity)
      this.timer = setTimeout(() => this.current?.giveUp(this.fault()), this.limitMs);
  }
}
