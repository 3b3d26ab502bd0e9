import { FullhouseError } from '../../../contract/calls';
import { afterReading, type Cancel, type Clock } from '../../base/clock';
import { seconds } from '../../base/sentences';

/** A write that takes longer is a fault of the disk. */
const silentAfterMs = 2000;

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
  private cancelLimit: Cancel = () => undefined;
  private toldSinceMs: number | undefined;

  constructor(
    private readonly folder: () => string,
    private readonly tell: (sentence: string) => void,
    private readonly clock: Clock,
  ) {}

  get isSilent(): boolean {
    return this.toldSinceMs !== undefined;
  }

  /** The fault of a disk that is silent now. */
  fault(): DiskSilent {
    const sinceMs = this.current?.sinceMs ?? this.clock.now();
    return new DiskSilent(this.folder(), Math.max(silentAfterMs, this.clock.now() - sinceMs));
  }

  /** From now on a request is given up after so long, counted from now for the current one. */
  limit(ms: number): void {
    const isFirst = this.limitMs === Infinity;
    this.limitMs = ms;
    if (isFirst && this.isSilent) this.tell(this.waiting());
    this.arm();
  }

  private waiting(): string {
    return `The verdict waits for the disk of ${this.folder()}, max ${seconds(this.limitMs)}; a forced stop ends it now.`;
  }

  /** Resolves as `answer`; rejects with `DiskSilent` after the limit. */
  async during<T>(answer: Promise<T>): Promise<T> {
    const sinceMs = this.clock.now();
    const cancel = afterReading(this.clock, silentAfterMs, () => {
      this.toldSinceMs ??= sinceMs;
      this.tell(
        `The disk of ${this.folder()} has not answered for ${seconds(silentAfterMs)}. Measurements are held in memory; check the disk or its network.`,
      );
      if (this.limitMs < Infinity) this.tell(this.waiting());
    });
    const gaveUp = new Promise<never>((_, giveUp) => (this.current = { sinceMs, giveUp }));
    this.arm();
    try {
      return await Promise.race([answer, gaveUp]);
    } finally {
      cancel();
      this.cancelLimit();
      this.current = undefined;
    }
  }

  /** The disk answered. */
  answered(isSaved: boolean): void {
    if (this.toldSinceMs === undefined) return;
    const silentMs = this.clock.now() - this.toldSinceMs;
    this.toldSinceMs = undefined;
    const rest = isSaved ? '; pending data is saved' : '';
    this.tell(`The disk of ${this.folder()} answers again after ${seconds(roundMs(silentMs))}${rest}.`);
  }

  /** Another disk is written from now on. */
  left(): void {
    this.toldSinceMs = undefined;
  }

  private arm(): void {
    this.cancelLimit();
    if (this.current && this.limitMs < Infinity)
      this.cancelLimit = this.clock.after(this.limitMs, () => this.current?.giveUp(this.fault()));
  }
}
